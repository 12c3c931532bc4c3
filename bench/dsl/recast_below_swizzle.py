"""Elements of four times the width, over a swizzle of single elements: a base below zero"""

import os

os.environ.update(CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a")
from cutlass import cute


@cute.jit
def host():
    mixed = cute.make_composed_layout(cute.make_swizzle(3, 0, 3), 0, cute.make_layout((8, 8)))
    print("8 to 32 bits:", cute.recast_layout(32, 8, mixed).type)


cute.compile(host)

# right: none: S<3,0,3> exchanges single bytes, which elements of 32 bits do not tell apart
