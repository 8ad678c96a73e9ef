"""What every training run in a folder has: a lock, metrics with an event file, and a polite way to stop."""
