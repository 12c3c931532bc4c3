"""A program of docs/audit.md: the DSL dies in the second of its three compiles."""

from cutlass import cute


@cute.jit
def first():
    """Is traced."""
    cute.printf("{}", cute.size(cute.make_layout((6, 2), stride=(1, 7))))


@cute.jit
def second():
    """Ends the process that traces it."""
    tile, repeated = cute.make_layout((6, 6), stride=(16, 3)), cute.make_layout(6, stride=3)
    cute.printf("{}", cute.size(cute.logical_product(tile, repeated)))


@cute.jit
def third():
    """Is traced as well, for the process is started again without the second."""
    cute.printf("{}", cute.size(cute.make_layout((4, 2), stride=(1, 8))))


for function in (first, second, third):
    cute.compile(function)
