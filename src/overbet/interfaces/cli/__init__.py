"""The `overbet` command: one file a verb, under `verbs/`."""
