"""What runs on a GPU, built only from certificates."""
