"""The queue and the journal: order, budgets, inlinks, counts, and what a kill leaves."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from webtongue.crawl.addresses import Address, address_of
from webtongue.crawl.config import Config
from webtongue.crawl.frontier import Frontier, Row
from webtongue.errors import UsageError
from webtongue.page import Inlink


def address(url: str) -> Address:
    found = address_of(url, 2048)
    assert found is not None
    return found


def row(url: str, score: float = 0.5) -> Row:
    return Row(address(url), score, "de", 0, "{}")


def made(path: str = "", **settings: int) -> Frontier:
    return Frontier(path, Config(languages=("de",), **settings))  # type: ignore[arg-type]


def test_the_best_first_and_one_a_host() -> None:
    queue = made()
    for url, score in (("http://a.de/1", 0.9), ("http://a.de/2", 0.8), ("http://b.de/", 0.7)):
        assert queue.push(row(url, score))
    first = queue.take([], 0.0, False)
    second = queue.take(["a.de"], 0.0, False)
    assert first is not None and second is not None
    assert (first.url, second.url) == ("http://a.de/1", "http://b.de/")
    assert queue.take(["a.de"], 0.0, False) is None
    assert queue.take([], 0.85, False) is None


def test_an_address_is_queued_once() -> None:
    queue = made()
    assert queue.push(row("http://a.de/x?PHPSESSID=1"))
    assert not queue.push(row("http://a.de/x?PHPSESSID=2"))
    assert queue.waiting() == 1


def test_budgets_of_host_and_domain() -> None:
    queue = made(host_pages=2, domain_pages=3, host_links=5)
    for number in range(8):
        queue.push(row(f"http://a.x.de/{number}"))
        queue.push(row(f"http://b.x.de/{number}"))
    assert queue.waiting() == 10  # five of a host
    taken = [queue.take([], 0.0, False) for _ in range(6)]
    assert Counter(one.host for one in taken if one) == {"a.x.de": 2, "b.x.de": 1}
    assert not queue.has_waiting()
    queue.push(row("http://c.x.de/"))
    assert not queue.has_waiting()  # the domain has had its share


def test_chance_draws_all_alike() -> None:
    """However long an address has been queued: scores that are drawn once would favour the new ones."""
    counts: Counter[str] = Counter()
    for seed in range(400):
        queue = made(seed=seed)
        for number in range(4):
            queue.push(row(f"http://a{number}.de/"))
        queue.take([], 0.0, True)
        queue.push(row("http://new.de/"))
        second = queue.take([], 0.0, True)
        assert second is not None
        counts[second.url] += 1
    assert 60 < counts["http://new.de/"] < 140  # one of four that are left


def test_links_of_one_domain_count_once() -> None:
    queue = made()
    queue.push(row("http://a.de/"))
    assert queue.add_inlink(1, Inlink("http://b.de/1", "deu"), "b.de")
    assert not queue.add_inlink(1, Inlink("http://b.de/2", "eng"), "b.de")
    assert [link.url for link in queue.inlinks(1)] == ["http://b.de/1"]
    for number in range(20):
        queue.add_inlink(1, Inlink(f"http://c{number}.de/", "deu"), f"c{number}.de")
    assert len(queue.inlinks(1)) == 8


def test_what_was_under_way_is_queued_again(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    queue = made(path, host_pages=2)
    for number in range(3):
        queue.push(row(f"http://a.de/{number}"))
    done, lost = queue.take([], 0.0, False), queue.take([], 0.0, False)
    assert done is not None and lost is not None and not queue.has_waiting()
    queue.finish(done.id, {"state": 2, "status": 200})
    queue.commit()
    del queue  # as by a kill: nothing is closed
    again = made(path, host_pages=2)
    assert again.tally()["done"] == 1
    next_one = again.take([], 0.0, False)
    assert next_one is not None and next_one.url == lost.url
    assert again.take([], 0.0, False) is None  # two of the host, as allowed
    assert [visit["url"] for visit in again.visits()] == [done.url]


def test_what_was_not_committed_is_as_if_it_never_was(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    queue = made(path)
    queue.push(row("http://a.de/"))
    queue.commit()
    queue.push(row("http://b.de/"))
    queue._db.rollback()
    assert made(path).waiting() == 1


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"not a database at all, but text" * 50)
    with pytest.raises((UsageError, sqlite3.DatabaseError)):
        made(str(path))


def test_counts_go_up_and_down() -> None:
    queue = made()
    queue.count("a.x.de", "x.de", "deu", 1.0)
    queue.count("a.x.de", "x.de", "deu", 1.0)
    queue.count("b.x.de", "x.de", "eng", 1.0)
    queue.count("a.x.de", "x.de", "deu", -1.0)
    assert queue.counts("a.x.de", "x.de") == ({"deu": 1.0}, {"deu": 1.0, "eng": 1.0}, {"deu": 1.0, "eng": 1.0})
