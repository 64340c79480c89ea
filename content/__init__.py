"""Decks: YAML files of questions, read, checked and kept with the places of everything in them. Importing it loads nothing."""
