"""When a card comes back: FSRS in whole study days, and the names that a card's memory hangs on."""
