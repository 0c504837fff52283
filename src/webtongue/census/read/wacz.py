"""WACZ: archives in a zip file, with indexes and pages that are not needed here. Nothing is unpacked to disk."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from os import SEEK_END
from typing import BinaryIO, cast

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read.captures import unreadable
from webtongue.census.read.kinds import kind_of_name
from webtongue.files import Unreadable, sentence

__all__ = ["captures"]

FOLDER = "archive/"
NAMES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
LARGEST_DIRECTORY = 1 << 24  # bytes of the list of files: 200,000 of them, and Python takes ten times as much
END, END_MAGIC = struct.Struct("<4s4H2LH"), b"PK\x05\x06"
END_64, LOCATOR = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
LONGEST_COMMENT = 1 << 16
BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    struct.error,
)


def captures(file: BinaryIO, filename: str, config: Config) -> Iterator[Capture]:
    """The captures of every archive inside, in the order of the zip file. Offsets are those within an archive."""
    from webtongue.census.read import archived

    try:
        _bounded(file)
        inside = zipfile.ZipFile(file)
        names = [name for name in inside.namelist() if name.startswith(FOLDER) and name.lower().endswith(NAMES)]
    except BROKEN as error:
        yield unreadable(filename, f"no zip file that can be read ({sentence(error)})")
        return
    for name in names:
        inner = f"{filename}/{name}"
        try:
            with inside.open(name) as archive:
                yield from archived(cast(BinaryIO, archive), inner, config, Source(inner, kind_of_name(name)))
        except BROKEN as error:
            yield unreadable(inner, sentence(error))


def _bounded(file: BinaryIO) -> None:
    """Refuse a list of files that would fill the memory: Python reads it as a whole."""
    size = file.seek(0, SEEK_END)
    start = max(size - LONGEST_COMMENT - END.size, 0)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(END_MAGIC)
    if at < 0 or len(tail) - at < END.size:
        raise Unreadable("it has no end")
    directory = END.unpack_from(tail, at)[5]
    if directory == 0xFFFFFFFF and start + at >= LOCATOR.size:
        file.seek(start + at - LOCATOR.size)
        file.seek(LOCATOR.unpack(file.read(LOCATOR.size))[2])
        directory = END_64.unpack(file.read(END_64.size))[8]
    if directory > LARGEST_DIRECTORY:
        raise Unreadable(f"its list of files has {directory:,} bytes")
