"""Where a folder lies: in one that a sync program copies about, or on a network. Looks at names and mounts only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

# What the programs call their folders, in small letters; and the file that some leave in them.
SYNCED = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "icloud drive": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "syncthing": "Syncthing",
    "pcloud drive": "pCloud",
    "pclouddrive": "pCloud",
    "box": "Box",
    "seafile": "Seafile",
    "坚果云": "坚果云",
    "nutstore": "Nutstore",
    "nutstore files": "Nutstore",
}
TRACES = {
    ".dropbox": "Dropbox",
    ".stfolder": "Syncthing",
    ".sync_nextcloud.db": "Nextcloud",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
}
NETWORK = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs", "fuse.rclone", "davfs", "fuse.davfs", "ncpfs")


def sync_program(folder: Path) -> str | None:
    """The program that copies a folder to other machines, as far as names and traces in the folders above tell."""
    for above in (folder, *folder.parents):
        name = above.name.lower()
        for known, program in SYNCED.items():
            # "OneDrive - Company", "Dropbox (Personal)", "GoogleDrive-me@example.org"
            if name == known or name.startswith((f"{known} -", f"{known} (", f"{known}-")):
                return program
        for trace, program in TRACES.items():
            if os.path.lexists(above / trace):
                return program
    return None


def network_system(folder: Path, mounts: Iterable[str] | None = None) -> str | None:
    """The kind of network file system that a folder is on; `mounts` are lines as in /proc/mounts. None if local, or unknown."""
    place, kind = "", ""
    for line in _mounts() if mounts is None else mounts:
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        within = point == "/" or folder == Path(point) or Path(point) in folder.parents
        if within and len(point) >= len(place):
            place, kind = point, fields[2]
    return kind if kind.startswith(NETWORK) else None


def _mounts() -> list[str]:
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
