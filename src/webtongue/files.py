"""Where data and models are, how they are mapped, and the container that model files are written in.

A container is magic, version, size, checksum, a directory, then sections aligned for mapping; little-endian, no pickle.
The kernel reads what this writes (native/base/container.hpp).
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from pathlib import Path

__all__ = ["DATA", "MODELS", "contents", "pack", "queries", "rows", "unpack"]

PACKAGE = Path(__file__).parent
DATA = PACKAGE / "data"
MODELS = PACKAGE / "models"

HEADER = struct.Struct("<8sIIQQ")
PLACE = struct.Struct("<QQ")
ALIGN = 64
DAMAGED = "checksum does not match, the file is damaged"


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
