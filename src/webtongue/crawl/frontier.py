"""The frontier of a crawl in one SQLite file, the journal: the queue of URLs, the fetched pages and language counts of hosts.

A page is written to the archive and then, in one transaction with everything that it changed, marked as done. When a crawl is
interrupted, the pages in flight are queued again and the archive is cut where the last transaction says that it ends.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.crawl.config import Config
from webtongue.crawl.schema import PRAGMAS, check_schema, create_tables
from webtongue.crawl.storage import storage_error
from webtongue.crawl.urls import CrawlUrl
from webtongue.errors import UsageError
from webtongue.page import Inlink

__all__ = ["DONE", "FAILED", "QUEUED", "Frontier", "KnownPage", "NewPage", "QueuedPage", "Totals"]

# States of a page. The indexes of journal.sql and the queries below repeat these numbers: SQLite uses a partial index only for
# a literal. A page is OVER_BUDGET if it was queued when the request budget of its host or domain was used up.
QUEUED, IN_FLIGHT, DONE, FAILED, OVER_BUDGET = range(5)
HOST, DOMAIN, TLD = range(3)  # levels of budgets and language counts
MAX_INLINKS = 8  # linking domains stored for a page
MAX_FAILED_SEEDS = 100  # listed in the summary
SCAN_BATCH = 64  # queued URLs read at a time, to find one whose host is free
MAX_SCANNED = 1024  # if that many of the best URLs are on busy hosts, it is better to wait
MAX_SQL_PARAMETERS = 400
LevelCounts = tuple[dict[str, float], dict[str, float], dict[str, float]]  # pages by language at each level
BEST_QUEUED = "SELECT id, host, score, request, url FROM pages WHERE state = 0 AND score >= ? ORDER BY score DESC, id"


@dataclass(frozen=True, slots=True)
class NewPage:
    """A URL to be queued."""

    target: CrawlUrl
    score: float
    language: str  # the most likely of the wanted languages
    depth: int
    request: str  # as JSON
    inlink: Inlink | None = None
    linking_domain: str = ""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A URL that was discovered before."""

    id: int
    state: int
    is_packed: bool  # whether the page is stored for a second pass


