"""URLs of pages: which are refused, and which two are the same page."""

from __future__ import annotations

import random

import pytest

from webtongue.crawl.urls import parse_url


@pytest.mark.parametrize(
    "url",
    [
        "", "http://", "ftp://example.org/", "javascript:alert(1)", "mailto:a@example.org", "data:text/html,x", "file:///etc/passwd",
        "http://example.org/film.MP4", "http://example.org/a.css?v=3", "http://user:pw@example.org/", "http://[::1", "http://a..b/",
        "http://example.org:99999/", "http://example.org:x/", "http://example.org/a b", "http://example.org/\x00", "//example.org/",
        "http://" + "a" * 300 + ".org/", "http://example.org/" + "a" * 3000, "http://example.org/<script>", "gopher://example.org/",
    ],
)  # fmt: skip
def test_refused_urls(url: str) -> None:
    assert parse_url(url, 2048) is None


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("http://example.org", "HTTP://EXAMPLE.ORG:80/#top"),
        ("http://example.org/a?PHPSESSID=abc&x=1", "http://example.org/a?x=1&PHPSESSID=def"),
        ("http://example.org/a;jsessionid=12AB?x=1", "http://example.org/a?x=1"),
        ("http://example.org/?utm_source=a&b=2", "http://example.org/?b=2"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ],
)
def test_the_same_page(url: str, other: str) -> None:
    first, second = parse_url(url, 2048), parse_url(other, 2048)
    assert first is not None and second is not None and first.key == second.key


def test_hosts_are_those_of_the_paper() -> None:
    """A host is everything before the first slash, without www. (Baykan 2013, 5.2)."""
    urls = [
        parse_url(f"http://{host}/x", 99)
        for host in ("www.example.com", "example.com", "blog.example.com", "example.com:8080")
    ]
    assert [url.host for url in urls if url] == ["example.com", "example.com", "blog.example.com", "example.com:8080"]
    assert {url.domain for url in urls if url} == {"example.com"}


def test_http_only() -> None:
    assert parse_url("https://example.org/", 99, http_only=True) is None
    assert parse_url("http://example.org/", 99, http_only=True) is not None


def test_garbage_never_raises() -> None:
    rng = random.Random(1)
    alphabet = "htp:/[]@%.#?&=;\\ \x00\n\u202eéx0"
    for _ in range(5000):
        parse_url(
            "http://" * rng.randrange(2) + "".join(rng.choice(alphabet) for _ in range(rng.randrange(30))),
            2048,
        )
