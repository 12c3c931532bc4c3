"""veritile: prove your layouts before you launch them."""
