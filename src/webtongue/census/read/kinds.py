"""What kind of input a file is: by its name, and where that says nothing by how it begins."""

from __future__ import annotations

from typing import BinaryIO

from webtongue.census.read.arc import ARC
from webtongue.census.read.members import next_member
from webtongue.census.read.unpack import Packing, Unpacked, packing_of
from webtongue.census.read.warc import WARC

__all__ = ["LIST", "OPENING", "kind_of_bytes", "kind_of_name", "opening", "packing_inside"]

LIST = "list"  # of paths: no source itself
PACKED = (".gz", ".zst")
ENDINGS = {
    "warc": (".warc", ".wet", ".wat"),
    "arc": (".arc",),
    "jsonl": (".jsonl", ".ndjson"),
    LIST: (".paths", ".txt", ".lst"),
}
PLAIN_ENDINGS = {
    "wacz": (".wacz",),
    "parquet": (".parquet", ".pq"),
    "page": (".html", ".htm", ".xhtml", ".shtml", ".xht"),
}
OPENING = 1 << 14  # unpacked bytes that are looked at
HEAD = 16  # bytes of a file that say how it is packed


def kind_of_name(name: str) -> str:
    """The kind of a file by its name, empty where that says nothing.

    >>> kind_of_name("CC-MAIN-1.warc.wet.gz"), kind_of_name("warc.paths.gz"), kind_of_name("a.parquet"), kind_of_name("a.gz")
    ('warc', 'list', 'parquet', '')
    """
    name = name.lower()
    for kind, endings in PLAIN_ENDINGS.items():
        if name.endswith(endings):
            return kind
    for packed in PACKED:
        name = name.removesuffix(packed)
    return next((kind for kind, endings in ENDINGS.items() if name.endswith(endings)), "")


def kind_of_bytes(head: bytes) -> str:
    """The kind of a file by its first bytes, unpacked; empty where they may be anything.

    >>> kind_of_bytes(b"WARC/1.0"), kind_of_bytes(b'{"url": "https://example.org/"}'), kind_of_bytes(b"<!doctype html>")
    ('warc', 'jsonl', '')
    """
    if head.startswith((b"WARC/", b"warc/")):
        return "warc"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        return "wacz"
    if ARC.begins(head, 0):
        return "arc"
    return "jsonl" if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else ""


def opening(file: BinaryIO) -> tuple[Packing, bytes]:
    """How a file is packed, and what it begins with once it is unpacked; it is left at its beginning."""
    packing = packing_of(file.read(HEAD))
    held = Unpacked(file, packing)
    held.have(OPENING)
    file.seek(0)
    return packing, bytes(held.data[:OPENING])


def packing_inside(file: BinaryIO, packing: Packing, head: bytes) -> Packing:
    """How an archive is packed whose first bytes are damaged: as the first record that is found in it."""
    if packing is not Packing.PLAIN or WARC.find(head, 0, len(head)) >= 0 or ARC.find(head, 0, len(head)) >= 0:
        return packing
    for other in (Packing.GZIP, Packing.ZSTD):
        if next_member(file, other, 0, lambda begin: WARC.begins(begin, 0) or ARC.begins(begin, 0)) >= 0:
            return other
    return packing
