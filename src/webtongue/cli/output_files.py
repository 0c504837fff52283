"""Write files inside a folder that the user names, without replacing files unless that is allowed."""

from __future__ import annotations

import os
import posixpath
import stat
from contextlib import suppress
from dataclasses import dataclass, field

from webtongue.errors import OutputError, output_errors

__all__ = ["OutputFolder", "write_file"]

STDIN_FILE_NAME = "stdin"  # file name for a page from standard input


@dataclass(slots=True)
class OutputFolder:
    """A folder in which each page is written under its own name."""

    path: str
    _used_paths: set[str] = field(init=False, default_factory=set)

    def place(self, name: str) -> str:
        """Return the path for a page, and create the folders above it. Raise OSError if it is outside the folder or used."""
        inside = _relative_path(name)
        path = os.path.join(self.path, inside)
        if inside in self._used_paths:
            raise OSError(f"another page of this run has the name {path} too")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        root = os.path.realpath(self.path)
        if os.path.commonpath([root, os.path.realpath(os.path.dirname(path))]) != root:
            raise OSError(f"{path} is outside {self.path}")
        self._used_paths.add(inside)
        return path


def _relative_path(name: str) -> str:
    r"""Return the path of a page inside a folder, without parts that lead out of it.

    >>> _relative_path("a/b.html"), _relative_path("/etc/b.html"), _relative_path("../../b.html"), _relative_path("-")
    ('a/b.html', 'b.html', 'b.html', 'stdin')
    >>> _relative_path("a/../../b")
    'b'
    """
    path = posixpath.normpath(name.replace(os.sep, "/"))
    if name == "-":
        return STDIN_FILE_NAME
    return path if not posixpath.isabs(path) and path.split("/")[0] != ".." else posixpath.basename(path)


def write_file(path: str, raw: bytes, force: bool) -> None:
    """Write a new file, or with ``force`` replace an old one after all bytes are written."""
    if not force or not os.path.lexists(path):
        with output_errors(path):
            _write_new(path, raw)
        return
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(f"{path} exists and is not a regular file")
    temporary = os.path.join(os.path.dirname(path), f".webtongue-{os.getpid()}")
    with output_errors(path):
        _write_new(temporary, raw)
        os.replace(temporary, path)


def _write_new(path: str, raw: bytes) -> None:
    try:
        file = open(path, "xb")  # noqa: SIM115
    except FileExistsError:
        raise OutputError(f"{path} exists; --force replaces it") from None
    try:
        with file:
            file.write(raw)
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise
