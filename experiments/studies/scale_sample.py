"""What a sample of a crawl says of each language: a web of hosts is made, some of its pages drawn, the census's own query asked.

The interval is that of census/tables/cubes/shares.sql, run as it is. Sizes of hosts and how pure they are, are assumed; shares of
languages are those of data/priors.tsv.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from webtongue.census.dialect import translated
from webtongue.census.tables.queries import cubes_of, query
from webtongue.files import rows

CHUNK = 1_000_000  # hosts made at a time: bounds memory
MEMORY = "4GB"


@dataclass(frozen=True, slots=True)
class Hosts:
    """A web. Everything here is assumed."""

    count: int = 45_000_000
    pages: int = 3_000_000_000
    shape: float = 1.1  # of Pareto's law of their sizes: a few hosts have most pages
    largest: int = 100_000  # times the smallest: crawlers stop somewhere
    pure: float = 0.9  # of a host's pages are in its language, the rest in English


@dataclass(frozen=True, slots=True)
class Interval:
    """Of a language in the sample."""

    label: str
    truth: float
    pages: int
    hosts: int
    low: float
    share: float
    high: float

    @property
    def error(self) -> float:
        """Of the sample's share beside that of all pages."""
        return self.share / self.truth - 1

    @property
    def width(self) -> float:
        """Of half the interval, beside the share."""
        return (self.high - self.low) / 2 / self.share


def languages() -> tuple[list[str], np.ndarray]:
    """Labels and their shares of pages."""
    found = [(name, 10.0 ** float(power)) for name, power in rows("priors.tsv")]
    shares = np.array([share for _, share in found])
    return [name for name, _ in found], shares / shares.sum()


def sizes(hosts: Hosts, count: int, rng: Any) -> np.ndarray:
    """Pages of hosts, with the mean that the web has."""
    top, shape = float(hosts.largest), hosts.shape
    mean = 1 + (1 - top ** (1 - shape)) / (shape - 1)  # of Pareto's law, cut off at the top
    out: np.ndarray = np.minimum(1 + rng.pareto(shape, count), top) * (hosts.pages / hosts.count / mean)
    return out


def sampled(hosts: Hosts, share: float, seed: int = 1) -> list[Interval]:
    """Intervals of every language that the sample has, the commonest first."""
    import duckdb

    names, _ = languages()
    with duckdb.connect(config={"memory_limit": MEMORY, "threads": 2}) as con:
        truth = _draw(con, hosts, share, np.random.default_rng(seed))
        con.execute("CREATE TABLE host_labels AS SELECT host, label, sum(captures) AS captures FROM drawn GROUP BY ALL")
        con.execute("CREATE TABLE hosts AS SELECT host, sum(captures) AS pages FROM host_labels GROUP BY host")
        (formula,) = (cube for cube in cubes_of([query("pages_by_language")]) if cube.name == "shares")
        found = con.execute(
            f"SELECT label, pages, hosts, low, share, high FROM ({translated(formula.text)}) ORDER BY pages DESC"
        ).fetchall()
    return [
        Interval(names[int(label)], float(truth[int(label)]), pages, count, low, middle, high)
        for label, pages, count, low, middle, high in found
    ]


def _draw(con: Any, hosts: Hosts, share: float, rng: Any) -> np.ndarray:
    """Fills the table ``drawn`` with pages of hosts by language; returns the shares of the whole web that it was drawn from."""
    import pyarrow as pa

    names, shares = languages()
    english = names.index("eng")
    own = shares / hosts.pure  # English is on every host, so fewer hosts are its own
    own[english] = max(0.0, (shares[english] - (1 - hosts.pure)) / hosts.pure)
    own /= own.sum()
    whole = np.zeros(len(names))
    con.execute("CREATE TABLE drawn (host UBIGINT, label VARCHAR, captures BIGINT)")
    for begin in range(0, hosts.count, CHUNK):
        count = min(CHUNK, hosts.count - begin)
        expected = sizes(hosts, count, rng)
        main, other = rng.choice(len(names), count, p=own), np.full(count, english)
        for label, pages in ((main, expected * hosts.pure), (other, expected * (1 - hosts.pure))):
            whole += np.bincount(label, pages, len(names))
            found = rng.poisson(pages * share)
            there = np.flatnonzero(found)
            table = pa.table(
                {"host": (there + begin + 1).astype("u8"), "label": label[there], "captures": found[there]}
            )
            con.register("part", table)
            con.execute("INSERT INTO drawn SELECT host, CAST(label AS VARCHAR), captures FROM part")
            con.unregister("part")
    return np.asarray(whole / whole.sum())
