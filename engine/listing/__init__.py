"""A code card's listing and its correction, run in a process of their own. For `qkv check --code` alone, never while somebody studies."""
