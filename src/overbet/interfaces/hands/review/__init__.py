"""The review of decisions in the database: each priced by a strategy or by solving its spot."""
