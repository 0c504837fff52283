"""Lines of JSON from files that may be anything: bounded, and what is no object is a row with a reason."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from webtongue.census.read.unpack import Unpacked

__all__ = ["Line", "lines"]

PIECE = 1 << 18  # bytes read at a time
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """An object of JSON and where it stands; ``trouble`` says why it cannot be used."""

    offset: int  # of its first byte, in the file once that is unpacked
    keys: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""


def lines(held: Unpacked, longest: int) -> Iterator[Line]:
    """Every line that is not empty. One that is longer than may be is passed over."""
    at, seen, passed, too_long = 0, 0, 0, False
    while True:
        end = held.data.find(b"\n", seen)
        if end < 0 and len(held.data) > longest:
            too_long = True
            passed += len(held.data)
            held.drop(len(held.data))
        if end < 0:
            seen = len(held.data)
            if held.have(seen + 1):
                continue
            end = len(held.data) - 1
            if end < 0 and not too_long:
                return
        if too_long:
            yield Line(at, trouble=f"a line of more than {longest >> 20:,} MB")
        elif line := held.copied(0, end + 1).removeprefix(BOM if not at else b"").strip():
            yield _line(at, line)
        at, seen, passed, too_long = at + passed + end + 1, 0, 0, False
        held.drop(end + 1)


def _line(offset: int, line: bytes) -> Line:
    try:
        found = json.loads(line, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        return Line(offset, trouble="no JSON that can be read: nested too deeply")
    except ValueError as error:
        return Line(offset, trouble=f"no JSON: {str(error)[:100]}")
    if not isinstance(found, dict):
        return Line(offset, trouble="no object of JSON")
    return Line(offset, found)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("too large a number")
    return value
