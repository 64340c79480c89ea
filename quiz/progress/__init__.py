"""Where progress lies: an append-only log in SQLite, what it adds up to, and its copies. `progress.progress` is the door to it."""
