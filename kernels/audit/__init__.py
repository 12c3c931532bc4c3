"""The audit of somebody else's kernel: every layout operation in its IR, decided again exactly."""
