"""Whole hands between agents."""
