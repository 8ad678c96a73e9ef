"""Two ranges on a public tree: updates, showdowns and the judge."""
