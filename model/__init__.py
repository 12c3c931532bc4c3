"""What a layout is, and its algebra: one file an operation, each exact."""
