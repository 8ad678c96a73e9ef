"""Card buckets: how a large game is made smaller."""
