"""``index.jsonl``: a line of JSON for each page of a folder, with its address, its headers and whatever else is known of it.

{"file": "a.html", "url": "https://example.org/a", "headers": {"Content-Type": "text/html"}, "ip": "192.0.2.7", "country": "IS",
 "inlinks": [{"url": "https://example.is/", "language": "is", "anchor": "..."}], "host": {"isl": 40, "eng": 2}}
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn

from webtongue.page import Inlink, inlinks_of

__all__ = ["INDEX", "Row", "lines", "rows"]

INDEX = "index.jsonl"
LONGEST_LINE = 1 << 24  # bytes; a longer line is not read, so that no file can fill the memory
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """What a line says of a page: its file, and all it says; or ``trouble``, why that cannot be used."""

    number: int
    file: str = ""
    keys: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""

    @property
    def url(self) -> str | None:
        """The address of the page."""
        return self.keys.get("url") or None

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers it was served with."""
        return self.keys.get("headers") or {}

    @property
    def ip(self) -> str | None:
        """The address of its server."""
        return self.keys.get("ip") or None

    @property
    def country(self) -> str | None:
        """The country of its server, a code."""
        return self.keys.get("country") or None

    @property
    def inlinks(self) -> tuple[Inlink, ...]:
        """Links to it; what is none in the list is left out."""
        return inlinks_of(self.keys.get("inlinks") or ())

    @property
    def host(self) -> Mapping[str, float] | None:
        """How many other pages of its host are in each language."""
        return self.keys.get("host") or None


def rows(file: BinaryIO) -> Iterator[Row]:
    """Every line that is not empty, in its order, as it is read."""
    for number, line in enumerate(lines(file), 1):
        if line is None:
            yield Row(number, trouble=f"longer than {LONGEST_LINE >> 20} MB")
        elif stripped := (line.removeprefix(BOM) if number == 1 else line).strip():
            yield _row(number, stripped)


def lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file, None for one that is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield None


def _row(number: int, line: bytes) -> Row:
    try:
        found = json.loads(line, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        return Row(number, trouble="not JSON that can be read: nested too deeply")
    except ValueError as error:
        return Row(number, trouble=f"not JSON: {error}")
    if not isinstance(found, dict):
        return Row(number, trouble=f"not an object but {_kind(found)}")
    file = found.get("file") if found.get("file") is not None else found.get("path")
    if not isinstance(file, str) or not file:
        return Row(number, keys=found, trouble="no file is named")
    return Row(number, file, found, _wrong(found))


def _wrong(found: dict[str, Any]) -> str:
    for key in ("url", "ip", "country"):
        if not isinstance(found.get(key), str | None):
            return f"{key} is {_kind(found[key])}, not a string"
    headers = found.get("headers")
    if not isinstance(headers, dict | None):
        return f"headers are {_kind(headers)}, not an object"
    if not isinstance(found.get("inlinks"), list | None):
        return f"inlinks are {_kind(found['inlinks'])}, not a list"
    if not isinstance(found.get("host"), dict | None):
        return f"host is {_kind(found['host'])}, not an object of languages and numbers of pages"
    return ""


def _kind(value: Any) -> str:
    names = {bool: "a boolean", dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), "a number")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large a number")
    return value
