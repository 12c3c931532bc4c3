"""The code itself: what is shipped in ``model/`` run on symbolic integers, every path proved; one file an operation."""
