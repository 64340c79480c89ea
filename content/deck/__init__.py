"""What a deck is, whether it is one, and what else can be said of it without running anything."""
