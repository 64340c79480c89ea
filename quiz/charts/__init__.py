"""The pictures of the lab as rows of rich Segments: drawn once, shown by Textual and printed by the command line."""
