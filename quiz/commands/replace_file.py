"""A file with other bytes, at once: who looks, or pulls the plug, finds the old one or the new one."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: str | Path, data: bytes) -> None:
    """Writes a file, or another one in its place, with the same permissions and through a link. Raises OSError and ValueError."""
    real = os.path.realpath(path)
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".qkv-")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        with suppress(FileNotFoundError):
            shutil.copymode(real, beside)
        os.replace(beside, real)
    except OSError:
        os.unlink(beside)
        raise


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be written, for a sentence: `permission denied`."""
    return (getattr(error, "strerror", None) or str(error)).lower()
