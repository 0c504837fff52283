"""robots.txt over HTTP: redirects, failures, sizes and encodings, each on a host of its own, all in one crawl."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

for needed in ("scrapy", "warcio", "cryptography"):
    pytest.importorskip(needed, reason="the crawler needs its extra: pip install 'webtongue[crawl]'")

from tests.crawl.loopback import read_visits  # noqa: E402
from tests.crawl.tiny_web import HANG, HANG_UP, Answer, TinyWeb, crawl_with, page, serving  # noqa: E402

DISALLOW_ALL = b"User-agent: *\nDisallow: /\n"
FILLER = b"# a comment that fills the file and is not a rule\n"
LIMIT = 500 * 1024


def redirect(url: str, status: int = 301) -> Answer:
    return Answer(status, b"<html>moved</html>", {"Location": url})


def chain(host: str, hops: int) -> dict[str, Answer | list[Answer]]:
    """Return answers that redirect the robots.txt of a host several times, each time to another host."""
    urls = [f"http://{host}/robots.txt", *(f"http://hop-{number}-of-{host}/robots.txt" for number in range(hops))]
    return {url: redirect(target) for url, target in pairwise(urls)} | {urls[-1]: Answer(200, DISALLOW_ALL)}


def robots(host: str, *answers: Answer) -> dict[str, Answer | list[Answer]]:
    return {f"http://{host}/robots.txt": list(answers)}


def bomb() -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return compressor.compress(DISALLOW_ALL + b"#" * (50 << 20)) + compressor.flush()


ANSWERS: dict[str, Answer | list[Answer]] = {
    **robots("to-https.example", redirect("https://to-https.example/robots.txt")),
    "https://to-https.example/robots.txt": Answer(200, DISALLOW_ALL),
    **robots("to-www.example", redirect("//www.to-www.example/robots.txt", 302)),
    "http://www.to-www.example/robots.txt": Answer(200, DISALLOW_ALL),
    **chain("five.example", 5),
    **chain("six.example", 6),
    **robots("circle.example", redirect("/again")),
    "http://circle.example/again": redirect("/robots.txt", 307),
    **robots("to-inside.example", redirect("http://intern.example/robots.txt")),
    **robots("to-loopback.example", redirect("http://127.0.0.1/robots.txt")),
    **robots("to-file.example", redirect("file:///etc/passwd")),
    **robots("to-nowhere.example", Answer(301)),
    **robots("to-hang.example", redirect("http://hang.example/robots.txt")),
    **robots("hang.example", Answer(HANG)),
    **robots("hang-up.example", Answer(HANG_UP)),
    **robots("missing.example", Answer(404, DISALLOW_ALL)),
    **robots("forbidden.example", Answer(403, DISALLOW_ALL)),
    **robots("to-missing.example", redirect("http://missing.example/robots.txt")),
    **robots("down.example", Answer(503)),
    **robots("busy.example", Answer(429)),
    **robots("down-for-now.example", *[Answer(503)] * 4, Answer(200, b"")),
    **robots("large.example", Answer(200, DISALLOW_ALL + FILLER * (20 << 10))),
    **robots("huge.example", Answer(200, DISALLOW_ALL + b"#" * (12 << 20))),
    **robots("late.example", Answer(200, b"#" * LIMIT + b"\n" + DISALLOW_ALL)),
    **robots("cut.example", Answer(200, b"User-agent: *\n" + b"#" * (LIMIT - 25) + b"\nDisallow: /secret-only")),
    **robots("packed.example", Answer(200, gzip.compress(DISALLOW_ALL), {"Content-Encoding": "gzip"})),
    **robots("bomb.example", Answer(200, bomb(), {"Content-Encoding": "gzip"})),
    **robots("damaged.example", Answer(200, b"\x1f\x8b\x08 no gzip", {"Content-Encoding": "gzip"})),
    **robots("html.example", page("/robots.txt")),
    **robots("mark.example", Answer(200, b"\xef\xbb\xbf" + DISALLOW_ALL)),
    **robots("wide.example", Answer(200, DISALLOW_ALL.decode().encode("utf-16"))),
    **robots("zeros.example", Answer(200, DISALLOW_ALL.replace(b" ", b"\0 \0"))),
    **robots("carriage.example", Answer(200, DISALLOW_ALL.replace(b"\n", b"\r"))),
    "https://schemes.example/robots.txt": Answer(200, DISALLOW_ALL),
    "http://schemes.example/robots.txt": Answer(200, b""),
    "http://ports.example/robots.txt": Answer(200, b""),
    "http://ports.example:8081/robots.txt": Answer(200, DISALLOW_ALL),
}
FORBIDDEN = "Forbidden by robots.txt"
UNREADABLE = "robots.txt could not be read: "
# The reason why a page is not requested, or "" if it is.
EXPECTED = {
    "http://to-https.example/": FORBIDDEN,
    "http://to-www.example/": FORBIDDEN,
    "http://five.example/": FORBIDDEN,
    "http://six.example/": UNREADABLE + "more than 5 redirects",
    "http://circle.example/": UNREADABLE + "redirect loop",
    "http://to-inside.example/": UNREADABLE,
    "http://to-loopback.example/": UNREADABLE,
    "http://to-file.example/": UNREADABLE + "redirect to an invalid URL",
    "http://to-nowhere.example/": UNREADABLE + "redirect to an invalid URL",
    "http://to-hang.example/": UNREADABLE,
    "http://hang-up.example/": UNREADABLE,
    "http://missing.example/": "",
    "http://forbidden.example/": "",
    "http://to-missing.example/": "",
    "http://down.example/": UNREADABLE + "status 503",
    "http://busy.example/": UNREADABLE + "status 429",
    "http://down-for-now.example/": "",
    "http://large.example/": FORBIDDEN,
    "http://huge.example/": FORBIDDEN,
    "http://late.example/": "",
    "http://cut.example/": "",
    "http://packed.example/": FORBIDDEN,
    "http://bomb.example/": FORBIDDEN,
    "http://damaged.example/": UNREADABLE,
    "http://html.example/": "",
    "http://mark.example/": FORBIDDEN,
    "http://wide.example/": FORBIDDEN,
    "http://zeros.example/": FORBIDDEN,
    "http://carriage.example/": FORBIDDEN,
    "http://schemes.example/": "",
    "https://schemes.example/": FORBIDDEN,
    "http://ports.example/": "",
    "http://ports.example:8081/": FORBIDDEN,
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TinyWeb, dict[str, dict[str, Any]]]]:
    folder = tmp_path_factory.mktemp("robots")
    out = folder / "crawl.warc.gz"
    with serving(ANSWERS, folder) as web:
        crawl_with(web, out, list(EXPECTED), retries=1, robots_retry_delay=0.1, max_pages=200)
        yield web, {row["url"]: row for row in read_visits(out)}


@pytest.mark.parametrize("url", EXPECTED)
def test_a_page(crawled: tuple[TinyWeb, dict[str, dict[str, Any]]], url: str) -> None:
    web, rows = crawled
    if EXPECTED[url]:
        assert rows[url]["reason"].startswith(EXPECTED[url])
        assert url not in web.requested
    else:
        assert rows[url]["status"] == 200
        assert url in web.requested


def test_redirects_to_private_networks(crawled: tuple[TinyWeb, dict[str, dict[str, Any]]]) -> None:
    assert not [url for url in crawled[0].requested if "intern.example" in url or "127.0.0.1" in url]


def test_failing_servers_are_retried_twice(crawled: tuple[TinyWeb, dict[str, dict[str, Any]]]) -> None:
    """There are three tries, each with one retry by Scrapy."""
    for host in ("down", "busy"):
        assert crawled[0].requested.count(f"http://{host}.example/robots.txt") == 6


def test_robots_txt_is_not_in_the_journal(crawled: tuple[TinyWeb, dict[str, dict[str, Any]]]) -> None:
    assert not [url for url in crawled[1] if url.endswith("robots.txt")]


PROJECT = """
import json, sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess

