"""Ranks of hands, suit isomorphism and equities, as kernels on plain arrays."""
