"""Every word and number of the interface, in both languages."""
