"""veritile: prove your layouts before you launch them.

>>> import veritile as vt
>>> A, B = vt.layout("(4,6,8,10):(2,3,5,7)"), vt.layout("6:12")
>>> str(vt.composition(A, B))
'(2,3):(9,5)'
>>> try:
...     vt.composition(vt.layout("(6,2):(1,7)"), vt.layout("(3,2):(2,3)"))
... except vt.Refuted as refusal:
...     print(refusal.witness)
coordinate (2,1), index 5, expected 8, got 7
"""

from .model.answer import Answer
from .model.binary import binary_matrix, from_binary_matrix, solve_linear
from .model.coalesce import coalesce, decide_coalesce
from .model.complement import (
    complement,
    decide_complement,
    decide_extended_complement,
    decide_partial_complement,
    extended_complement,
    partial_complement,
)
from .model.composed import ComposedLayout
from .model.composition import composition, decide_composition
from .model.concatenate import concatenate, flatten_layout, group_modes, select
from .model.coordinate import Extended, InBounds, crd2idx, idx2crd
from .model.divide import decide_divide, flat_divide, logical_divide, tiled_divide, zipped_divide
from .model.errors import (
    ComplementRefuted,
    CompositionRefuted,
    DivideRefuted,
    InputError,
    InverseRefuted,
    ProductRefuted,
    PropertyRefuted,
    RecastRefuted,
    Refuted,
    Undecided,
    VeritileError,
    Witness,
)
from .model.inverse import decide_left_inverse, decide_right_inverse, left_inverse, right_inverse
from .model.layout import Layout, depth, rank
from .model.notation import layout, parse, parse_coordinate, parse_shape, parse_tiler
from .model.product import (
    blocked_product,
    decide_product,
    flat_product,
    logical_product,
    raked_product,
    tile_to_shape,
    tiled_product,
    zipped_product,
)
from .model.properties import (
    contiguous_run,
    cosize,
    equal,
    is_bijective,
    is_contiguous,
    is_disjoint,
    is_injective,
    is_onto,
    is_within,
    size,
)
from .model.recast import decide_recast, recast_layout
from .model.semimodule import F2, CoordinateStride, E
from .model.slicing import decide_slice, slice_
from .model.swizzle import Swizzle
from .model.tensor import Tensor, copy
from .model.tiler import tile
from .model.vector import (
    decide_max_common_layout,
    decide_nullspace,
    max_common_layout,
    max_common_vector,
    nullspace,
)
from .model.version import VERSION
from .notebook import attach as _attach

__version__ = VERSION
_attach()

__all__ = [
    # what a layout is
    "Layout", "layout", "parse", "parse_coordinate", "parse_shape", "parse_tiler", "Swizzle", "ComposedLayout",
    "Tensor", "copy", "E", "CoordinateStride", "F2", "InBounds", "Extended", "idx2crd", "crd2idx", "Answer",
    # operations
    "coalesce", "composition", "complement", "extended_complement", "partial_complement",
    "left_inverse", "right_inverse", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "tile",
    "logical_product", "blocked_product", "raked_product", "zipped_product", "tiled_product", "flat_product",
    "tile_to_shape", "recast_layout", "slice_", "concatenate", "select", "group_modes", "flatten_layout",
    "nullspace", "max_common_layout", "max_common_vector", "binary_matrix", "from_binary_matrix", "solve_linear",
    # the same with their evidence
    "decide_coalesce", "decide_composition", "decide_complement", "decide_extended_complement",
    "decide_partial_complement", "decide_left_inverse", "decide_right_inverse",
    "decide_divide", "decide_product", "decide_recast", "decide_slice",
    "decide_nullspace", "decide_max_common_layout",
    # properties
    "size", "cosize", "rank", "depth", "is_injective", "is_onto", "is_within", "is_bijective", "is_contiguous",
    "contiguous_run", "is_disjoint", "equal",
    # errors
    "VeritileError", "InputError", "Refuted", "Undecided", "Witness", "CompositionRefuted", "ComplementRefuted",
    "InverseRefuted", "DivideRefuted", "ProductRefuted", "RecastRefuted", "PropertyRefuted",
]  # fmt: skip
