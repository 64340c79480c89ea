"""Experiments that an author writes down as expressions: a recipe is plain data, and this room gives it its meaning in torch."""
