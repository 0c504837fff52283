"""Rules of robots.txt: which group applies, which lines are rules, Crawl-delay, and the cost of a hostile file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="the crawler needs Scrapy: pip install 'webtongue[crawl]'")

from scrapy.robotstxt import ProtegoRobotParser

from tests.crawl.tiny_web import Answer, page, serving
from webtongue.crawl.robots_rules import MAX_ROBOTS_BYTES, get_authority, resolve_redirect, select_group

AGENT = "webtongue (language-focused crawler; obeys robots.txt)"


def is_allowed(text: str | bytes, path: str) -> bool:
    group = select_group(text.encode() if isinstance(text, str) else text, AGENT)
    return bool(ProtegoRobotParser(group.text.encode(), None).allowed(f"http://example.org{path}", AGENT))


@pytest.mark.parametrize(
    ("text", "forbidden_path", "allowed_path"),
    [
        ("User-agent: *\nDisallow: /a", "/a/b", "/b"),
        ("User-agent: *\nDisallow: /\nAllow: /b", "/a", "/b"),
        ("User-agent: *\nDisallow: /a\nUser-agent: webtongue\nDisallow: /b", "/b", "/a"),
        ("User-agent: WEBTONGUE\nDisallow: /b\n\nUser-agent: *\nDisallow: /a", "/b", "/a"),
        ("User-agent: webtongue\nUser-agent: other\nDisallow: /b\nUser-agent: tongue\nDisallow: /", "/b", "/a"),
        ("User-agent: webtongue\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: webtongue\nDisallow: /b", "/a", "/c"),
        ("User-agent: webtongue\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: webtongue\nDisallow: /b", "/b", "/c"),
        ("User-agent: *\nSitemap: http://example.org/x\nNoindex: /c\nDisallow: /a", "/a", "/c"),
        ("User-agent: *\nCrawl-delay: 10\n\nUser-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /a", "/a", "/b"),
        ("User-agent: *\nSitemap: /x\nUser-agent: other\nDisallow: /a", "/a", "/b"),
        ("user agent *\ndisalow /a # not b", "/a", "/b"),
        ("User-agent: *\nDisallow: /*.html$", "/a.html", "/a.html?b"),
        ("Disallow: /b\nUser-agent: *\nDisallow: /a", "/a", "/b"),
        ("\ufeffUser-agent: *\r\rDisallow: /a\u2028\rAllow: /b", "/a", "/b"),
        (b"\xff\xfe\xfa User-agent: *\nDisallow: /a", "", "/a"),
    ],
)  # fmt: skip
def test_rules(text: str | bytes, forbidden_path: str, allowed_path: str) -> None:
    assert not forbidden_path or not is_allowed(text, forbidden_path)
    assert is_allowed(text, allowed_path)


@pytest.mark.parametrize(
    "text", ["", "\0" * 100, "<html><p>User-agent: *</p><p>Disallow: /</p>", "Disallow: /", "User-agent:\nDisallow: /"]
)
def test_files_without_rules_allow_everything(text: str) -> None:
    assert is_allowed(text, "/")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0), ("0.5", 0.5), (".5", 0.5), ("30", 30.0), ("31", 30.0), ("999999999", 30.0), ("0", 0.0), ("-1", 0.0),
        ("ten", 0.0), ("nan", 0.0), ("inf", 0.0), ("1e9", 0.0), ("1_0", 0.0), ("", 0.0), ("9" * 400, 0.0),
    ],
)  # fmt: skip
def test_crawl_delay(value: str, seconds: float) -> None:
    assert select_group(f"User-agent: *\nCrawl-delay: {value}\n".encode(), AGENT).crawl_delay == seconds


def test_crawl_delay_of_another_group() -> None:
    text = b"User-agent: other\nCrawl-delay: 20\n\nUser-agent: *\nDisallow: /a\n"
    assert select_group(text, AGENT).crawl_delay == 0.0


def test_a_truncated_rule_is_ignored() -> None:
    start = b"User-agent: *\nDisallow: /a\n"
    body = start + b"#" * (MAX_ROBOTS_BYTES - len(start) - 13) + b"\nDisallow: /bcdef\n"
    assert not is_allowed(body, "/a") and is_allowed(body, "/bcdef") and is_allowed(body, "/b")


def test_many_names_and_many_rules() -> None:
    """The parser stores each rule of a group for each of its names: a small file would fill the memory."""
    names = [f"User-agent: {AGENT[:length]}" for length in range(1, len(AGENT))] + [
        f"User-agent: a{n}" for n in range(14_000)
    ]
    body = "\n".join([*names, *(f"Disallow: /{number}" for number in range(14_000)), ""]).encode()
    assert len(body) < MAX_ROBOTS_BYTES
    group = select_group(body, AGENT)
    assert len(group.text) < len(body)
    parser = ProtegoRobotParser(group.text.encode(), None)
    assert not parser.allowed("http://example.org/13999", AGENT) and parser.allowed("http://example.org/x", AGENT)


def test_authorities_and_redirects() -> None:
    assert get_authority("http://a.org/x") != get_authority("https://a.org/x") != get_authority("https://a.org:8443/x")
    assert get_authority("http://A.org:80") == get_authority("http://a.org/")
    base = "https://a.org/robots.txt"
    assert resolve_redirect(base, "/other", 100) == "https://a.org/other"
    for bad in (
        " ",
        "javascript:1",
        "http://",
        "http://a:b@c/",
        "http://a:99999/",
        "http://a/" + "b" * 200,
        "http://a/\x00",
        "http://a b/",
    ):
        assert resolve_redirect(base, bad, 100) == "", bad


SLOTS = """
import json, sys
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from webtongue.crawl.config import Config
from webtongue.crawl.settings import scrapy_settings
from webtongue.crawl.spider import LanguageSpider

seeds, connect_to = json.loads(sys.argv[1])
config = Config(languages=("de",), connect_to=connect_to, delay=0.05, timeout=10)
process = AsyncCrawlerProcess({**scrapy_settings(config), "LOG_ENABLED": False})
crawler = process.create_crawler(LanguageSpider)
result = {}

def on_closed(**_):
    downloader = crawler.engine.downloader
    result["slots"] = {name: [slot.delay, slot.jitter] for name, slot in downloader.slots.items()}
    result["next"] = {name: row["delay"] for name, row in downloader.per_slot_settings.items()}

crawler.signals.connect(on_closed, signals.spider_closed, weak=False)
process.crawl(crawler, seeds=seeds)
process.start()
print(json.dumps(result))
"""


def test_the_downloader_keeps_the_delay(tmp_path: Path) -> None:
    def rules(value: str) -> Answer:
        return Answer(200, f"User-agent: *\nCrawl-delay: {value}\n".encode())

    answers: dict[str, Any] = {
        "http://some.example/robots.txt": rules("0.3"),
        "http://some.example/": page("/a", "/b"),
        "http://long.example/robots.txt": rules("86400"),
        "http://none.example/robots.txt": rules("soon"),
        "http://none.example/": page("/a"),
    }
    seeds = ["http://some.example/", "http://long.example/", "http://none.example/"]
    with serving(answers, tmp_path) as web:
        arguments = json.dumps([seeds, web.connect_to])
        done = subprocess.run([sys.executable, "-c", SLOTS, arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr[-3000:]
        assert {"http://some.example/b", "http://long.example/", "http://none.example/a"} <= set(web.requested)
    result = json.loads(done.stdout)
    assert result["slots"]["some.example"] == [0.3, 0.0]  # no jitter, which Scrapy adds to its own delays
    assert result["next"] == {"some.example": 0.3, "long.example": 30.0}
