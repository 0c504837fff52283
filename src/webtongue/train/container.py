"""The container of model files: magic, version, size, checksum, a directory, then sections aligned for mapping.

Little-endian, no pickle; the kernel maps what this writes (native/model.cpp, native/url_model.cpp).
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

__all__ = ["pack", "unpack"]

HEADER = struct.Struct("<8sIIQQ")
PLACE = struct.Struct("<QQ")
ALIGN = 64


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
        raise ValueError(f"{path}: checksum does not match, the file is damaged")
    places = list(PLACE.iter_unpack(raw[HEADER.size : HEADER.size + PLACE.size * count]))
    if any(at + length > len(raw) for at, length in places):
        raise ValueError(f"{path}: a section lies outside the file")
    return {name: raw[at : at + length] for name, (at, length) in zip(names, places, strict=True)}


def _body_start(sections: int) -> int:
    return -(-(HEADER.size + PLACE.size * sections) // ALIGN) * ALIGN


def _checksum(body: bytes | bytearray) -> int:
    return int.from_bytes(hashlib.blake2b(body, digest_size=8).digest(), "little")
