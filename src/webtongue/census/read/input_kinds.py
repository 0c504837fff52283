"""Detect the kind of an input by its file name, or by its first bytes if the name does not tell."""

from __future__ import annotations

from typing import BinaryIO

from webtongue.census.read.arc import ARC
from webtongue.census.read.decompress import Compression, DecompressedBuffer, detect_compression
from webtongue.census.read.members import find_member
from webtongue.census.read.warc import WARC

__all__ = ["PATH_LIST", "find_compression", "kind_of_bytes", "kind_of_name", "read_start"]

PATH_LIST = "list"  # a list of paths, which is no source itself
COMPRESSED_SUFFIXES = (".gz", ".zst")
SUFFIXES = {
    "warc": (".warc", ".wet", ".wat"),
    "arc": (".arc",),
    "jsonl": (".jsonl", ".ndjson"),
    PATH_LIST: (".paths", ".txt", ".lst"),
}
UNCOMPRESSED_SUFFIXES = {
    "wacz": (".wacz",),
    "parquet": (".parquet", ".pq"),
    "page": (".html", ".htm", ".xhtml", ".shtml", ".xht"),
}
START_BYTES = 1 << 14  # decompressed bytes that decide
MAGIC_BYTES = 16  # bytes of a file that show its compression


def kind_of_name(name: str) -> str:
    """Return the kind of a file by its name, empty if the name does not tell.

    >>> kind_of_name("CC-MAIN-1.warc.wet.gz"), kind_of_name("warc.paths.gz"), kind_of_name("a.parquet"), kind_of_name("a.gz")
    ('warc', 'list', 'parquet', '')
    """
    name = name.lower()
    for kind, suffixes in UNCOMPRESSED_SUFFIXES.items():
        if name.endswith(suffixes):
            return kind
    for suffix in COMPRESSED_SUFFIXES:
        name = name.removesuffix(suffix)
    return next((kind for kind, suffixes in SUFFIXES.items() if name.endswith(suffixes)), "")


def kind_of_bytes(start: bytes) -> str:
    """Return the kind of a file by its first decompressed bytes, empty if they may be anything.

    >>> kind_of_bytes(b"WARC/1.0"), kind_of_bytes(b'{"url": "https://example.org/"}'), kind_of_bytes(b"<!doctype html>")
    ('warc', 'jsonl', '')
    """
    if start.startswith((b"WARC/", b"warc/")):
        return "warc"
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\x03\x04"):
        return "wacz"
    if ARC.starts_record(start, 0):
        return "arc"
    return "jsonl" if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else ""


def read_start(file: BinaryIO) -> tuple[Compression, bytes]:
    """Return the compression of a file and its first decompressed bytes, and rewind the file."""
    compression = detect_compression(file.read(MAGIC_BYTES))
    buffer = DecompressedBuffer(file, compression)
    buffer.fill(START_BYTES)
    file.seek(0)
    return compression, bytes(buffer.data[:START_BYTES])


def find_compression(file: BinaryIO, compression: Compression, start: bytes) -> Compression:
    """Return the compression of an archive whose first bytes are damaged: that of the first record in it."""
    is_archive = any(known.find_record(start, 0, len(start)) >= 0 for known in (WARC, ARC))
    if compression is not Compression.PLAIN or is_archive:
        return compression
    for other in (Compression.GZIP, Compression.ZSTD):
        if find_member(file, other, 0, lambda data: WARC.starts_record(data, 0) or ARC.starts_record(data, 0)) >= 0:
            return other
    return compression
