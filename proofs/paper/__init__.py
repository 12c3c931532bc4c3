"""The claims of the paper, one file a section; each has ``CLAIMS``."""
