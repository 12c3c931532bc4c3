"""Elements of twice the width: a stride that is odd is rounded"""

import os

os.environ.update(CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a")
from cutlass import cute


@cute.jit
def host():
    print("16 to 32 bits:", cute.recast_layout(32, 16, cute.make_layout((8, 4), stride=(1, 9))))


cute.compile(host)

# right: none: column 1 starts 9 elements of 16 bits on, which is 4.5 of 32, where (4,4):(1,5) has 5