arguments = json.loads(sys.argv[1])

class ProjectSpider(scrapy.Spider):
    name = "project"
    start_urls = arguments["seeds"]

    def parse(self, response):
        pass

process = AsyncCrawlerProcess({**arguments["settings"], "LOG_ENABLED": False})
crawler = process.create_crawler(ProjectSpider)
process.crawl(crawler)
process.start()
print(crawler.stats.get_value("finish_reason"))
"""


def test_pages_that_wait_for_the_same_rules(tmp_path: Path) -> None:
    """Scrapy's own scheduler requests several pages of a host at a time."""
    from webtongue.crawl import COMPONENTS

    seeds = [f"http://{host}.example/{number}" for host in ("closed", "down") for number in range(6)]
    settings = {
        **COMPONENTS, "SCHEDULER": "scrapy.core.scheduler.Scheduler", "ROBOTSTXT_OBEY": True, "WEBTONGUE_LANGUAGES": "de",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0, "REDIRECT_ENABLED": False, "RETRY_ENABLED": False,
    }  # fmt: skip
    answers = robots("closed.example", Answer(200, DISALLOW_ALL)) | robots("down.example", Answer(500))
    with serving(answers, tmp_path) as web:
        arguments = {"seeds": seeds, "settings": {**settings, "WEBTONGUE_CONNECT_TO": web.connect_to}}
        line = [sys.executable, "-c", PROJECT, json.dumps(arguments)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert done.stdout.split() == ["finished"], done.stderr[-3000:]
        assert sorted(web.requested) == ["http://closed.example/robots.txt", "http://down.example/robots.txt"]
