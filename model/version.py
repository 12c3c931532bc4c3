"""The version of veritile, in answers and certificates."""

VERSION = "0.1.0"
