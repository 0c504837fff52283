"""Compare two censuses: which languages grew, shrank, appeared or disappeared, and which changes are significant.

The same comparison is made of the countries of servers and pages, and of languages within countries: the growth of servers and the
trend of the geography that Cai (2009, section 6.2.2) proposes to study.

Hosts, not pages, are the sampled units, and many hosts are in both censuses. The variance of a change is that of a difference of
two ratios over the hosts of both, including the covariance of a host with itself, by the jackknife, which leaves out one host at a
time. A change is tested by Student's t. Its degrees of freedom are the effective number of hosts that have the language (Kish
1965), less one. Benjamini and Hochberg's (1995) procedure selects the significant languages. If a few hosts have most pages,
intervals without the jackknife and Kish's number would cover 72 to 90% instead of 92 to 99% (bench/tables.py changes).
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
from webtongue.census.comparable import check_comparable
from webtongue.census.dialect import translate
from webtongue.census.entities import UNKNOWN_COUNTRY
from webtongue.census.folder import census_folder, refuse_estimate
from webtongue.census.statistics import beyond_chance, student_factor, student_tails
from webtongue.errors import UsageError
from webtongue.files import read_queries, read_rows

__all__ = ["KINDS", "Change", "Comparison", "compare"]

FILE = Path(__file__).with_name("compare.sql")
Interval = tuple[float | None, float | None, float | None]  # a ratio and the ends of its interval
FALSE_DISCOVERY_RATE = 0.05
# What can be compared, each a query of compare.sql: pages by language, by country of the server, by both, and servers by country.
KINDS = ("languages", "countries", "places", "servers")
COUNTED = ("pages", "languages", "hosts", "servers")  # columns of the view counts


@dataclass(frozen=True, slots=True)
class Change:
    """A language in two censuses. Ratios are of the second to the first, with 95% intervals; None if it is in only one of them.

    In other comparisons than that of languages, ``label`` is a country, or a country and a language ("IS isl_Latn"). In that of
    servers, pages and hosts are servers.
    """

    label: str
    language: str
    name: str
    tier: int
    pages_a: int
    pages_b: int
    share_a: float
    share_b: float
    growth: float | None  # growth of the number of pages
    growth_low: float | None
    growth_high: float | None
    share_growth: float | None
    low: float | None
    high: float | None
    hosts: int  # with the language in either census
    chance: float  # p-value of the change of its share
    beyond_chance: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the change as a row."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All labels of two censuses, those with the largest shares first, or what else was compared.

    Languages, hosts and servers are counted as by the view ``counts`` of each census.
    """

    pages_a: int
    pages_b: int
    languages_a: int
    languages_b: int
    hosts_a: int
    hosts_b: int
    hosts_of_both: int
    servers_a: int
    servers_b: int
    servers_of_both: int
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()  # differences between the censuses that may look like changes of the web

    @property
    def growing(self) -> tuple[Change, ...]:
        """Return the languages whose share grew significantly, the fastest first, without newcomers."""
        changes = [c for c in self._significant if c.share_growth is not None and c.share_growth > 1]
        return tuple(sorted(changes, key=lambda change: (-(change.share_growth or 0), change.label)))

    @property
    def shrinking(self) -> tuple[Change, ...]:
        """Return the languages whose share shrank significantly, the fastest first."""
        changes = [c for c in self._significant if c.share_growth is not None and c.share_growth < 1]
        return tuple(sorted(changes, key=lambda change: (change.share_growth or 0, change.label)))

    @property
    def newcomers(self) -> tuple[Change, ...]:
        """Return the languages that are only in the second census."""
        return tuple(change for change in self.changes if not change.pages_a)

    @property
    def leavers(self) -> tuple[Change, ...]:
        """Return the languages that are only in the first census."""
        return tuple(change for change in self.changes if not change.pages_b)

    @property
    def _significant(self) -> list[Change]:
        return [change for change in self.changes if change.beyond_chance]


def compare(first: Path, second: Path, rate: float = FALSE_DISCOVERY_RATE, kind: str = KINDS[0]) -> Comparison:
    """Return the changes from the first census to the second, tested at a false discovery rate of ``rate``.

    ``kind`` is one of KINDS: what is compared.
    """
    if kind not in KINDS:
        raise UsageError(f"what can be compared is {', '.join(KINDS)}, not {kind!r}")
    folders = [census_folder(first), census_folder(second)]
    for folder in folders:
        refuse_estimate(folder, "its intervals are those of a sample, which a comparison of counts by host ignores")
    warnings = check_comparable(folders[0], folders[1], kind)
    connection = store.connect(*folders)
    try:
        for suffix, folder in zip(("_a", "_b"), folders, strict=True):
            store.create_row_views(connection, folder, suffix)
        return replace(_compare(connection, rate, kind), warnings=warnings)
    except store.import_duckdb().Error as error:
        raise store.query_error(error) from None
    finally:
        connection.close()


