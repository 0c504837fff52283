"""A census whose OUT is a URL: it is written to a local folder, and every finished part is uploaded with the manifest.

Commands that read a census copy that of a URL to a temporary folder.

The store holds what a resumed run needs: the parts, each uploaded as a whole, and the manifest that lists them. A part that the
manifest does not list is read again. The local folder is temporary, and holds the rows as long as the run lasts: the second pass
needs all of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from webtongue.census.folder import ABOUT, ESTIMATE, MANIFEST
from webtongue.census.read.remote_io import is_remote
from webtongue.census.sink import LINKS, PART_PATTERN, ROWS, Part, part_filename
from webtongue.census.storage import RemoteStorage
from webtongue.errors import UsageError

__all__ = ["Mirror", "local_census", "open_mirror"]

MANIFEST_GROWTH = 0.01  # the manifest is uploaded when its parts have grown by this share, so that uploads stay linear


@contextmanager
def open_mirror(url: str, resume: bool, retries: int, scratch: str | None = None) -> Iterator[Mirror]:
    """Yield the mirror of a URL, with what an earlier run has uploaded; the local folder is deleted at the end."""
    storage = RemoteStorage(url, retries)
    has_census = storage.exists(MANIFEST)
    if has_census and not resume:
        raise UsageError(f"{url} already has a census: continue it with --resume, or choose another URL")
    if not has_census and storage.names(""):
        raise UsageError(f"{url} is neither empty nor a census: choose another URL")
    with storage.locked(), tempfile.TemporaryDirectory(prefix="webtongue-census-", dir=scratch) as folder:
        mirror = Mirror(storage, Path(folder) / "out")
        if has_census:
            mirror.download()
        yield mirror


@contextmanager
def local_census(out: str | Path) -> Iterator[Path]:
    """Yield the folder of a census to read; that of a URL is copied to a temporary folder, which is deleted at the end."""
    if not is_remote(str(out)):
        yield Path(out)
        return
    storage = RemoteStorage(str(out))
    if not storage.exists(MANIFEST):
        raise UsageError(f"{out} is not a census: it has no {MANIFEST}; create one with webtongue census")
    with tempfile.TemporaryDirectory(prefix="webtongue-census-") as folder:
        mirror = Mirror(storage, Path(folder) / (storage.url.rpartition("/")[2] or "out"))
        mirror.download()
        yield mirror.folder


class Mirror:
    """The local folder of a census, and its copy in a store."""

    def __init__(self, storage: RemoteStorage, folder: Path) -> None:
        self._storage, self.folder = storage, folder
        self._listed = 0  # parts of the manifest that was uploaded last
        self._parts = 0

    def download(self) -> None:
        """Copy the census of the store to the local folder."""
        about = [name for name in (ABOUT, ESTIMATE) if self._storage.exists(name)]
        (self.folder / ROWS).mkdir(parents=True, exist_ok=True)
        for name in [MANIFEST, *about, *self._part_names(ROWS), *self._part_names(LINKS)]:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self._storage.download(name, path)

    def _part_names(self, kind: str) -> list[str]:
        """Return the parts in the store, and no other names: a key of a store may contain ``..``."""
        return [name for name in self._storage.names(kind) if _is_part(name, kind)]

    def start(self) -> None:
        """Upload the manifest, by which a resumed run recognises the census, before the first part."""
        self._upload(MANIFEST)

    def add_part(self, part: Part) -> None:
        """Upload a finished part, which the local manifest lists already."""
        for kind in (LINKS, ROWS):
            self._upload(f"{kind}/{part_filename(part.number)}")
        self._parts += 1
        if self._parts >= self._listed * (1 + MANIFEST_GROWTH) + 1:
            self._upload(MANIFEST)
            self._listed = self._parts

    def finish(self) -> None:
        """Upload all files of a finished census, the manifest after the parts and the description last; delete what is left over.

        The database is not uploaded, because its views name a local folder: `webtongue.census.store.write_store` writes it after
        a download.
        """
        names = [
            f"{kind}/{path.name}" for kind in (ROWS, LINKS) for path in sorted((self.folder / kind).glob("*.parquet"))
        ]
        for name in [*names, MANIFEST, ABOUT]:
            self._upload(name)
        for name in {*self._storage.names(ROWS), *self._storage.names(LINKS)} - set(names):
            self._storage.delete(name)

    def _upload(self, name: str) -> None:
        self._storage.upload(self.folder / name, name)


def _is_part(name: str, kind: str) -> bool:
    folder, _, base = name.rpartition("/")
    return folder == kind and fnmatchcase(base, PART_PATTERN)
