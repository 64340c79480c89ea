"""A card from its question to its grade: the run that stands behind it, and its parts as text, for every output alike."""
