"""Countries on a map: their shapes, the classes that they are shaded by, and which codes are countries."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from webtongue.files import DATA, read_rows

__all__ = [
    "SHARE_BOUNDS",
    "UNKNOWN_COUNTRY",
    "choose_bounds",
    "country_names",
    "is_country",
    "mapped_countries",
    "read_world",
]

UNKNOWN_COUNTRY = "Unknown country"
# Lower bounds of the classes of shares.
SHARE_BOUNDS = (0.000001, 0.01, 0.05, 0.1, 0.25, 0.5)
# Lower bounds of six classes of counts, for censuses of all sizes. For larger counts, the last one is multiplied by ten.
COUNT_BOUNDS = (
    (1, 2, 3, 4, 5, 6),
    (1, 2, 4, 8, 16, 32),
    (1, 3, 10, 30, 100, 300),
    (1, 5, 20, 100, 500, 2000),
    (1, 10, 100, 1000, 10_000, 100_000),
)


@cache
def read_world() -> dict[str, Any]:
    """Return the TopoJSON of countries by two-letter code, with ``points`` for small states (tools/tables/make_world.py)."""
    world: dict[str, Any] = json.loads((DATA / "world.json").read_text("ascii"))
    return world


def mapped_countries() -> frozenset[str]:
    """Return the codes that have a shape or a point."""
    shapes = (shape["id"] for shape in read_world()["objects"]["countries"]["geometries"])
    return frozenset([*shapes, *read_world()["points"]])


@cache
def country_names() -> dict[str, str]:
    """Return the English names of the countries on the map."""
    return {code: name for code, name in read_rows("country_names.tsv") if code in mapped_countries()}


def is_country(code: object) -> bool:
    """Return True for a two-letter code other than ZZ, which stands for an unknown country."""
    return isinstance(code, str) and len(code) == 2 and code.isalpha() and code.upper() != "ZZ"


def choose_bounds(counts: Iterable[int]) -> list[int]:
    """Return the lower bounds of six classes: the widest steps that leave something in the last class (Cai 2009, figure 5-3).

    >>> choose_bounds([40]), choose_bounds([700]), choose_bounds([11_854_755])
    ([1, 2, 4, 8, 16, 32], [1, 3, 10, 30, 100, 300], [1, 1000, 10000, 100000, 1000000, 10000000])
    """
    largest = max(counts, default=0)
    bounds: tuple[int, ...] = max((steps for steps in COUNT_BOUNDS if steps[-1] <= largest), default=COUNT_BOUNDS[0])
    while bounds[-1] * 10 <= largest and bounds[-1] >= COUNT_BOUNDS[-1][-1]:
        bounds = (1, *(10 * bound for bound in bounds[1:]))
    return list(bounds)
