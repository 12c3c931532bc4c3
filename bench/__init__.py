"""Figures: how often answers are exact, and what they cost. ``python -m bench`` from the top of the repository."""
