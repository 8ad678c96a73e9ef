"""Numba functions on plain arrays: the hot loops, and nothing else."""
