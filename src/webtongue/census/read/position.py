"""Read one record of an archive by its position, as an index of captures has it: file, offset and length."""

from __future__ import annotations

import io
import re
from typing import Any

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.read import read_archive
from webtongue.census.read.captures import unreadable_capture
from webtongue.census.read.remote_io import is_remote, read_range
from webtongue.files import error_text

__all__ = ["read_record"]


def read_record(filename: Any, offset: Any, length: Any, config: Config, *, is_trusted: bool = False) -> Capture:
    """Return the capture at a position of an archive; ``is_trusted`` if the caller, and not an index, names the archive."""
    name = str(filename or "")
    if not name or not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length < 1:
        return unreadable_capture(name, "the index has no valid position")
    if length > config.max_record_bytes:
        return Capture(filename=name, problem=Problem.TOO_LARGE, detail=f"a record of {length:,} bytes")
    has_own_path = is_trusted or is_remote(name) or name.startswith(("/", "file://"))
    path = name if has_own_path else config.prefix + name
    # The author of an index must not choose which stores or local files are opened.
    if not is_trusted and path == name and _scheme(name) != _scheme(config.prefix):
        return unreadable_capture(name, f"its URL has another scheme than the prefix {config.prefix!r}", offset)
    if config.prefix and path != name and ".." in name.split("/"):
        return unreadable_capture(name, f"its name leads out of the prefix {config.prefix!r}", offset)
    try:
        raw = read_range(path, offset, length, config)
    except (OSError, ValueError) as error:
        return unreadable_capture(name, error_text(error), offset)
    if len(raw) < length:
        return unreadable_capture(
            name, f"the file ends {length - len(raw):,} bytes before the end of the record", offset
        )
    capture = next(read_archive(io.BytesIO(raw), name, config), None)
    return capture or unreadable_capture(name, "there is no response at this position", offset)


def _scheme(path: str) -> str:
    """Return the scheme of a URL, or all schemes of a chained one; empty for a local file."""
    is_local = path.startswith(("/", "file://")) or not is_remote(path)
    return "" if is_local else re.sub(r"://.*?(?=::|$)", "", path)
