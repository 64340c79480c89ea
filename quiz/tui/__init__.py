"""The full-screen interface: one application, one screen and one widget a file. It computes nothing and decides nothing."""
