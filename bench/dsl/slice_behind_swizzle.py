"""A slice of a swizzled layout has the values of another layout"""

import os

os.environ.update(CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a")
from cutlass import cute


@cute.jit
def host():
    rows = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((12, 64), stride=(64, 1)))
    print("row 1:", cute.slice_(rows, (1, None)))


cute.compile(host)

# right: S<3,3,3> takes 64 + c, for c = 0, 8, 16, 24, to 72, 64, 88, 80: from the first on 0, -8, 16, 8, where
#   (8,8):(1,-8) has 0, -8, -16, -24; (8,(2,2,2)):(1,(-8,16,32)) has them
