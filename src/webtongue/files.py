"""Files: the shipped data and models, the container format of model files, and files that callers name.

A container has a magic, version, number of sections, size and checksum, then a directory of sections, then sections aligned for
mapping; all numbers are little-endian. The kernel reads the same format (native/base/container.hpp).
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from webtongue.errors import UnreadableFile

__all__ = [
    "DATA",
    "MODELS",
    "error_text",
    "map_model",
    "open_regular_file",
    "pack",
    "read_queries",
    "read_rows",
    "unpack",
    "walk_files",
]

PACKAGE = Path(__file__).parent
DATA = PACKAGE / "data"
MODELS = PACKAGE / "models"

HEADER = struct.Struct("<8sIIQQ")  # magic, version, number of sections, size, checksum
SECTION = struct.Struct("<QQ")  # offset and length of a section
ALIGN_BYTES = 64
DAMAGED = "checksum does not match, the file is damaged"

KINDS = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
# Non-blocking, so that opening a pipe instead of a file does not hang the process.
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def map_model(path: Path) -> mmap.mmap:
    """Return the bytes of a model file at an aligned address.

    Shipped models are mapped, so that processes share them: an installed file is replaced as a whole, never truncated. Any other
    file is read, since a mapped file that shrinks would end the process. Raise ValueError if its checksum does not match.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise ValueError("not a file")  # a device would be read without end
    with path.open("rb") as file:
        if path.is_relative_to(MODELS.resolve()):
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        raw = file.read()
    _verify_checksum(raw)
    memory = mmap.mmap(-1, max(len(raw), 1))
    memory[: len(raw)] = raw
    return memory


def read_rows(name: str | Path) -> list[list[str]]:
    """Return the tab-separated rows of a shipped table, or of the table at a path, without comments and empty lines."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def read_queries(path: Path) -> dict[str, str]:
    """Return the queries of an SQL file, by the names in its lines ``-- name: ...``."""
    parts = path.read_text("utf-8").split("-- name: ")[1:]
    return {name.strip(): query.strip() for name, _, query in (part.partition("\n") for part in parts)}


def pack(magic: bytes, version: int, parts: dict[str, bytes]) -> bytes:
    """Return the bytes of a container with these sections, in their order."""
    body = bytearray()
    start = _body_start(len(parts))
    directory = []
    for part in parts.values():
        body += bytes(-len(body) % ALIGN_BYTES)
        directory.append((start + len(body), len(part)))
        body += part
    head = HEADER.pack(magic, version, len(parts), start + len(body), _checksum(body))
    head += b"".join(SECTION.pack(*section) for section in directory)
    return head + bytes(start - len(head)) + bytes(body)


def unpack(path: Path, magic: bytes, version: int, names: tuple[str, ...]) -> dict[str, bytes]:
    """Return the sections of a container by name. Raise ValueError if it is damaged or has another format."""
    raw = path.read_bytes()
    start = _body_start(len(names))
    if len(raw) < start or raw[:8] != magic:
        raise ValueError(f"{path}: not a webtongue model of this kind")
    _, file_version, count, size, checksum = HEADER.unpack_from(raw)
    if file_version != version or count != len(names) or size != len(raw):
        raise ValueError(
            f"{path}: version {file_version}, {len(raw)} bytes of {size}: written by another release, or cut"
        )
    if _checksum(raw[start:]) != checksum:
        raise ValueError(f"{path}: {DAMAGED}")
    sections = list(SECTION.iter_unpack(raw[HEADER.size : HEADER.size + SECTION.size * count]))
    if any(offset + length > len(raw) for offset, length in sections):
        raise ValueError(f"{path}: a section lies outside the file")
    return {name: raw[offset : offset + length] for name, (offset, length) in zip(names, sections, strict=True)}


def _verify_checksum(raw: bytes) -> None:
    """Raise ValueError if the checksum of a container does not match; the kernel checks everything else."""
    if len(raw) < HEADER.size:
        raise ValueError("it is not a webtongue model")
    _, _, count, size, checksum = HEADER.unpack_from(raw)
    if size == len(raw) and _checksum(memoryview(raw)[_body_start(count) :]) != checksum:
        raise ValueError(DAMAGED)


def _body_start(sections: int) -> int:
    return -(-(HEADER.size + SECTION.size * sections) // ALIGN_BYTES) * ALIGN_BYTES


def _checksum(body: bytes | bytearray | memoryview) -> int:
    return int.from_bytes(hashlib.blake2b(body, digest_size=8).digest(), "little")


def open_regular_file(path: str) -> BinaryIO:
    """Return an open file at a caller's path. Raise UnreadableFile for devices and pipes, which may never end.

    The type is checked before opening, since opening a device can have side effects, and again after.
    """
    _check_regular(os.stat(path).st_mode)
    file = open(os.open(path, OPEN_FLAGS), "rb")  # noqa: SIM115
    try:
        _check_regular(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def _check_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for is_kind, name in KINDS if is_kind(mode)), "a device")
        raise UnreadableFile(f"{kind}, not a file")


def error_text(error: Exception) -> str:
    """Return why something could not be read or written, without the file's name."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def walk_files(
    folder: str, skip_folder: Callable[[str, Sequence[str]], bool] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield every file below a folder, sorted by name, and every unreadable folder with the reason.

    Links to files are followed; links to folders are not, since they may form a cycle. ``skip_folder`` is called with the path of
    every folder below the first and the names in it.
    """
    pending = [("", True)]
    while pending:
        path, is_folder = pending.pop()
        if not is_folder:
            yield path, ""
            continue
        full_path = os.path.join(folder, path)
        try:
            with os.scandir(full_path) as entries:
                children = sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries if not _is_folder_link(entry)
                )
        except OSError as error:
            yield os.path.join(path, ""), error_text(error)
            continue
        if path and skip_folder is not None and skip_folder(full_path, [name for name, _ in children]):
            continue
        pending += [(os.path.join(path, name), is_dir) for name, is_dir in reversed(children)]


def _is_folder_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False
