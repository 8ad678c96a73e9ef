"""The vector engine's kernels on a GPU (numba-cuda); nothing here is imported before a GPU is asked for."""
