"""Countries on a map: shapes, the classes they are shaded by, and which of them have a place there at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from webtongue.files import DATA

__all__ = ["SHARES", "bounds", "is_country", "on_map", "world"]

# Where the classes of shares begin: a tenth of a percent is a single site, half is a country's own language.
SHARES = (0.000001, 0.01, 0.05, 0.1, 0.25, 0.5)
# Where six classes of counts begin, for censuses of all sizes; beyond the last, powers of ten go on.
LADDERS = (
    (1, 2, 3, 4, 5, 6),
    (1, 2, 4, 8, 16, 32),
    (1, 3, 10, 30, 100, 300),
    (1, 5, 20, 100, 500, 2000),
    (1, 10, 100, 1000, 10_000, 100_000),
)


@cache
def world() -> dict[str, Any]:
    """TopoJSON of countries by two-letter code, with `points` for small states: tools/tables/make_world.py wrote it."""
    found: dict[str, Any] = json.loads((DATA / "world.json").read_text("ascii"))
    return found


def on_map() -> frozenset[str]:
    """Codes that have a shape or a point."""
    shapes = (shape["id"] for shape in world()["objects"]["countries"]["geometries"])
    return frozenset([*shapes, *world()["points"]])


def is_country(code: object) -> bool:
    """Whether a row is of a country, and not of those whose country is not known."""
    return isinstance(code, str) and len(code) == 2 and code.isalpha() and code.upper() != "ZZ"


def bounds(numbers: Iterable[int]) -> list[int]:
    """Where each of six classes of counts begins: the widest steps at which the last class is not empty (Cai 2009, figure 5-3).

    >>> bounds([40]), bounds([700]), bounds([11_854_755]), bounds([])
    ([1, 2, 4, 8, 16, 32], [1, 3, 10, 30, 100, 300], [1, 1000, 10000, 100000, 1000000, 10000000], [1, 2, 3, 4, 5, 6])
    """
    largest = max(numbers, default=0)
    found: tuple[int, ...] = max((ladder for ladder in LADDERS if ladder[-1] <= largest), default=LADDERS[0])
    while found[-1] * 10 <= largest and found[-1] >= LADDERS[-1][-1]:
        found = (1, *(10 * bound for bound in found[1:]))
    return list(found)
