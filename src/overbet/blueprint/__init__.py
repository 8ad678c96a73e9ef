"""A training run: config, tables, checkpoints, and the blueprint it becomes."""
