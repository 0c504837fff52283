"""Count languages, countries, encodings and servers in a series of censuses, with the same intervals over hosts as the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from webtongue.census import store
from webtongue.census.dialect import translate
from webtongue.census.folder import census_folder, read_about, refuse_estimate
from webtongue.errors import UsageError
from webtongue.files import read_queries

__all__ = ["KINDS", "CountedCensus", "Share", "count_census", "find_differences"]

FILE = Path(__file__).with_name("series.sql")
CUBES = Path(__file__).parent / "tables" / "cubes"
KINDS = ("languages", "countries", "encodings", "servers")
# Settings of census.json that change what is counted: shares of censuses that differ in one are not comparable as they are.
METHOD_KEYS = {
    "method": "the method",
    "languages": "the allowed languages",
    "evidence": "the evidence",
    "priors": "the priors",
    "second_pass": "the second pass",
    "sample": "the share of captures that was read",
}
DEFAULTS = {"priors": "web", "second_pass": True, "sample": 1.0}  # settings of censuses that do not record them


@dataclass(frozen=True, slots=True)
class Share:
    """A label in one census: its pages or servers, its share, and the 95% interval of the share."""

    pages: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CountedCensus:
    """One census of a series. ``shares`` are by kind and label; ``days`` are those of the first and last capture, or empty."""

    name: str
    days: tuple[str, str]
    about: dict[str, Any]
    shares: dict[str, dict[str, Share]]

    def total(self, kind: str) -> int:
        """Return the number of all pages or servers."""
        return sum(share.pages for share in self.shares[kind].values())


def count_census(out: Path) -> CountedCensus:
    """Return the counts of the census in a folder, named by its crawl or else by its folder."""
    folder = census_folder(out)
    refuse_estimate(folder, "its intervals are those of a sample, which a series of counts by host ignores")
    try:
        about = read_about(folder)
    except ValueError:
        raise UsageError(f"{folder / 'census.json'} is damaged: run the census again with --resume") from None
    connection = store.connect(folder)
    try:
        store.create_row_views(connection, folder)
        shares = {kind: _count(connection, kind) for kind in KINDS}
        times = connection.execute("SELECT min(fetch_time), max(fetch_time) FROM captures").fetchone()
    except store.import_duckdb().Error as error:
        raise store.query_error(error) from None
    finally:
        connection.close()
    first, last = (str(time.date()) if time else "" for time in times)
    config = about.get("config")
    crawl = config.get("crawl") if isinstance(config, dict) else ""
    return CountedCensus(str(crawl or folder.resolve().name), (first, last), about, shares)


def find_differences(censuses: Sequence[CountedCensus]) -> list[str]:
    """Return in what the censuses differ that changes the counts: the model, the method and the like."""
    configs = [about if isinstance(about := census.about.get("config"), dict) else {} for census in censuses]
    different = [
        words
        for key, words in METHOD_KEYS.items()
        if len({repr(config.get(key, DEFAULTS.get(key)) or None) for config in configs}) > 1
    ]
    if len({repr(census.about.get("model")) for census in censuses}) > 1:
        different.insert(0, "the model")
    return different


def _count(connection: Any, kind: str) -> dict[str, Share]:
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE host_labels AS SELECT *, host AS domain FROM ({_queries()[kind]})"
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE hosts AS {_queries()['hosts']}")
    rows = connection.execute(f"SELECT label, pages, share, low, high FROM ({_queries()['shares']})").fetchall()
    return {label: Share(*values) for label, *values in rows}


@cache
def _queries() -> dict[str, str]:
    cubes = {name: (CUBES / f"{name}.sql").read_text("utf-8") for name in ("hosts", "shares")}
    return {name: translate(query) for name, query in (read_queries(FILE) | cubes).items()}
