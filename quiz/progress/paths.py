"""Where a person's progress, their decks and what can be computed anew belong on this system. Looking it up loads no database."""

from __future__ import annotations

import os
from pathlib import Path


def default_path() -> Path:
    """The progress file: in the folder QKV_DATA, or where this system keeps a person's data."""
    folder = os.path.expanduser(os.environ.get("QKV_DATA", ""))  # no shell has seen a ~ that is set elsewhere
    if not folder:
        import platformdirs

        folder = platformdirs.user_data_dir("qkv", appauthor=False)
    return Path(folder) / "progress.sqlite3"
