"""Where decoded pages are written: never outside the folder that was named, never over a file that was not to be replaced."""

from __future__ import annotations

import os
import posixpath
import stat
from contextlib import suppress
from dataclasses import dataclass, field

__all__ = ["Folder", "write"]

STREAM_NAME = "stdin"  # of what came from standard input


@dataclass(slots=True)
class Folder:
    """A folder that pages are written to, each under its own name."""

    path: str
    _taken: set[str] = field(init=False, default_factory=set)

    def place(self, name: str) -> str:
        """Where a page of this name goes; folders on the way are made. OSError where that would be elsewhere, or is taken."""
        inside = _inside(name)
        path = os.path.join(self.path, inside)
        if inside in self._taken:
            raise OSError(f"{path} was written just now, from another page of this name")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        root = os.path.realpath(self.path)
        if os.path.commonpath([root, os.path.realpath(os.path.dirname(path))]) != root:
            raise OSError(f"{path} leads out of {self.path}")
        self._taken.add(inside)
        return path


def _inside(name: str) -> str:
    r"""The path of a page inside a folder: without what would lead out of it.

    >>> _inside("a/b.html"), _inside("/etc/b.html"), _inside("../../b.html"), _inside("-"), _inside("a/../../b")
    ('a/b.html', 'b.html', 'b.html', 'stdin', 'b')
    """
    path = posixpath.normpath(name.replace(os.sep, "/"))
    if name == "-":
        return STREAM_NAME
    return path if not posixpath.isabs(path) and path.split("/")[0] != ".." else posixpath.basename(path)


def write(path: str, raw: bytes, force: bool) -> None:
    """A file with these bytes: a new one, or in place of the old one once all is written."""
    if not force or not os.path.lexists(path):
        _new(path, raw)
        return
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError("there is something there already that is not an ordinary file")
    beside = os.path.join(os.path.dirname(path), f".webtongue-{os.getpid()}")
    _new(beside, raw)
    os.replace(beside, path)


def _new(path: str, raw: bytes) -> None:
    try:
        file = open(path, "xb")  # noqa: SIM115
    except FileExistsError:
        raise OSError(f"{path} is there already; --force replaces it") from None
    try:
        with file:
            file.write(raw)
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise
