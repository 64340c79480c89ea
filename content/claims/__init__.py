"""The claim language: tokens, a tree, a verdict on one run, and the changes that prove that a claim can fail."""
