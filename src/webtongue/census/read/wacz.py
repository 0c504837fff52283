"""WACZ files: ZIP files with archives, whose indexes and page lists are not needed here. Nothing is extracted to disk."""

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
from webtongue.census.read.captures import unreadable_capture
from webtongue.census.read.input_kinds import kind_of_name
from webtongue.errors import UnreadableFile
from webtongue.files import error_text

__all__ = ["read_wacz"]

ARCHIVE_FOLDER = "archive/"
ARCHIVE_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
MAX_DIRECTORY_BYTES = 1 << 24  # a directory of 200,000 files, for which Python needs ten times as much memory
END, END_MAGIC = struct.Struct("<4s4H2LH"), b"PK\x05\x06"
END_64, LOCATOR_64 = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
MAX_COMMENT_BYTES = 1 << 16
ZIP_ERRORS = (
    OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError, struct.error,
)  # fmt: skip


def read_wacz(file: BinaryIO, filename: str, config: Config) -> Iterator[Capture]:
    """Read the captures of all archives in a WACZ file, in the order of the ZIP directory. Offsets are those within an archive."""
    from webtongue.census.read import read_archive

    try:
        _check_directory(file)
        wacz = zipfile.ZipFile(file)
        names = [
            name
            for name in wacz.namelist()
            if name.startswith(ARCHIVE_FOLDER) and name.lower().endswith(ARCHIVE_SUFFIXES)
        ]
    except ZIP_ERRORS as error:
        yield unreadable_capture(filename, f"not a readable ZIP file ({error_text(error)})")
        return
    for name in names:
        archive_name = f"{filename}/{name}"
        try:
            with wacz.open(name) as archive:
                source = Source(archive_name, kind_of_name(name))
                yield from read_archive(cast(BinaryIO, archive), archive_name, config, source)
        except ZIP_ERRORS as error:
            yield unreadable_capture(archive_name, error_text(error))


def _check_directory(file: BinaryIO) -> None:
    """Raise UnreadableFile for a directory that would fill the memory: Python reads it as a whole."""
    size = file.seek(0, SEEK_END)
    start = max(size - MAX_COMMENT_BYTES - END.size, 0)
    file.seek(start)
    tail = file.read()
    position = tail.rfind(END_MAGIC)
    if position < 0 or len(tail) - position < END.size:
        raise UnreadableFile("it has no end-of-directory record")
    directory_bytes = END.unpack_from(tail, position)[5]
    if directory_bytes == 0xFFFFFFFF and start + position >= LOCATOR_64.size:
        file.seek(start + position - LOCATOR_64.size)
        file.seek(LOCATOR_64.unpack(file.read(LOCATOR_64.size))[2])
        directory_bytes = END_64.unpack(file.read(END_64.size))[8]
    if directory_bytes > MAX_DIRECTORY_BYTES:
        raise UnreadableFile(f"its directory has {directory_bytes:,} bytes")
