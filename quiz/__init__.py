"""What a person sees: the command line, the screens, the schedule, the progress."""
