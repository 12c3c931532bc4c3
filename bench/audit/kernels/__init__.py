"""Functions that compile one kernel each of somebody else's package, as `veritile audit` takes them.

Importing this package tells the others which architecture is meant (``CUTE_DSL_ARCH``) and that no GPU is there: it
comes before theirs.
"""

from .environment import prepare

prepare()
