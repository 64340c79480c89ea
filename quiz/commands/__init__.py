"""The bodies of the commands: one that answers on stdout is a module here, and `quiz.cli` declares it."""
