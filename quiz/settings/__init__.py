"""What a person has chosen once and for all starts: the file settings.toml, the environment, and what counts where they differ."""
