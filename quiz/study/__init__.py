"""Which cards, when, and how a session goes: due and new cards, siblings apart, leeches, a plan, and the session as a value."""
