"""The queue of a crawl and its journal, in one SQLite file: what was found, asked for, fetched, and what is known of hosts.

A page is written to the archive and then, in one transaction with all that it changed, marked as done. Whatever ends the crawl,
a request that was under way is queued again, the archive is cut where the last transaction says it ended, and nothing else is.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.crawl.addresses import Address
from webtongue.crawl.config import Config
from webtongue.errors import UsageError
from webtongue.page import Inlink

__all__ = ["Frontier", "Known", "Row", "Taken"]

QUEUED, TAKEN, DONE, FAILED, OVER = range(5)  # states of a page; OVER: its host has had its share
VERSION = 1
HOST, DOMAIN, TOP = range(3)  # levels that languages are counted at
MOST_INLINKS = 8  # domains whose links to a page are kept
LOOKED_AT = 64  # of the queue at a time, for one whose host is free
DEEPEST = 1024  # of the queue: where so many are of hosts that are busy, it is worth waiting
AT_ONCE = 400  # values of one statement
BEST = "SELECT id, host, score, request, url FROM pages WHERE state = 0 AND score >= ? ORDER BY score DESC, id"

SCHEMA = Path(__file__).with_name("journal.sql")


@dataclass(frozen=True, slots=True)
class Row:
    """An address to be queued."""

    address: Address
    score: float
    language: str  # the wanted one that it is likeliest in
    depth: int
    request: str  # as JSON
    inlink: Inlink | None = None
    linking_domain: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """An address that was found before."""

    id: int
    state: int
    is_short: bool  # whether it can be judged again


@dataclass(frozen=True, slots=True)
class Taken:
    """What is asked for next."""

    id: int
    host: str
    score: float
    request: str  # empty: an address that is asked for once more after its capture was lost
    url: str


class Frontier:
    """See above. One thread uses it."""

    def __init__(self, path: str, config: Config) -> None:
        self._config = config
        self._db = sqlite3.connect(path or ":memory:", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -16384")  # KB
        self._chance = random.Random(config.seed)
        self._open(path)
        self._db.execute("BEGIN")

    def _open(self, path: str) -> None:
        try:
            is_new = not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone()
            if is_new:
                self._db.executescript(
                    f"BEGIN; {SCHEMA.read_text('utf-8')} INSERT INTO facts VALUES ('version', '{VERSION}'); COMMIT"
                )
            version = self.fact("version")
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{path} is not the journal of a crawl: {error}") from error
        if version != str(VERSION):
            raise UsageError(f"{path} is a journal of version {version}, and this release reads {VERSION}")
        self._recover()

    def _recover(self) -> None:
        """What was under way is queued again, and does not count."""
        self._db.execute("BEGIN")
        self._db.execute("UPDATE pages SET state = ? WHERE state = ?", (QUEUED, TAKEN))
        self._db.execute("UPDATE budgets SET taken = 0")
        for level, column in ((HOST, "host"), (DOMAIN, "domain")):
            self._db.execute(
                f"UPDATE budgets SET taken = n FROM (SELECT {column} AS name, count(*) AS n FROM pages WHERE state IN (2, 3) "
                f"GROUP BY 1) AS done WHERE budgets.level = ? AND budgets.name = done.name",
                (level,),
            )
        self._db.execute("UPDATE pages SET state = ? WHERE state = ?", (QUEUED, OVER))
        for level, column, most in self._limits():
            self._db.execute(
                f"UPDATE pages SET state = ? WHERE state = ? AND {column} IN "
                "(SELECT name FROM budgets WHERE level = ? AND taken >= ?)",
                (OVER, QUEUED, level, most),
            )
        self._db.execute("COMMIT")

    def _limits(self) -> list[tuple[int, str, int]]:
        limits = [(HOST, "host", self._config.host_pages), (DOMAIN, "domain", self._config.domain_pages)]
        return [limit for limit in limits if limit[2]]

    def fact(self, name: str) -> str:
        found = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def put_fact(self, name: str, value: object) -> None:
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, str(value)))

    def commit(self) -> None:
        """All that was changed since the last time, or nothing of it."""
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def close(self) -> None:
        self._db.execute("COMMIT")
        self._db.close()

    # The queue.

    def known(self, keys: Sequence[str]) -> dict[str, Known]:
        """Those of some addresses that were found before."""
        out = {}
        for first in range(0, len(keys), AT_ONCE):
            some = keys[first : first + AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._db.execute(f"SELECT key, id, state, kept IS NOT NULL FROM pages WHERE key IN ({marks})", some)
            out.update({key: Known(number, state, bool(short)) for key, number, state, short in rows})
        return out

    def room(self, address: Address, more: Mapping[str, int] | None = None) -> bool:
        """Whether another address of a host may be queued; ``more`` were found and are not queued yet."""
        most = self._config.host_links
        if not most:
            return True
        found = self._db.execute("SELECT found FROM budgets WHERE level = 0 AND name = ?", (address.host,)).fetchone()
        return (found[0] if found else 0) + (more or {}).get(address.host, 0) < most

    def push(self, row: Row) -> bool:
        """Queue an address; False where it is there, or its host has no room."""
        address = row.address
        if not self.room(address):
            return False
        state = OVER if self._is_over(address) else QUEUED
        made = self._db.execute(
            "INSERT OR IGNORE INTO pages (key, url, host, domain, state, score, language, depth, request) "
            "VALUES (?,?,?,?,?,?,?,?,?)",
            (
                address.key,
                address.url,
                address.host,
                address.domain,
                state,
                row.score,
                row.language,
                row.depth,
                row.request,
            ),
        )
        if not made.rowcount:
            return False
        for level, name in ((HOST, address.host), (DOMAIN, address.domain)):
            self._db.execute(
                "INSERT INTO budgets VALUES (?, ?, 1, 0) ON CONFLICT DO UPDATE SET found = found + 1", (level, name)
            )
        if row.inlink is not None and made.lastrowid is not None:
            self.add_inlink(made.lastrowid, row.inlink, row.linking_domain)
        return True

    def _is_over(self, address: Address) -> bool:
        names = {HOST: address.host, DOMAIN: address.domain}
        for level, _, most in self._limits():
            row = self._db.execute(
                "SELECT taken FROM budgets WHERE level = ? AND name = ?", (level, names[level])
            ).fetchone()
            if row and row[0] >= most:
                return True
        return False

    def again(self, number: int, request: str) -> bool:
        """Queue a page that was under way once more, as a retry or a redirect asks for it."""
        made = self._db.execute(
            "UPDATE pages SET state = ?, request = ? WHERE id = ? AND state = ?", (QUEUED, request, number, TAKEN)
        )
        if made.rowcount:
            self._count_taken(number, -1)
        return bool(made.rowcount)

    def take(self, busy: Iterable[str], least: float, drawn: bool) -> Taken | None:
        """The best address whose host is not busy; None where there is none that scores ``least``. ``drawn``: any, by chance."""
        hosts = frozenset(busy)
        for number, host, score, request, url in self._drawn(least) if drawn else self._best(least):
            if host not in hosts:
                self._db.execute("UPDATE pages SET state = ? WHERE id = ?", (TAKEN, number))
                self._count_taken(number, 1)
                return Taken(number, host, score, request, url)
        return None

    def _best(self, least: float) -> Iterator[tuple[int, str, float, str, str]]:
        for first in range(0, DEEPEST, LOOKED_AT):
            rows = self._db.execute(
                f"{BEST} LIMIT ? OFFSET ?",
                (least, LOOKED_AT, first),
            ).fetchall()
            yield from rows
            if len(rows) < LOOKED_AT:
                return

    def _drawn(self, least: float) -> Iterator[tuple[int, str, float, str, str]]:
        """Every address of the queue is as likely as any other, however long it has been there."""
        (count,) = self._db.execute("SELECT count(*) FROM pages WHERE state = 0 AND score >= ?", (least,)).fetchone()
        for _ in range(min(count, LOOKED_AT)):
            at = self._chance.randrange(count)
            yield from self._db.execute(
                f"{BEST} LIMIT 1 OFFSET ?",
                (least, at),
            ).fetchall()

    def _count_taken(self, number: int, change: int) -> None:
        """Count a request against host and domain; what is left of a host that has had its share waits for good."""
        host, domain = self._db.execute("SELECT host, domain FROM pages WHERE id = ?", (number,)).fetchone()
        names = {HOST: host, DOMAIN: domain}
        for level, name in names.items():
            self._db.execute("UPDATE budgets SET taken = taken + ? WHERE level = ? AND name = ?", (change, level, name))
        for level, column, most in self._limits():
            (taken,) = self._db.execute(
                "SELECT taken FROM budgets WHERE level = ? AND name = ?", (level, names[level])
            ).fetchone()
            if taken >= most:
                self._db.execute(
                    f"UPDATE pages SET state = ? WHERE state = ? AND {column} = ?", (OVER, QUEUED, names[level])
                )

    def waiting(self) -> int:
        """How many addresses are queued."""
        return int(self._db.execute("SELECT count(*) FROM pages WHERE state = 0").fetchone()[0])

    def has_waiting(self) -> bool:
        return self._db.execute("SELECT 1 FROM pages WHERE state = 0 LIMIT 1").fetchone() is not None

    def siblings(self, host: str, domain: str, most: int) -> list[int]:
        """Queued addresses of a host and of its domain, the best first, which what was learnt of one of them may change."""
        of_host = self._db.execute(
            "SELECT id FROM pages WHERE state = 0 AND host = ? ORDER BY score DESC LIMIT ?", (host, most)
        ).fetchall()
        of_domain = self._db.execute(
            "SELECT id FROM pages WHERE state = 0 AND domain = ? ORDER BY score DESC LIMIT ?", (domain, most)
        ).fetchall()
        return list(dict.fromkeys(number for (number,) in (*of_host, *of_domain)))

    def queued_for(self, language: str, after: int, most: int) -> list[int]:
        """Queued addresses that are likeliest in a language, in their order."""
        rows = self._db.execute(
            "SELECT id FROM pages WHERE state = 0 AND language = ? AND id > ? ORDER BY id LIMIT ?",
            (language, after, most),
        )
        return [number for (number,) in rows]

    def urls(self, numbers: Sequence[int]) -> dict[int, str]:
        marks = ",".join("?" * len(numbers))
        return dict(self._db.execute(f"SELECT id, url FROM pages WHERE id IN ({marks})", list(numbers)).fetchall())

    def rescore(self, scores: Iterable[tuple[float, str, int]]) -> None:
        """Score and language of queued addresses anew."""
        self._db.executemany("UPDATE pages SET score = ?, language = ? WHERE id = ?", scores)

    def add_inlink(self, page: int, link: Inlink, domain: str) -> bool:
        """Remember a link to a page, one a domain; False where it says nothing new."""
        (count,) = self._db.execute("SELECT count(*) FROM inlinks WHERE page = ?", (page,)).fetchone()
        if count >= MOST_INLINKS:
            return False
        made = self._db.execute(
            "INSERT OR IGNORE INTO inlinks VALUES (?,?,?,?,?,?,?)",
            (page, domain, link.url, link.language, link.confidence, link.anchor, link.hreflang),
        )
        return bool(made.rowcount)

    def inlinks(self, page: int) -> tuple[Inlink, ...]:
        rows = self._db.execute(
            "SELECT url, language, confidence, anchor, hreflang FROM inlinks WHERE page = ? ORDER BY domain", (page,)
        )
        return tuple(Inlink(*row) for row in rows)

    # What is known of hosts.

    def count(self, host: str, domain: str, language: str, pages: float) -> None:
        """So many more pages of a host are in a language; fewer, where the number is below 0."""
        for level, name in ((HOST, host), (DOMAIN, domain), (TOP, host.partition(":")[0].rpartition(".")[2])):
            self._db.execute(
                "INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET pages = max(0, pages + excluded.pages)",
                (level, name, language, pages),
            )

    def counts(self, host: str, domain: str) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
        """Pages by language, of a host, its domain and its top level domain."""
        names = ((HOST, host), (DOMAIN, domain), (TOP, host.partition(":")[0].rpartition(".")[2]))
        first, second, third = (
            dict(self._db.execute("SELECT language, pages FROM counts WHERE level = ? AND name = ?", one).fetchall())
            for one in names
        )
        return first, second, third

    # Results.

    def place(self, number: int) -> tuple[str, str]:
        """Host and domain of a page."""
        host, domain = self._db.execute("SELECT host, domain FROM pages WHERE id = ?", (number,)).fetchone()
        return host, domain

    def finish(self, number: int, values: Mapping[str, Any]) -> None:
        """A page is done, or has failed: ``values`` by column."""
        (last,) = self._db.execute("SELECT max(number) FROM pages").fetchone()
        columns = {**values, "number": (last or 0) + 1}
        names = ", ".join(f"{name} = ?" for name in columns)
        self._db.execute(f"UPDATE pages SET request = '', {names} WHERE id = ?", (*columns.values(), number))

    def revise(self, number: int, label: str, confidence: float, reason: str) -> None:
        """Another answer of a page that was judged again."""
        self._db.execute(
            "UPDATE pages SET label = ?, confidence = ?, reason = ? WHERE id = ?", (label, confidence, reason, number)
        )

    def judged(self, number: int) -> tuple[str, str, bytes, str]:
        """URL, label, what was kept of the page, and its encoding."""
        found = self._db.execute("SELECT url, label, kept, encoding FROM pages WHERE id = ?", (number,)).fetchone()
        return found[0], found[1] or "", found[2] or b"", found[3] or ""

    def tally(self) -> dict[str, int]:
        """How many requests were answered, how many with a page, how many not; hosts visited and addresses queued."""
        done, failed = (
            self._db.execute("SELECT count(*) FROM pages WHERE state = ?", (state,)).fetchone()[0]
            for state in (DONE, FAILED)
        )
        (hosts,) = self._db.execute("SELECT count(*) FROM budgets WHERE level = 0 AND taken > 0").fetchone()
        (pages,) = self._db.execute("SELECT count(*) FROM pages WHERE state = 2 AND status = 200").fetchone()
        return {"done": done, "pages": pages, "failed": failed, "hosts": hosts, "queued": self.waiting()}

    def labels(self) -> dict[str, int]:
        """Pages that were fetched, by label."""
        return dict(
            self._db.execute(
                "SELECT label, count(*) FROM pages WHERE state = 2 AND status = 200 GROUP BY label"
            ).fetchall()
        )

    def by_chance(self, wanted: Sequence[str]) -> float:
        """The share of all addresses found that are wanted: of those fetched by their labels, of others by their scores."""
        marks = ",".join("?" * len(wanted))
        (share,) = self._db.execute(
            f"SELECT avg(CASE WHEN label IS NULL THEN score ELSE label IN ({marks}) END) FROM pages WHERE state <> ?",
            (*wanted, FAILED),
        ).fetchone()
        return share or 0.0

    def queue_by_language(self) -> dict[str, int]:
        """Queued addresses by the wanted language that they are likeliest in."""
        rows = self._db.execute(
            "SELECT language, count(*) FROM pages WHERE state = 0 GROUP BY language ORDER BY 2 DESC"
        )
        return dict(rows.fetchall())

    def visits(self) -> Iterator[dict[str, Any]]:
        """Every page that was asked for, in the order of the answers."""
        names = ("number", "url", "host", "state", "score", "depth", "status", "label", "confidence", "reason")
        for row in self._db.execute(f"SELECT {', '.join(names)} FROM pages WHERE number IS NOT NULL ORDER BY number"):
            yield dict(zip(names, row, strict=True))

    def requeue_from(self, size: int) -> int:
        """Queue pages again whose captures the archive has lost: those that end beyond its size."""
        made = self._db.execute(
            "UPDATE pages SET state = 0, number = NULL, request = '' WHERE state = 2 AND start + size > ?", (size,)
        )
        return made.rowcount
