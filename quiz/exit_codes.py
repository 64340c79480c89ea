"""What a command tells the shell: an interface, so the numbers never change."""

from __future__ import annotations

OK, PROBLEM, USAGE, UNSAVED, INTERRUPTED = 0, 1, 2, 3, 130
