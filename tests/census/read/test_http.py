"""Heads of HTTP responses: as the standard has them and as archives do."""

from __future__ import annotations

import random

import pytest

from webtongue.census.read.http import LONGEST, head_of


def test_names_in_any_case_and_values_as_they_are() -> None:
    found = head_of(
        b"HTTP/1.0 404 Not Found\r\ncontent-TYPE:Text/HTML; Charset=X \r\nServer: a\r\nLOCATION : /b\r\n\r\nbody"
    )
    assert found is not None
    assert (found.status, found.headers) == (404, {"content-type": "Text/HTML; Charset=X", "location": "/b"})
    assert (found.start, found.whole) == (
        len(b"HTTP/1.0 404 Not Found\r\ncontent-TYPE:Text/HTML; Charset=X \r\nServer: a\r\nLOCATION : /b\r\n\r\n"),
        True,
    )


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r\r\n"])
def test_lines_end_in_several_ways(end: bytes) -> None:
    head = end.join([b"HTTP/1.1 200 OK", b"Content-Type: text/html", b"Content-Language: is", b"", b""])
    found = head_of(head + b"body\r\n\r\nmore\n\n")
    assert found is not None
    assert (found.headers, found.start) == ({"content-type": "text/html", "content-language": "is"}, len(head))


def test_the_first_counts_and_lists_are_joined() -> None:
    found = head_of(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\ncontent-type: text/plain\r\nContent-Encoding: gzip\r\n\r\n"
    )
    assert found is not None
    assert found.headers == {"content-type": "text/html", "content-encoding": "br, gzip"}


def test_folded_lines_and_lines_that_are_none() -> None:
    found = head_of(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n\t charset=utf-8\r\nno colon\r\n: none\r\nContent-Typewriter: x\r\n\r\n"
    )
    assert found is not None
    assert found.headers == {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("line", "status"),
    [(b"HTTP/1.1 200", 200), (b"HTTP/1.0  302 ", 302), (b"HTTP/2 200", 200), (b"HTTP 200 OK", 200), (b"ICY 200 OK", 200), (b"HTTP/1.1\t204 x", 204)],
)  # fmt: skip
def test_status_lines(line: bytes, status: int) -> None:
    found = head_of(line + b"\r\n\r\n")
    assert found is not None
    assert found.status == status


@pytest.mark.parametrize(
    "block",
    [b"", b"HTTP/1.1", b"HTTP/1.1 20\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"<html>"],
)
def test_what_is_no_response(block: bytes) -> None:
    assert head_of(block) is None


def test_a_head_without_end() -> None:
    found = head_of(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServ")
    assert found is not None
    assert (found.headers, found.whole, found.start) == ({"content-type": "text/html"}, False, 46)
    assert head_of(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * LONGEST) is None


def test_floods_are_bounded() -> None:
    many = b"HTTP/1.1 200 OK\r\n" + b"Link: <a>\r\n" * 20_000 + b"\r\n"
    found = head_of(many)
    assert found is not None
    assert found.headers["link"].count("<a>") == 64
    long = head_of(b"HTTP/1.1 200 OK\r\nContent-Type: " + b"x" * 100_000 + b"\r\n\r\n")
    assert long is not None
    assert len(long.headers["content-type"]) <= 8192
    assert (
        head_of(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n")
        is not None
    )


def test_any_bytes() -> None:
    chosen = random.Random(2)
    for _ in range(500):
        head_of(
            b"HTTP/1.1 200 OK\r\n" + bytes(chosen.choices(b"\x00\xff\r\n :\tcontent-type", k=chosen.randrange(300)))
        )
