"""Intervals of languages from a sample of a crawl: a web of hosts is generated and sampled, and the query of the census is run.

The interval is that of census/tables/cubes/shares.sql, unchanged. Sizes of hosts and the share of their main language are
assumptions; shares of languages are those of data/priors.tsv.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from webtongue.census.dialect import translate
from webtongue.census.tables.queries import cubes_of, query
from webtongue.files import read_rows

HOSTS_PER_CHUNK = 1_000_000  # generated at a time, to limit memory
DUCKDB_MEMORY = "4GB"


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts of a web. All values are assumptions."""

    count: int = 45_000_000
    pages: int = 3_000_000_000
    shape: float = 1.1  # of the Pareto distribution of sizes: a few hosts have most pages
    largest: int = 100_000  # times the smallest, since crawlers have limits
    own_share: float = 0.9  # of a host's pages in its language; the rest is in English


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval of a language in the sample."""

    label: str
    truth: float
    pages: int
    hosts: int
    low: float
    share: float
    high: float

    @property
    def error(self) -> float:
        """The relative error of the sample's share."""
        return self.share / self.truth - 1

    @property
    def width(self) -> float:
        """Half the width of the interval, relative to the share."""
        return (self.high - self.low) / 2 / self.share


def language_shares() -> tuple[list[str], np.ndarray]:
    """Return labels and their shares of pages."""
    rows = [(name, 10.0 ** float(power)) for name, power in read_rows("priors.tsv")]
    shares = np.array([share for _, share in rows])
    return [name for name, _ in rows], shares / shares.sum()


def host_sizes(hosts: Hosts, count: int, rng: Any) -> np.ndarray:
    """Return the pages of hosts, with the mean of the web."""
    top, shape = float(hosts.largest), hosts.shape
    mean = 1 + (1 - top ** (1 - shape)) / (shape - 1)  # of the truncated Pareto distribution
    sizes: np.ndarray = np.minimum(1 + rng.pareto(shape, count), top) * (hosts.pages / hosts.count / mean)
    return sizes


def sample_intervals(hosts: Hosts, share: float, seed: int = 1) -> list[Interval]:
    """Return the intervals of the languages in the sample, the most common first."""
    import duckdb

    names, _ = language_shares()
    with duckdb.connect(config={"memory_limit": DUCKDB_MEMORY, "threads": 2}) as con:
        truth = _sample_pages(con, hosts, share, np.random.default_rng(seed))
        con.execute("CREATE TABLE host_labels AS SELECT host, label, sum(captures) AS captures FROM drawn GROUP BY ALL")
        con.execute("CREATE TABLE hosts AS SELECT host, sum(captures) AS pages FROM host_labels GROUP BY host")
        (formula,) = (cube for cube in cubes_of([query("pages_by_language")]) if cube.name == "shares")
        rows = con.execute(
            f"SELECT label, pages, hosts, low, share, high FROM ({translate(formula.text)}) ORDER BY pages DESC"
        ).fetchall()
    return [
        Interval(names[int(label)], float(truth[int(label)]), pages, count, low, middle, high)
        for label, pages, count, low, middle, high in rows
    ]


def _sample_pages(con: Any, hosts: Hosts, share: float, rng: Any) -> np.ndarray:
    """Fill the table ``drawn`` with sampled pages of hosts by language, and return the shares of the whole web."""
    import pyarrow as pa

    names, shares = language_shares()
    english = names.index("eng")
    own = shares / hosts.own_share  # English is on every host, so fewer hosts are mainly English
    own[english] = max(0.0, (shares[english] - (1 - hosts.own_share)) / hosts.own_share)
    own /= own.sum()
    whole = np.zeros(len(names))
    con.execute("CREATE TABLE drawn (host UBIGINT, label VARCHAR, captures BIGINT)")
    for begin in range(0, hosts.count, HOSTS_PER_CHUNK):
        count = min(HOSTS_PER_CHUNK, hosts.count - begin)
        expected = host_sizes(hosts, count, rng)
        main, other = rng.choice(len(names), count, p=own), np.full(count, english)
        for label, pages in ((main, expected * hosts.own_share), (other, expected * (1 - hosts.own_share))):
            whole += np.bincount(label, pages, len(names))
            rows = rng.poisson(pages * share)
            there = np.flatnonzero(rows)
            table = pa.table({"host": (there + begin + 1).astype("u8"), "label": label[there], "captures": rows[there]})
            con.register("part", table)
            con.execute("INSERT INTO drawn SELECT host, CAST(label AS VARCHAR), captures FROM part")
            con.unregister("part")
    return np.asarray(whole / whole.sum())
