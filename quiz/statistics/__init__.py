"""What the log says about learning: frozen numbers from reviews and memories. Nothing here reads a file or makes a sentence."""
