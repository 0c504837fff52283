"""Locks of the folders that a run writes to. The system releases them when the process ends, also after a kill."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["has_locks", "take_lock"]


def has_locks() -> bool:
    """Return True if the system has file locks; without them, running and killed processes look the same."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True


def take_lock(path: Path) -> int:
    """Create and lock a file; return its descriptor, which holds the lock until it is closed, or -1 if another process has it.

    On systems without file locks the file is only created, and two runs at a time are not detected.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    if not has_locks():
        return descriptor
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return -1
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
