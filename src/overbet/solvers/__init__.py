"""Engines that fill tables over a tree."""
