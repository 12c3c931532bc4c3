"""Oracles: brute force on tables, and other people's tools in processes of their own."""
