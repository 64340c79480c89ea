"""What the log says about learning: frozen numbers from reviews and memories. Nothing here reads a file, asks a clock or makes a sentence."""
