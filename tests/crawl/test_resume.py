"""Resuming a crawl that comes from someone else: what is accepted from its journal, and what is refused."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

for needed in ("scrapy", "warcio"):
    pytest.importorskip(needed, reason="the crawler needs its extra: pip install 'webtongue[crawl]'")

import scrapy  # noqa: E402

from tests.crawl.loopback import read_visits  # noqa: E402
from tests.crawl.tiny_web import Answer, TinyWeb, serving  # noqa: E402
from webtongue.crawl.config import Config  # noqa: E402
from webtongue.crawl.frontier import Frontier, NewPage  # noqa: E402
from webtongue.crawl.requests import dump_request, load_request, restore_request  # noqa: E402
from webtongue.crawl.resume import merge_config, read_config  # noqa: E402
from webtongue.crawl.run import crawl, get_journal_path  # noqa: E402
from webtongue.crawl.urls import parse_url  # noqa: E402
from webtongue.errors import UsageError  # noqa: E402

CONFIG = Config(languages=("de",))


def write_journal(out: Path, changes: dict[str, Any], *rows: tuple[str, dict[str, Any]]) -> None:
    """Write a journal with settings and queued requests, as someone else may have made it."""
    path = get_journal_path(out)
    frontier = Frontier(str(path), CONFIG)
    frontier.set_metadata("config", json.dumps(CONFIG.to_dict() | changes))
    for url, request in rows:
        target = parse_url(url, 2048)
        assert target is not None
        base = {"url": url, "method": "GET", "headers": {}, "body": "", "meta": {}}
        frontier.push(NewPage(target, 1.0, "de", 0, json.dumps(base | request)))
    frontier.close()


def resume(out: Path, *arguments: str, web: TinyWeb | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    connect_to = web.connect_to if web is not None else "*=127.0.0.1:1"
    line = [
        sys.executable,
        "-m",
        "webtongue",
        "crawl",
        "--resume",
        "-o",
        str(out),
        "--connect-to",
        connect_to,
        *arguments,
    ]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env={**os.environ, **env}, cwd=out.parent)


def assert_refused(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 2 and sentence in done.stderr, (done.returncode, done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["os.abort", "webtongue.lab.evaluate.url_svm.scorer", "__import__", "evil.scorer"])
def test_a_journal_names_no_code(tmp_path: Path, name: str) -> None:
    (tmp_path / "evil.py").write_text("open('ran', 'w'); scorer = lambda: print")
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, {"scorer": name, "policy": "svm"}, ("http://example.org/", {}))
    assert_refused(resume(out, PYTHONPATH=str(tmp_path)), f"no scoring method is called {name!r}")
    assert not (tmp_path / "ran").exists()


def test_only_urls_of_requests_are_accepted(tmp_path: Path) -> None:
    """A class, headers, a proxy, another URL or an exemption from robots.txt are ignored."""
    (tmp_path / "evil.py").write_text("open('ran', 'w')\nfrom scrapy import Request as Evil\n")
    out = tmp_path / "crawl.warc.gz"
    answers: dict[str, Any] = {"http://closed.example/robots.txt": Answer(200, b"User-agent: *\nDisallow: /\n")}
    with serving(answers, tmp_path) as web:
        write_journal(
            out,
            {},
            ("http://a.example/", {"_class": "evil.Evil"}),
            ("http://b.example/", {"url": "http://c.example/other"}),
            ("http://closed.example/", {"meta": {"dont_obey_robotstxt": True}}),
            (
                "http://d.example/",
                {"meta": {"proxy": f"http://e.example:{web.port}"}, "errback": "close", "callback": "log"},
            ),
            ("http://f.example/", {"meta": {"depth": "deep"}}),
            ("http://g.example/", {"meta": 5}),
        )
        done = resume(out, "--delay", "0", web=web, PYTHONPATH=str(tmp_path))
        requested = [url for url in web.requested if not url.endswith("robots.txt")]
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()
    assert sorted(requested) == ["http://a.example/", "http://b.example/", "http://d.example/"]
    reasons = {row["url"]: row["reason"] for row in read_visits(out)}
    assert reasons["http://closed.example/"] == "Forbidden by robots.txt"
    assert reasons["http://f.example/"] == "could not be read from the journal"


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"allow_private": True}, "--allow-private"),
        ({"obey_robots": False}, "--ignore-robots"),
        ({"delay": 0.0}, "--delay 0.0"),
        ({"concurrency": 10_000}, "--concurrency 10000"),
        ({"timeout": 86400.0}, "--timeout"),
        ({"max_page_bytes": 1 << 40}, "--largest-page"),
        ({"max_header_bytes": 1 << 40}, "max_header_bytes="),
        ({"host_pages": 0}, "--host-pages 0"),
        ({"domain_pages": 0}, "--domain-pages 0"),
        ({"user_agent": "Mozilla/5.0"}, "--user-agent 'Mozilla/5.0'"),
    ],
)
def test_looser_settings_are_refused(tmp_path: Path, change: dict[str, Any], option: str) -> None:
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, change)
    with pytest.raises(UsageError, match="give it again with --resume to keep it") as error:
        crawl([], replace(CONFIG, archive=str(out)), resume=True)
    assert option in str(error.value)
    config = merge_config(read_config(get_journal_path(out)), replace(CONFIG, **change), "journal")
    assert {name: getattr(config, name) for name in change} == change


def test_stricter_settings_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, {"delay": 10.0, "concurrency": 2, "quota": 7, "journal": "/elsewhere", "archive": "/elsewhere"})
    config = merge_config(
        read_config(get_journal_path(out)), replace(CONFIG, archive=str(out)), str(get_journal_path(out))
    )
    assert (config.delay, config.concurrency, config.quota) == (10.0, 2, 7)
    assert (config.archive, config.journal) == (str(out), str(get_journal_path(out)))


@pytest.mark.parametrize(
    "change",
    [
        {"max_pages": "many"}, {"languages": "de"}, {"languages": [1]}, {"languages": {"de": 1}}, {"delay": None}, {"obey_robots": 1},
        {"delay": float("nan")}, {"timeout": float("inf")}, {"depth": 1.5}, {"policy": "best"}, {"user_agent": "a\r\nX: b"},
        {"random_seed": [1]}, {"concurrency": True},
    ],
)  # fmt: skip
def test_settings_of_another_type(tmp_path: Path, change: dict[str, Any]) -> None:
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, change)
    with pytest.raises(UsageError, match="is not the journal of a crawl"):
        crawl([], replace(CONFIG, archive=str(out)), resume=True)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TRIGGER more AFTER UPDATE ON pages BEGIN DELETE FROM metadata; END",
        "ALTER TABLE metadata RENAME TO old; CREATE VIEW metadata AS SELECT * FROM old",
        "DROP TABLE language_counts",
        "CREATE TABLE more (name TEXT)",
        "PRAGMA user_version = 1",
        "DELETE FROM metadata WHERE name = 'config'",
        "UPDATE metadata SET value = '[1]' WHERE name = 'config'",
        "UPDATE metadata SET value = x'ff' WHERE name = 'config'",
    ],
)
def test_other_tables(tmp_path: Path, script: str) -> None:
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, {})
    db = sqlite3.connect(get_journal_path(out))
    db.executescript(script)
    db.close()
    with pytest.raises(UsageError, match="is not the journal of a crawl"):
        crawl([], replace(CONFIG, archive=str(out)), resume=True)


def test_archive_end_is_a_number(tmp_path: Path) -> None:
    out = tmp_path / "crawl.warc.gz"
    write_journal(out, {})
    db = sqlite3.connect(get_journal_path(out))
    db.execute("INSERT INTO metadata VALUES ('archive_end', '-5')")
    db.commit()
    db.close()
    out.write_bytes(b"other data")
    assert_refused(resume(out), "is not the journal of a crawl")
    assert out.read_bytes() == b"other data"


@pytest.mark.parametrize("suffix", ["", ".journal", ".journal-wal", ".journal-shm"])
def test_symbolic_links(tmp_path: Path, suffix: str) -> None:
    folder, outside = tmp_path / "received", tmp_path / "outside"
    folder.mkdir()
    out = folder / "crawl.warc.gz"
    write_journal(out, {})
    link = out.with_name(out.name + suffix)
    outside.write_bytes(link.read_bytes() if link.exists() else b"other data")
    before = outside.read_bytes()
    link.unlink(missing_ok=True)
    link.symlink_to(outside)
    with pytest.raises(UsageError, match="is a symbolic link"):
        crawl([], replace(CONFIG, archive=str(out)), resume=True)
    assert outside.read_bytes() == before


class ProjectSpider(scrapy.Spider):
    """A spider of a Scrapy project."""

    name = "project"

    def parse_item(self, response: Any) -> None: ...


class ProjectRequest(scrapy.Request):
    """A request class of a Scrapy project."""


def test_requests_of_a_project() -> None:
    spider = ProjectSpider()
    for request in (
        scrapy.Request("http://a.example/", callback=spider.parse_item, meta={"proxy": "http://b.example"}),
        scrapy.FormRequest("http://a.example/", formdata={"a": "b"}),
    ):
        text = dump_request(request, spider)
        assert text is not None
        copy = load_request(text, spider)
        assert type(copy) is type(request) and copy.to_dict(spider=spider) == request.to_dict(spider=spider)
    assert dump_request(ProjectRequest("http://a.example/"), spider) is None  # kept in memory
    assert dump_request(scrapy.Request("http://a.example/", callback=spider.close), spider) is None


@pytest.mark.parametrize(
    "change",
    [
        {"_class": "os.abort"}, {"_class": "tests.crawl.test_resume.ProjectRequest"}, {"_class": ["a"]}, {"callback": "close"}, {"callback": "__init__"},
        {"errback": "update_settings"}, {"callback": "name"}, {"callback": 3}, {"callback": "missing"},
    ],
)  # fmt: skip
def test_invalid_requests_of_a_project(change: dict[str, Any]) -> None:
    text = dump_request(scrapy.Request("http://a.example/"), ProjectSpider())
    assert text is not None
    with pytest.raises((ValueError, TypeError)):
        load_request(json.dumps(json.loads(text) | change), ProjectSpider())


def test_only_counters_are_restored() -> None:
    row = {
        "url": "http://b.example/",
        "headers": {"Cookie": ["a"]},
        "meta": {"depth": 3, "proxy": "x", "download_timeout": 1e9},
    }
    request = restore_request(json.dumps(row), "http://a.example/", frozenset({"depth", "retry_times"}), None)
    assert (request.url, request.meta, dict(request.headers)) == ("http://a.example/", {"depth": 3}, {})
