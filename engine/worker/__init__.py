"""Experiments run in a process of their own: a Worker here, its child there, and a pipe between them."""