def _compare(connection: Any, rate: float, kind: str) -> Comparison:
    for census in ("a", "b"):
        query = _queries()[kind].replace("{census}", census)
        connection.execute(f"CREATE TEMP TABLE pages_{census} AS {query}")
    connection.execute(f"CREATE TEMP TABLE hosts AS {_queries()['hosts']}")
    totals = _records(connection, "whole")[0]
    changes = [_change(row, totals, kind) for row in _records(connection, "labels")]
    significant = beyond_chance([change.chance for change in changes], rate)
    changes = [replace(change, beyond_chance=flag) for change, flag in zip(changes, significant, strict=True)]
    changes.sort(key=lambda change: (-max(change.share_a, change.share_b), change.label))
    counts: dict[str, Any] = {"hosts_of_both": totals["hosts_of_both"], **_records(connection, "servers_of_both")[0]}
    for census in ("a", "b"):
        names = [f"{name}_{census}" for name in COUNTED]
        row = connection.execute(f"SELECT {', '.join(COUNTED)} FROM counts_{census}").fetchone()
        counts |= dict(zip(names, row, strict=True))
    return Comparison(**counts, changes=tuple(changes))


def _change(row: Mapping[str, Any], totals: Mapping[str, Any], kind: str) -> Change:
    pages = row["pages_a"], row["pages_b"]
    all_pages = totals["pages_a"], totals["pages_b"]
    a, b = (count / total if total else 0.0 for count, total in zip(pages, all_pages, strict=True))
    # Sums over hosts of squared deviations from the share, and of the product of the deviations in both censuses.
    aa = row["aa"] - 2 * a * row["ama"] + a * a * totals["aa"]
    bb = row["bb"] - 2 * b * row["bmb"] + b * b * totals["bb"]
    ab = row["ab"] - b * row["amb"] - a * row["bma"] + a * b * totals["ab"]
    correction = totals["hosts"] / max(totals["hosts"] - 1, 1)
    degrees = max(sum(pages) ** 2 / row["squares"] - 1, 1)
    chance = 1.0
    if all(all_pages):
        error = _root(
            correction * (aa / all_pages[0] ** 2 + bb / all_pages[1] ** 2 - 2 * ab / (all_pages[0] * all_pages[1]))
        )
        distance = abs(b - a)
        chance = student_tails(distance / error, degrees) if error else float(distance == 0)
    shares: Interval = (None, None, None)
    counts: Interval = (None, None, None)
    if all(pages):
        factor = student_factor(degrees)
        variance = correction * (aa / pages[0] ** 2 + bb / pages[1] ** 2 - 2 * ab / (pages[0] * pages[1]))
        shares = _interval(b / a, factor * _root(variance))
        variance = correction * (
            row["aa"] / pages[0] ** 2 + row["bb"] / pages[1] ** 2 - 2 * row["ab"] / (pages[0] * pages[1])
        )
        counts = _interval(pages[1] / pages[0], factor * _root(variance))
    label = row["label"]
    tag, name = _name_label(label, kind)
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


def _name_label(label: str, kind: str) -> tuple[str, str]:
    """Return the language tag and the name of what is compared; the tag of a country is empty."""
    if kind == "languages":
        is_known = labels.parse(label) is not None
        return (labels.bcp47(label), labels.name(label)) if is_known else (label, label)
    code, _, language = label.partition(" ")
    country = _country_names().get(code, code)
    if not language:
        return "", country
    tag, name = _name_label(language, "languages")
    return tag, f"{name}, {country}"


@cache
def _country_names() -> dict[str, str]:
    return dict(read_rows("country_names.tsv")) | {UNKNOWN_COUNTRY: "Unknown country"}


def _interval(ratio: float, half_width: float) -> tuple[float, float, float]:
    """Return a ratio and the ends of its interval, which is symmetric on a logarithmic scale."""
    half_width = min(half_width, 500.0)  # exp() of larger numbers overflows
    return ratio, ratio * math.exp(-half_width), ratio * math.exp(half_width)


def _root(variance: float) -> float:
    """Return the square root; 0 for a variance that differs from 0 only by rounding errors."""
    return math.sqrt(variance) if variance > 1e-18 else 0.0


def _records(connection: Any, name: str) -> list[dict[str, Any]]:
    cursor = connection.execute(_queries()[name])
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


@cache
def _queries() -> dict[str, str]:
    return {name: translate(query) for name, query in read_queries(FILE).items()}
