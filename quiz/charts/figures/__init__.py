"""Declared figures, drawn: a module a kind, and one that chooses among them."""
