"""What the program says about decks, in the languages that it speaks: sentences, and their catalogue."""
