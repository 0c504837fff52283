"""Files of this machine: only ordinary ones are opened, and folders are walked in the order of names.

A device or a pipe among the files of a crawl would be read without end, or waited for.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

__all__ = ["Unreadable", "opened", "sentence", "walk"]

KINDS = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
# A pipe that took a file's place is not waited for.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Unreadable(OSError):
    """Something that is there but is not read, and why."""


def opened(path: str) -> BinaryIO:
    """An ordinary file. It is looked at before it is opened, since to open a device may be to act on it, and after."""
    _check(os.stat(path).st_mode)
    file = open(os.open(path, FLAGS), "rb")  # noqa: SIM115
    try:
        _check(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def _check(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise Unreadable(
            next((f"{name}, not a file" for is_kind, name in KINDS if is_kind(mode)), "a device, not a file")
        )


def sentence(error: Exception) -> str:
    """Why something could not be read, without its name."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def walk(folder: str) -> Iterator[tuple[str, str]]:
    """Every file below a folder, in the order of names, and every folder that could not be read with the reason.

    Links to files are followed, links to folders are not: they may lead in a circle.
    """
    waiting = [("", True)]
    while waiting:
        inside, is_folder = waiting.pop()
        if not is_folder:
            yield inside, ""
            continue
        try:
            with os.scandir(os.path.join(folder, inside)) as entries:
                found = sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries if not _is_linked(entry)
                )
        except OSError as error:
            yield os.path.join(inside, ""), sentence(error)
            continue
        waiting += [(os.path.join(inside, name), is_dir) for name, is_dir in reversed(found)]


def _is_linked(entry: os.DirEntry[str]) -> bool:
    """Whether it is a link to a folder."""
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False
