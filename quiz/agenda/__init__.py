"""What to study and when: due and new cards, siblings apart, cards in trouble, and a plan for a day to be ready for. No screen."""
