"""Games as flat arrays: built once, read by every solver."""
