"""A program that compiles three times; the DSL dies in the second."""

from cutlass import cute


@cute.jit
def fine():
    cute.printf("{}", cute.size(cute.make_layout((6, 2), stride=(1, 7))))


@cute.jit
def fatal():
    a = cute.make_layout((6, 6), stride=(16, 3))
    b = cute.make_layout(6, stride=3)
    cute.printf("{}", cute.size(cute.logical_product(a, b)))


@cute.jit
def also_fine():
    cute.printf("{}", cute.size(cute.make_layout((4, 2), stride=(1, 8))))


cute.compile(fine)
cute.compile(fatal)()
cute.compile(also_fine)
