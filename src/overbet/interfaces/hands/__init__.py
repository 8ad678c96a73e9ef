"""A local database of hands that people played: import, filter, replay, export."""
