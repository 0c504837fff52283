"""The frontier: order of the queue, budgets, inlinks, language counts, and recovery after a kill."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from webtongue.crawl.config import Config
from webtongue.crawl.frontier import Frontier, NewPage
from webtongue.crawl.urls import parse_url
from webtongue.errors import UsageError
from webtongue.page import Inlink


def new_page(url: str, score: float = 0.5) -> NewPage:
    target = parse_url(url, 2048)
    assert target is not None
    return NewPage(target, score, "de", 0, "{}")


def open_frontier(path: str = "", **settings: int) -> Frontier:
    return Frontier(path, Config(languages=("de",), **settings))  # type: ignore[arg-type]


def test_best_first_and_one_request_per_host() -> None:
    frontier = open_frontier()
    for url, score in (("http://a.de/1", 0.9), ("http://a.de/2", 0.8), ("http://b.de/", 0.7)):
        assert frontier.push(new_page(url, score))
    first = frontier.pop([], 0.0, False)
    second = frontier.pop(["a.de"], 0.0, False)
    assert first is not None and second is not None
    assert (first.url, second.url) == ("http://a.de/1", "http://b.de/")
    assert frontier.pop(["a.de"], 0.0, False) is None
    assert frontier.pop([], 0.85, False) is None


def test_a_page_is_queued_once() -> None:
    frontier = open_frontier()
    assert frontier.push(new_page("http://a.de/x?PHPSESSID=1"))
    assert not frontier.push(new_page("http://a.de/x?PHPSESSID=2"))
    assert frontier.count_totals().queued == 1


def test_budgets_of_host_and_domain() -> None:
    frontier = open_frontier(host_pages=2, domain_pages=3, host_links=5)
    for number in range(8):
        frontier.push(new_page(f"http://a.x.de/{number}"))
        frontier.push(new_page(f"http://b.x.de/{number}"))
    assert frontier.count_totals().queued == 10  # five per host
    pages = [frontier.pop([], 0.0, False) for _ in range(6)]
    assert Counter(page.host for page in pages if page) == {"a.x.de": 2, "b.x.de": 1}
    assert not frontier.has_queued()
    frontier.push(new_page("http://c.x.de/"))
    assert not frontier.has_queued()  # the budget of the domain is used up


def test_random_choice_is_uniform() -> None:
    """New URLs are as likely as old ones; random scores that are drawn once would favour the new ones."""
    counts: Counter[str] = Counter()
    for seed in range(400):
        frontier = open_frontier(random_seed=seed)
        for number in range(4):
            frontier.push(new_page(f"http://a{number}.de/"))
        frontier.pop([], 0.0, True)
        frontier.push(new_page("http://new.de/"))
        second = frontier.pop([], 0.0, True)
        assert second is not None
        counts[second.url] += 1
    assert 60 < counts["http://new.de/"] < 140  # one of four that are left


def test_one_inlink_per_domain() -> None:
    frontier = open_frontier()
    frontier.push(new_page("http://a.de/"))
    assert frontier.add_inlink(1, Inlink("http://b.de/1", "deu"), "b.de")
    assert not frontier.add_inlink(1, Inlink("http://b.de/2", "eng"), "b.de")
    assert [link.url for link in frontier.read_inlinks(1)] == ["http://b.de/1"]
    for number in range(20):
        frontier.add_inlink(1, Inlink(f"http://c{number}.de/", "deu"), f"c{number}.de")
    assert len(frontier.read_inlinks(1)) == 8


def test_pages_in_flight_are_queued_again(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    frontier = open_frontier(path, host_pages=2)
    for number in range(3):
        frontier.push(new_page(f"http://a.de/{number}"))
    done, lost = frontier.pop([], 0.0, False), frontier.pop([], 0.0, False)
    assert done is not None and lost is not None and not frontier.has_queued()
    frontier.finish(done.id, {"state": 2, "status": 200})
    frontier.commit()
    del frontier  # as after a kill, nothing is closed
    frontier = open_frontier(path, host_pages=2)
    assert frontier.count_totals().answered == 1
    page = frontier.pop([], 0.0, False)
    assert page is not None and page.url == lost.url
    assert frontier.pop([], 0.0, False) is None  # the budget of the host is two
    rows = frontier._db.execute("SELECT url FROM pages WHERE fetch_order IS NOT NULL").fetchall()
    assert rows == [(done.url,)]


def test_uncommitted_changes_are_lost(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    frontier = open_frontier(path)
    frontier.push(new_page("http://a.de/"))
    frontier.commit()
    frontier.push(new_page("http://b.de/"))
    frontier._db.rollback()
    assert open_frontier(path).count_totals().queued == 1


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"not a database at all, but text" * 50)
    with pytest.raises(UsageError, match="is not the journal of a crawl"):
        open_frontier(str(path))


def test_journals_of_another_version_are_refused(tmp_path: Path) -> None:
    """Journals of version 1 have other columns, no user_version, and the version in a table."""
    path = tmp_path / "journal"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT); INSERT INTO facts VALUES ('version', '1');"
    )
    db.close()
    with pytest.raises(UsageError, match="resume it with the release that wrote it"):
        open_frontier(str(path))


def test_language_counts() -> None:
    frontier = open_frontier()
    frontier.add_language_count("a.x.de", "x.de", "deu", 1.0)
    frontier.add_language_count("a.x.de", "x.de", "deu", 1.0)
    frontier.add_language_count("b.x.de", "x.de", "eng", 1.0)
    frontier.add_language_count("a.x.de", "x.de", "deu", -1.0)
    both = {"deu": 1.0, "eng": 1.0}
    assert frontier.read_language_counts("a.x.de", "x.de") == ({"deu": 1.0}, both, both)
