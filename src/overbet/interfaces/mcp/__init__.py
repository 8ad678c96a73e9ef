"""The MCP server: equity, ranges, solves, advice and hands for a program that speaks for a language model."""
