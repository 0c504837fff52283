"""Two censuses beside each other: which languages grew, came and went, and what of that is more than chance.

Hosts are what was sampled, and many hosts are in both censuses; a host that keeps its languages changes nothing. So the
variance of a change is that of a difference of two ratios over the hosts of both together, the covariance of a host with
itself included, by the jackknife, which leaves out one host after the other. A change is tested by Student's t with as many
degrees of freedom as equal hosts would weigh as much as those that have the language (Kish 1965), less one, and of all
languages tested those stand that Benjamini and Hochberg's (1995) rule leaves. Where a few hosts hold most pages, intervals
without the jackknife and Kish's count would cover 72 to 90% in place of 92 to 99% (bench/tables.py changes).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census import store
from webtongue.census.chance import beyond_chance, student_factor, student_tails
from webtongue.census.dialect import translated

__all__ = ["Change", "Comparison", "compare"]

FILE = Path(__file__).with_name("compare.sql")
Span = tuple[float | None, float | None, float | None]  # a ratio and the ends of its interval
RATE = 0.05  # of the changes that are called more than chance, those that are not


@dataclass(frozen=True, slots=True)
class Change:
    """A language in two censuses. Ratios are of the second to the first, with 95% intervals; None where it is in one of
    them only."""

    label: str
    language: str
    name: str
    tier: int
    pages_a: int
    pages_b: int
    share_a: float
    share_b: float
    growth: float | None  # of pages
    growth_low: float | None
    growth_high: float | None
    share_growth: float | None
    low: float | None
    high: float | None
    hosts: int  # that have it in either
    chance: float  # of so large a change of its share if nothing had changed
    beyond_chance: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As a row."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All languages of both, those with most pages first."""

    pages_a: int
    pages_b: int
    hosts: int
    hosts_of_both: int
    changes: tuple[Change, ...]

    @property
    def growing(self) -> tuple[Change, ...]:
        """Whose share grew beyond chance, the fastest first; newcomers are apart."""
        found = [one for one in self._sure if one.share_growth is not None and one.share_growth > 1]
        return tuple(sorted(found, key=lambda one: (-(one.share_growth or 0), one.label)))

    @property
    def shrinking(self) -> tuple[Change, ...]:
        """Whose share shrank beyond chance, the fastest first."""
        found = [one for one in self._sure if one.share_growth is not None and one.share_growth < 1]
        return tuple(sorted(found, key=lambda one: (one.share_growth or 0, one.label)))

    @property
    def newcomers(self) -> tuple[Change, ...]:
        """In the second only."""
        return tuple(one for one in self.changes if not one.pages_a)

    @property
    def leavers(self) -> tuple[Change, ...]:
        """In the first only."""
        return tuple(one for one in self.changes if not one.pages_b)

    @property
    def _sure(self) -> list[Change]:
        return [one for one in self.changes if one.beyond_chance]


def compare(first: Path, second: Path, rate: float = RATE) -> Comparison:
    """What changed from one census to the other."""
    places = [store.census_folder(first), store.census_folder(second)]
    connection = store.connect(places[0])
    try:
        for suffix, place in zip(("_a", "_b"), places, strict=True):
            store.add_rows(connection, place, suffix)
        store.close(connection, *places)
        return _compared(connection, rate)
    except store.duck().Error as error:
        raise store.refused(error) from None
    finally:
        connection.close()


def _compared(connection: Any, rate: float) -> Comparison:
    for census in ("a", "b"):
        query = _queries()["pages"].replace("{census}", census)
        connection.execute(f"CREATE TEMP TABLE pages_{census} AS {query}")
    connection.execute(f"CREATE TEMP TABLE hosts AS {_queries()['hosts']}")
    whole = _records(connection, "whole")[0]
    changes = [_change(row, whole) for row in _records(connection, "labels")]
    believed = beyond_chance([one.chance for one in changes], rate)
    changes = [replace(one, beyond_chance=sure) for one, sure in zip(changes, believed, strict=True)]
    changes.sort(key=lambda one: (-max(one.share_a, one.share_b), one.label))
    pages_a, pages_b, hosts, of_both = (
        int(whole[name] or 0) for name in ("pages_a", "pages_b", "hosts", "hosts_of_both")
    )
    return Comparison(pages_a, pages_b, hosts, of_both, tuple(changes))


def _change(row: Mapping[str, Any], whole: Mapping[str, Any]) -> Change:
    pages = row["pages_a"], row["pages_b"]
    of_all = whole["pages_a"], whole["pages_b"]
    a, b = (count / total if total else 0.0 for count, total in zip(pages, of_all, strict=True))
    # Sums over hosts of what each has beyond its share, squared, and of one census times the other.
    aa = row["aa"] - 2 * a * row["ama"] + a * a * whole["aa"]
    bb = row["bb"] - 2 * b * row["bmb"] + b * b * whole["bb"]
    ab = row["ab"] - b * row["amb"] - a * row["bma"] + a * b * whole["ab"]
    few = whole["hosts"] / max(whole["hosts"] - 1, 1)
    degrees = max(sum(pages) ** 2 / row["squares"] - 1, 1)
    chance = 1.0
    if all(of_all):
        error = _root(few * (aa / of_all[0] ** 2 + bb / of_all[1] ** 2 - 2 * ab / (of_all[0] * of_all[1])))
        distance = abs(b - a)
        chance = student_tails(distance / error, degrees) if error else float(distance == 0)
    shares: Span = (None, None, None)
    counts: Span = (None, None, None)
    if all(pages):
        factor = student_factor(degrees)
        varied = few * (aa / pages[0] ** 2 + bb / pages[1] ** 2 - 2 * ab / (pages[0] * pages[1]))
        shares = _spread(b / a, factor * _root(varied))
        varied = few * (row["aa"] / pages[0] ** 2 + row["bb"] / pages[1] ** 2 - 2 * row["ab"] / (pages[0] * pages[1]))
        counts = _spread(pages[1] / pages[0], factor * _root(varied))
    label = row["label"]
    known = labels.parse(label) is not None
    tag, name = (labels.bcp47(label), labels.name(label)) if known else (label, label)
    return Change(
        label,
        tag,
        name,
        int(row["tier"]),
        int(pages[0]),
        int(pages[1]),
        a,
        b,
        *counts,
        *shares,
        int(row["hosts"]),
        chance,
    )


def _spread(ratio: float, wide: float) -> tuple[float, float, float]:
    """A ratio and the ends of its interval, which is even in logarithms."""
    wide = min(wide, 500.0)  # e to it is a number yet
    return ratio, ratio * math.exp(-wide), ratio * math.exp(wide)


def _root(variance: float) -> float:
    """Of what can fall below 0 by rounding; what is left of equal sums by rounding is 0, too."""
    return math.sqrt(variance) if variance > 1e-18 else 0.0


def _records(connection: Any, name: str) -> list[dict[str, Any]]:
    answer = connection.execute(_queries()[name])
    columns = [column[0] for column in answer.description]
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


@cache
def _queries() -> dict[str, str]:
    parts = FILE.read_text("utf-8").split("-- name: ")[1:]
    return {name.strip(): translated(text) for name, _, text in (part.partition("\n") for part in parts)}
