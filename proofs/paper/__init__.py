"""The claims of the paper on layouts, one file a section."""