@dataclass(frozen=True, slots=True)
class QueuedPage:
    """A URL that is requested next."""

    id: int
    host: str
    score: float
    request: str  # as JSON; empty for a page that is fetched again because its capture was lost
    url: str


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers of answered requests, of those with a page (status 200), of failed requests, of hosts visited, of URLs queued."""

    answered: int
    pages: int
    failed: int
    hosts: int
    queued: int


class Frontier:
    """The open journal of a crawl. It is used by one thread."""

    def __init__(self, path: str, config: Config) -> None:
        self._config = config
        self._random = random.Random(config.random_seed)
        try:
            self._db = sqlite3.connect(path or ":memory:", isolation_level=None)
            self._open(path)
        except sqlite3.OperationalError as error:  # an error of the disk
            raise storage_error(error, path, "the journal of a crawl is written there") from error
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{path} is not the journal of a crawl: {error}") from error

    def _open(self, path: str) -> None:
        for pragma in PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            create_tables(self._db)
        check_schema(self._db, path)
        self._recover()
        self._db.execute("BEGIN")

    def _recover(self) -> None:
        """Queue the pages that were in flight again, and apply the budgets of the settings to the queue."""
        self._db.execute("BEGIN")
        self._db.execute("UPDATE pages SET state = ? WHERE state = ?", (QUEUED, IN_FLIGHT))
        self._db.execute("UPDATE budgets SET requested = 0")
        for level, column in ((HOST, "host"), (DOMAIN, "domain")):
            self._db.execute(
                f"UPDATE budgets SET requested = n FROM (SELECT {column} AS name, count(*) AS n FROM pages "
                "WHERE state IN (2, 3) GROUP BY 1) AS done WHERE budgets.level = ? AND budgets.name = done.name",
                (level,),
            )
        self._db.execute("UPDATE pages SET state = ? WHERE state = ?", (QUEUED, OVER_BUDGET))
        for level, column, limit in self._budgets():
            self._db.execute(
                f"UPDATE pages SET state = ? WHERE state = ? AND {column} IN "
                "(SELECT name FROM budgets WHERE level = ? AND requested >= ?)",
                (OVER_BUDGET, QUEUED, level, limit),
            )
        self._db.execute("COMMIT")

    def _budgets(self) -> list[tuple[int, str, int]]:
        """Return level, column and maximal number of requests of each budget that is limited."""
        budgets = [(HOST, "host", self._config.host_pages), (DOMAIN, "domain", self._config.domain_pages)]
        return [budget for budget in budgets if budget[2]]

    def get_metadata(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM metadata WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_metadata(self, name: str, value: object) -> None:
        self._db.execute("INSERT OR REPLACE INTO metadata VALUES (?, ?)", (name, str(value)))

    def commit(self) -> None:
        """Commit all changes since the last commit, and begin the next transaction."""
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def close(self) -> None:
        self._db.execute("COMMIT")
        self._db.close()

    def abandon(self) -> None:
        """Close the journal after an error, in its state at the last commit."""
        with contextlib.suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        with contextlib.suppress(sqlite3.Error):
            self._db.close()

    # The queue.

    def find_known(self, keys: Sequence[str]) -> dict[str, KnownPage]:
        """Return those pages that were discovered before, by key."""
        known = {}
        for start in range(0, len(keys), MAX_SQL_PARAMETERS):
            chunk = keys[start : start + MAX_SQL_PARAMETERS]
            marks = ",".join("?" * len(chunk))
            query = f"SELECT key, id, state, packed IS NOT NULL FROM pages WHERE key IN ({marks})"
            rows = self._db.execute(query, chunk)
            known.update({key: KnownPage(page_id, state, bool(packed)) for key, page_id, state, packed in rows})
        return known

    def has_room(self, target: CrawlUrl, pending: Mapping[str, int] | None = None) -> bool:
        """Return True if another URL of a host may be queued; ``pending`` counts URLs by host that are about to be queued."""
        limit = self._config.host_links
        if not limit:
            return True
        row = self._db.execute("SELECT discovered FROM budgets WHERE level = 0 AND name = ?", (target.host,)).fetchone()
        return (row[0] if row else 0) + (pending or {}).get(target.host, 0) < limit

    def push(self, page: NewPage) -> bool:
        """Queue a URL; return False if it was discovered before or the queue of its host is full."""
        target = page.target
        if not self.has_room(target):
            return False
        state = OVER_BUDGET if self._is_over_budget(target) else QUEUED
        site = target.key, target.url, target.host, target.domain
        inserted = self._db.execute(
            "INSERT OR IGNORE INTO pages (key, url, host, domain, state, score, language, depth, request) "
            "VALUES (?,?,?,?,?,?,?,?,?)",
            (*site, state, page.score, page.language, page.depth, page.request),
        )
        if not inserted.rowcount:
            return False
        for level, name in ((HOST, target.host), (DOMAIN, target.domain)):
            self._db.execute(
                "INSERT INTO budgets VALUES (?, ?, 1, 0) ON CONFLICT DO UPDATE SET discovered = discovered + 1",
                (level, name),
            )
        if page.inlink is not None and inserted.lastrowid is not None:
            self.add_inlink(inserted.lastrowid, page.inlink, page.linking_domain)
        return True

    def _is_over_budget(self, target: CrawlUrl) -> bool:
        names = {HOST: target.host, DOMAIN: target.domain}
        return any(self._count_requested(level, names[level]) >= limit for level, _, limit in self._budgets())

    def _count_requested(self, level: int, name: str) -> int:
        row = self._db.execute("SELECT requested FROM budgets WHERE level = ? AND name = ?", (level, name)).fetchone()
        return int(row[0]) if row else 0

    def requeue(self, page_id: int, request: str) -> bool:
        """Queue a page in flight again, with a new request; return False if it is not in flight."""
        updated = self._db.execute(
            "UPDATE pages SET state = ?, request = ? WHERE id = ? AND state = ?", (QUEUED, request, page_id, IN_FLIGHT)
        )
        if updated.rowcount:
            self._add_requested(page_id, -1)
        return bool(updated.rowcount)

    def pop(self, busy_hosts: Iterable[str], min_score: float, is_random: bool) -> QueuedPage | None:
        """Return the best page, or a random one, of a host that is not busy, and mark it as in flight; None if there is none."""
        busy = frozenset(busy_hosts)
        rows = self._scan_random(min_score) if is_random else self._scan_best(min_score)
        for page_id, host, score, request, url in rows:
            if host not in busy:
                self._db.execute("UPDATE pages SET state = ? WHERE id = ?", (IN_FLIGHT, page_id))
                self._add_requested(page_id, 1)
                return QueuedPage(page_id, host, score, request, url)
        return None

    def _scan_best(self, min_score: float) -> Iterator[tuple[int, str, float, str, str]]:
        for offset in range(0, MAX_SCANNED, SCAN_BATCH):
            query = f"{BEST_QUEUED} LIMIT ? OFFSET ?"
            rows = self._db.execute(query, (min_score, SCAN_BATCH, offset)).fetchall()
            yield from rows
            if len(rows) < SCAN_BATCH:
                return

    def _scan_random(self, min_score: float) -> Iterator[tuple[int, str, float, str, str]]:
        """Yield pages with a uniform distribution over the whole queue, independent of the time when they were queued."""
        query = "SELECT count(*) FROM pages WHERE state = 0 AND score >= ?"
        (count,) = self._db.execute(query, (min_score,)).fetchone()
        for _ in range(min(count, SCAN_BATCH)):
            offset = self._random.randrange(count)
            yield from self._db.execute(f"{BEST_QUEUED} LIMIT 1 OFFSET ?", (min_score, offset)).fetchall()

    def _add_requested(self, page_id: int, change: int) -> None:
        """Count a request for host and domain, and take the rest of a host out of the queue when its budget is used up."""
        names = dict(zip((HOST, DOMAIN), self.read_site(page_id), strict=True))
        for level, name in names.items():
            self._db.execute(
                "UPDATE budgets SET requested = requested + ? WHERE level = ? AND name = ?", (change, level, name)
            )
        for level, column, limit in self._budgets():
            if self._count_requested(level, names[level]) >= limit:
                query = f"UPDATE pages SET state = ? WHERE state = ? AND {column} = ?"
                self._db.execute(query, (OVER_BUDGET, QUEUED, names[level]))

    def has_queued(self) -> bool:
        return self._db.execute("SELECT 1 FROM pages WHERE state = 0 LIMIT 1").fetchone() is not None

    def find_siblings(self, host: str, domain: str, limit: int) -> list[int]:
        """Return the ids of the best queued pages of a host and of its domain."""
        query = "SELECT id FROM pages WHERE state = 0 AND {} = ? ORDER BY score DESC LIMIT ?"
        rows = [
            *self._db.execute(query.format("host"), (host, limit)),
            *self._db.execute(query.format("domain"), (domain, limit)),
        ]
        return list(dict.fromkeys(page_id for (page_id,) in rows))

    def find_queued(self, language: str, after_id: int, limit: int) -> list[int]:
        """Return the ids of queued pages that are most likely in a language, in ascending order."""
        query = "SELECT id FROM pages WHERE state = 0 AND language = ? AND id > ? ORDER BY id LIMIT ?"
        return [page_id for (page_id,) in self._db.execute(query, (language, after_id, limit))]

    def read_urls(self, page_ids: Sequence[int]) -> dict[int, str]:
        marks = ",".join("?" * len(page_ids))
        return dict(self._db.execute(f"SELECT id, url FROM pages WHERE id IN ({marks})", list(page_ids)).fetchall())

    def update_scores(self, scores: Iterable[tuple[float, str, int]]) -> None:
        """Store new scores and languages of queued pages, given as score, language and id."""
        self._db.executemany("UPDATE pages SET score = ?, language = ? WHERE id = ?", scores)

    def add_inlink(self, page_id: int, link: Inlink, domain: str) -> bool:
        """Store a link to a page; return False if there are enough links, or one of the same domain."""
        (count,) = self._db.execute("SELECT count(*) FROM inlinks WHERE page = ?", (page_id,)).fetchone()
        if count >= MAX_INLINKS:
            return False
        inserted = self._db.execute(
            "INSERT OR IGNORE INTO inlinks VALUES (?,?,?,?,?,?,?)",
            (page_id, domain, link.url, link.language, link.confidence, link.anchor, link.hreflang),
        )
        return bool(inserted.rowcount)

    def read_inlinks(self, page_id: int) -> tuple[Inlink, ...]:
        query = "SELECT url, language, confidence, anchor, hreflang FROM inlinks WHERE page = ? ORDER BY domain"
        return tuple(Inlink(*row) for row in self._db.execute(query, (page_id,)))

    # Language counts of hosts.

    def add_language_count(self, host: str, domain: str, language: str, change: float) -> None:
        """Add to the number of pages in a language of a host, its domain and its top-level domain."""
        for level, name in _levels(host, domain):
            self._db.execute(
                "INSERT INTO language_counts VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET pages = max(0, pages + excluded.pages)",
                (level, name, language, change),
            )

    def read_language_counts(self, host: str, domain: str) -> LevelCounts:
        """Return pages by language of a host, of its domain and of its top-level domain."""
        query = "SELECT language, pages FROM language_counts WHERE level = ? AND name = ?"
        counts = [dict(self._db.execute(query, level).fetchall()) for level in _levels(host, domain)]
        return counts[0], counts[1], counts[2]

    # Results.

    def read_site(self, page_id: int) -> tuple[str, str]:
        """Return the host and the domain of a page."""
        host, domain = self._db.execute("SELECT host, domain FROM pages WHERE id = ?", (page_id,)).fetchone()
        return host, domain

    def finish(self, page_id: int, values: Mapping[str, Any]) -> None:
        """Store the result of a request, as values by column."""
        (last,) = self._db.execute("SELECT max(fetch_order) FROM pages").fetchone()
        columns = {**values, "fetch_order": (last or 0) + 1}
        assignments = ", ".join(f"{name} = ?" for name in columns)
        self._db.execute(f"UPDATE pages SET request = '', {assignments} WHERE id = ?", (*columns.values(), page_id))

    def update_verdict(self, page_id: int, label: str, confidence: float, reason: str) -> None:
        self._db.execute(
            "UPDATE pages SET label = ?, confidence = ?, reason = ? WHERE id = ?", (label, confidence, reason, page_id)
        )

    def read_packed(self, page_id: int) -> tuple[str, str, bytes, str]:
        """Return URL, label, packed page and encoding of a page that is stored for a second pass."""
        query = "SELECT url, label, packed, encoding FROM pages WHERE id = ?"
        url, label, packed, encoding = self._db.execute(query, (page_id,)).fetchone()
        return url, label or "", packed or b"", encoding or ""

    def count_totals(self) -> Totals:
        query = (
            "SELECT (SELECT count(*) FROM pages WHERE state = 2), "
            "(SELECT count(*) FROM pages WHERE state = 2 AND status = 200), "
            "(SELECT count(*) FROM pages WHERE state = 3), "
            "(SELECT count(*) FROM budgets WHERE level = 0 AND requested > 0), "
            "(SELECT count(*) FROM pages WHERE state = 0)"
        )
        return Totals(*self._db.execute(query).fetchone())

    def count_labels(self) -> dict[str, int]:
        """Return the number of fetched pages by label."""
        query = "SELECT label, count(*) FROM pages WHERE state = 2 AND status = 200 GROUP BY label"
        return dict(self._db.execute(query).fetchall())

    def count_failures(self) -> dict[str, int]:
        """Return the number of requests without a page by reason or status, the most frequent first."""
        query = (
            "SELECT CASE state WHEN 3 THEN coalesce(reason, '') ELSE 'status ' || status END, count(*) FROM pages "
            "WHERE state = 3 OR (state = 2 AND status <> 200) GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        return dict(self._db.execute(query).fetchall())

    def list_failed_seeds(self) -> tuple[tuple[str, str], ...]:
        """Return the URL of each seed that has no page, and the reason or status."""
        query = (
            "SELECT url, CASE state WHEN 3 THEN coalesce(reason, '') ELSE 'status ' || status END FROM pages "
            "WHERE depth = 0 AND (state = 3 OR (state = 2 AND status <> 200)) ORDER BY id LIMIT ?"
        )
        return tuple(self._db.execute(query, (MAX_FAILED_SEEDS,)).fetchall())

    def estimate_wanted_share(self, wanted: Sequence[str]) -> float:
        """Return the share of wanted pages among all discovered URLs: by label if fetched, else by score."""
        marks = ",".join("?" * len(wanted))
        (share,) = self._db.execute(
            f"SELECT avg(CASE WHEN label IS NULL THEN score ELSE label IN ({marks}) END) FROM pages WHERE state <> ?",
            (*wanted, FAILED),
        ).fetchone()
        return share or 0.0

    def count_queued_by_language(self) -> dict[str, int]:
        """Return the number of queued URLs by the most likely of the wanted languages."""
        query = "SELECT language, count(*) FROM pages WHERE state = 0 GROUP BY language ORDER BY 2 DESC"
        return dict(self._db.execute(query).fetchall())

    def requeue_lost(self, archive_bytes: int) -> int:
        """Queue pages again whose captures end beyond the size of the archive, and return their number."""
        updated = self._db.execute(
            "UPDATE pages SET state = 0, fetch_order = NULL, request = '' "
            "WHERE state = 2 AND archive_offset + archive_length > ?",
            (archive_bytes,),
        )
        return updated.rowcount


def _levels(host: str, domain: str) -> tuple[tuple[int, str], ...]:
    return (HOST, host), (DOMAIN, domain), (TLD, host.partition(":")[0].rpartition(".")[2])
