"""Widgets for notebooks: the page's grid in Jupyter and marimo."""
