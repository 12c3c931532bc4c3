"""Pictures as SVG: legible in light and dark, with a title and a description, and never by colour alone."""
