"""The two small networks: one looks at cards, one reads lines of text."""
