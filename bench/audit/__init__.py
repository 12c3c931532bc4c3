"""Real kernels of the package index, audited: ``python -m bench.audit``. They need the extra ``audit``, and no GPU."""
