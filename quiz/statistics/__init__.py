"""What the log says about learning: frozen numbers from reviews and memories. Nothing here makes a sentence."""
