"""Bytes to a tree of mappings, lists and texts with the place of everything in it; what is wrong, in words for people."""
