"""Card buckets: features, clustering and lookup, as kernels on plain arrays."""
