"""Where data and models are, how they are mapped, the container that model files are written in, and files that callers name.

A container is magic, version, size, checksum, a directory, then sections aligned for mapping; little-endian, no pickle.
The kernel reads what this writes (native/base/container.hpp).
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = [
    "DATA",
    "MODELS",
    "Unreadable",
    "contents",
    "ordinary",
    "pack",
    "queries",
    "rows",
    "sentence",
    "unpack",
    "walk",
]

PACKAGE = Path(__file__).parent
DATA = PACKAGE / "data"
MODELS = PACKAGE / "models"

HEADER = struct.Struct("<8sIIQQ")
PLACE = struct.Struct("<QQ")
ALIGN = 64
DAMAGED = "checksum does not match, the file is damaged"

KINDS = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
# A pipe that took a file's place is not waited for.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Unreadable(OSError):
    """Something that is there but is not read, and why."""


def contents(path: Path) -> mmap.mmap:
    """A model file's bytes at an aligned address.

    Shipped models are mapped, so that processes share them: an installed file is replaced as a whole, never cut. Any other
    file is read, since a file that shrinks under its map would end the process, and its checksum is proved (ValueError).
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise ValueError("not a file")  # a device would be read without end
    with path.open("rb") as file:
        if path.is_relative_to(MODELS.resolve()):
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        raw = file.read()
    _prove(raw)
    memory = mmap.mmap(-1, max(len(raw), 1))
    memory[: len(raw)] = raw
    return memory


def rows(name: str | Path) -> list[list[str]]:
    """The rows of a shipped table, or of the one at a path, cut at tabs; comments and empty lines are left out."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def queries(path: Path) -> dict[str, str]:
    """The queries of a file of SQL, by the names in its lines ``-- name: ...``."""
    parts = path.read_text("utf-8").split("-- name: ")[1:]
    return {name.strip(): query.strip() for name, _, query in (part.partition("\n") for part in parts)}


def pack(magic: bytes, version: int, parts: dict[str, bytes]) -> bytes:
    """The bytes of a file with these sections, in their order: equal parts give equal bytes."""
    body = bytearray()
    start = _body_start(len(parts))
    directory = []
    for part in parts.values():
        body += bytes(-len(body) % ALIGN)
        directory.append((start + len(body), len(part)))
        body += part
    head = HEADER.pack(magic, version, len(parts), start + len(body), _checksum(body))
    head += b"".join(PLACE.pack(*place) for place in directory)
    return head + bytes(start - len(head)) + bytes(body)


def unpack(path: Path, magic: bytes, version: int, names: tuple[str, ...]) -> dict[str, bytes]:
    """A file's sections by name, its checksum proved; ValueError says what is wrong with it."""
    raw = path.read_bytes()
    start = _body_start(len(names))
    if len(raw) < start or raw[:8] != magic:
        raise ValueError(f"{path}: not a webtongue model of this kind")
    _, found, count, size, checksum = HEADER.unpack_from(raw)
    if found != version or count != len(names) or size != len(raw):
        raise ValueError(f"{path}: version {found}, {len(raw)} bytes of {size}: written by another release, or cut")
    if _checksum(raw[start:]) != checksum:
        raise ValueError(f"{path}: {DAMAGED}")
    places = list(PLACE.iter_unpack(raw[HEADER.size : HEADER.size + PLACE.size * count]))
    if any(at + length > len(raw) for at, length in places):
        raise ValueError(f"{path}: a section lies outside the file")
    return {name: raw[at : at + length] for name, (at, length) in zip(names, places, strict=True)}


def _prove(raw: bytes) -> None:
    """Refuse a file whose sections are not what was written; the kernel says what else may be wrong with it."""
    if len(raw) < HEADER.size:
        raise ValueError("it is not a webtongue model")
    _, _, count, size, checksum = HEADER.unpack_from(raw)
    if size == len(raw) and _checksum(memoryview(raw)[_body_start(count) :]) != checksum:
        raise ValueError(DAMAGED)


def _body_start(sections: int) -> int:
    return -(-(HEADER.size + PLACE.size * sections) // ALIGN) * ALIGN


def _checksum(body: bytes | bytearray | memoryview) -> int:
    return int.from_bytes(hashlib.blake2b(body, digest_size=8).digest(), "little")


def ordinary(path: str) -> BinaryIO:
    """A file that a caller names, opened: a device or a pipe would be read without end, or waited for.

    It is looked at before it is opened, since to open a device may be to act on it, and after.
    """
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
    """Why something could not be read or written, without its name."""
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
