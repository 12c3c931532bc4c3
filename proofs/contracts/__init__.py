"""What a kernel owes before it launches: one file a contract, each rule decided for the layouts at hand."""
