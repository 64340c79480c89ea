"""The doors of the process: what comes in and goes out is bytes, and whose they are nobody knows."""
