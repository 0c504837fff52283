"""Folders that a run writes its results to: on a disk, or below a URL of an object store.

A file appears there as a whole: on a disk it is written beside its place and renamed, in a store it is uploaded by one request or
one multipart upload, which the store completes or forgets. A file that several processes wait for is named in a manifest, which
is replaced as a whole, so a run that is killed at any time continues from the last manifest.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from webtongue.census.lock import take_lock
from webtongue.census.read.remote_io import Sleep, is_remote, open_store, retry
from webtongue.census.sink import ATTEMPTS_FOLDER, UNFINISHED_SUFFIX, atomic_write
from webtongue.errors import OutputError, UnreadableFile, UsageError

__all__ = ["LocalStorage", "RemoteStorage", "Storage", "open_storage"]

DEFAULT_RETRIES = 5


class Storage(Protocol):
    """A folder of results. Names are relative paths with slashes."""

    url: str
    scratch: Path  # a local folder for files that are being written

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, None if there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Write or replace a file as a whole."""

    def publish(self, path: Path, name: str) -> None:
        """Move a local file of the scratch folder to a name."""

    def fetch(self, name: str) -> Path:
        """Return a local copy of a file, or the file itself."""

    def exists(self, name: str) -> bool:
        """Return True if a file exists."""

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, sorted."""

    def delete(self, name: str) -> None:
        """Delete a file, if it exists."""

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Hold the folder for one run at a time, and delete the scratch folder at the end if it is temporary."""


def open_storage(out: str | Path, work: str, retries: int = DEFAULT_RETRIES, scratch: str | None = None) -> Storage:
    """Return the storage of a folder or URL.

    Files of an unfinished run are in its folder ``work`` on a disk, and in a temporary folder below ``scratch`` for a URL.
    """
    if is_remote(str(out)):
        return RemoteStorage(str(out), retries, scratch=scratch)
    return LocalStorage(Path(str(out).removeprefix("file://")), work)


class LocalStorage:
    """A folder on a disk."""

    def __init__(self, folder: Path, scratch: str) -> None:
        self.folder, self.url = folder, str(folder)
        self.scratch = folder / scratch

    def _path(self, name: str) -> Path:
        path = self.folder / name
        for parent in (path, *path.parents):
            if parent == self.folder:
                break
            if parent.is_symlink():
                raise UsageError(f"{parent} is a symbolic link: all files of a result must lie in its own folder")
        return path

    def read(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as unfinished:
            unfinished.write_bytes(data)

    def publish(self, path: Path, name: str) -> None:
        target = self._path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(target)

    def fetch(self, name: str) -> Path:
        return self._path(name)

    def exists(self, name: str) -> bool:
        return self._path(name).is_file()

    def names(self, folder: str) -> list[str]:
        root = self._path(folder)
        files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        return sorted(PurePosixPath(path.relative_to(self.folder)).as_posix() for path in files)

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        if self.scratch.is_symlink():
            raise UsageError(f"{self.scratch} is a symbolic link: all files of a result must lie in its own folder")
        self.scratch.mkdir(parents=True, exist_ok=True)
        lock = take_lock(self.scratch / ".lock")
        if lock < 0:
            raise UsageError(f"another run is writing to {self.folder}: wait for it, or choose another folder")
        try:
            for path in self.scratch.glob(f"*{UNFINISHED_SUFFIX}"):
                path.unlink()
            shutil.rmtree(self.scratch / ATTEMPTS_FOLDER, ignore_errors=True)
            yield
        finally:
            os.close(lock)


class RemoteStorage:
    """A folder of an object store, by fsspec. Requests that the store refuses for now are repeated.

    A store has no locks: two runs that write to one URL at a time are not detected.
    """

    def __init__(
        self, url: str, retries: int = DEFAULT_RETRIES, sleep: Sleep = time.sleep, scratch: str | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self._retries, self._sleep, self._temporary = retries, sleep, scratch
        self._store, self._root = open_store(self.url)
        self._store.use_listings_cache = False
        self.scratch = Path()

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def _copy(self, name: str) -> Path:
        return self.scratch / f"copy-{name.replace('/', '-')}"

    def _run(self, action: Any, name: str) -> Any:
        try:
            return retry(action, self._retries, self._sleep)
        except FileNotFoundError:
            raise
        except UnreadableFile as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise FileNotFoundError(name) from error
            raise OutputError(f"{self.url}/{name}: {error}") from error

    def read(self, name: str) -> bytes | None:
        try:
            data: bytes = self._run(lambda: self._store.cat_file(self._path(name)), name)
        except FileNotFoundError:
            return None
        return data

    def _send(self, action: Any, name: str) -> None:
        """Run an action that writes a file. Stores have no folders, so that only the bucket can be missing."""
        try:
            self._run(action, name)
        except FileNotFoundError as error:
            bucket = "/".join(self.url.split("/")[:3])
            message = f"{self.url}/{name} cannot be written: {bucket} does not exist; create it, or choose another URL"
            raise OutputError(message) from error

    def write(self, name: str, data: bytes) -> None:
        self._send(lambda: self._store.pipe_file(self._path(name), data), name)

    def publish(self, path: Path, name: str) -> None:
        self.upload(path, name)
        path.unlink()

    def upload(self, path: Path, name: str) -> None:
        """Copy a local file to a name."""
        self._send(lambda: self._store.put_file(str(path), self._path(name)), name)

    def download(self, name: str, path: Path) -> None:
        """Copy a file to a local path, where it appears as a whole."""
        with atomic_write(path) as unfinished:
            self._run(lambda: self._store.get_file(self._path(name), str(unfinished)), name)

    def fetch(self, name: str) -> Path:
        path = self._copy(name)
        if not path.exists():
            self.download(name, path)
        return path

    def exists(self, name: str) -> bool:
        self._store.invalidate_cache()
        try:  # isfile() of fsspec answers False if a request is refused
            return bool(self._run(lambda: self._store.info(self._path(name)), name)["type"] == "file")
        except FileNotFoundError:
            return False

    def names(self, folder: str) -> list[str]:
        self._store.invalidate_cache()
        try:
            paths: list[str] = self._run(lambda: self._store.find(self._path(folder)), folder)
        except FileNotFoundError:
            return []
        prefix = f"{self._root.rstrip('/')}/"
        return sorted(path.removeprefix(prefix) for path in paths)

    def delete(self, name: str) -> None:
        self._copy(name).unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            self._run(lambda: self._store.rm_file(self._path(name)), name)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        self.scratch = Path(tempfile.mkdtemp(prefix="webtongue-", dir=self._temporary))
        try:
            yield
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
