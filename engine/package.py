"""Where the experiments are, by name: only the engine's own process imports them."""

PACKAGE = "engine.experiments"
