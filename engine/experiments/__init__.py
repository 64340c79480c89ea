"""The experiments: one file is one claim and the computation that decides it. Adding one touches this folder only."""
