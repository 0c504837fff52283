"""Errors of journal and archive: a full disk ends a crawl with one sentence."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from webtongue.errors import UsageError

__all__ = ["EXISTS", "RESUMABLE", "check_resumable", "reserve_files", "stops_on_error", "storage_error"]

T = TypeVar("T")
EXISTS = "exists already: use --resume to continue that crawl, or choose another name"
RESUMABLE = "finished pages are kept: use --resume to continue"
# Error numbers of the system for SQLite's result codes; the low byte of an extended code is the primary one.
SQLITE_ERRORS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
}
SQLITE_FILE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def storage_error(error: Exception, path: str, hint: str = RESUMABLE) -> OSError:
    """Return an error of SQLite or the file system as an OSError that names the file and what to do."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None) or 0
        number = SQLITE_ERRORS.get(code & 0xFF, errno.EIO)
        message = str(error)
    else:
        number = getattr(error, "errno", None) or errno.EIO
        message = getattr(error, "strerror", None) or str(error)
    return OSError(number, f"{message}; {hint}" if hint else message, path)


def stops_on_error(result: Any = None) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Decorate a method of CrawlController: a storage error stops the crawl, and ``result`` is returned from then on."""

    def decorate(method: Callable[..., T]) -> Callable[..., T]:
        @wraps(method)
        def guarded(self: Any, *args: Any, **kwargs: Any) -> T:
            if self.failure is not None:
                return result  # type: ignore[no-any-return]
            try:
                return method(self, *args, **kwargs)
            except (sqlite3.Error, OSError) as error:
                self.stop(error)
                return result  # type: ignore[no-any-return]

        return guarded

    return decorate


def reserve_files(paths: list[Path]) -> None:
    """Create the files of a new crawl, empty. If one cannot be created, remove the others and raise the system's error."""
    created: list[Path] = []
    try:
        for path in paths:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            created.append(path)
    except OSError as error:
        for other in created:
            other.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise UsageError(f"{path} {EXISTS}") from None
        raise


def check_resumable(journal: Path, archive: Path | None) -> None:
    """Raise an error if files are missing, not writable, or symbolic links: the crawl may come from someone else."""
    if not journal.is_file():
        raise UsageError(f"{journal} does not exist: there is nothing to resume")
    paths = [journal.with_name(journal.name + suffix) for suffix in SQLITE_FILE_SUFFIXES]
    for path in [*paths, *([archive] if archive is not None else [])]:
        if path.is_symlink():
            raise UsageError(f"{path} is a symbolic link: --resume writes only to regular files")
        if path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
            if not path.is_file():
                raise UsageError(f"{path} is not a file")
