"""Heads of HTTP responses, by the standard and as archives contain them."""

from __future__ import annotations

import random

import pytest

from webtongue.census.read.http import MAX_HEAD_BYTES, parse_http_head


def test_header_names_ignore_case_and_values_are_unchanged() -> None:
    result = parse_http_head(
        b"HTTP/1.0 404 Not Found\r\ncontent-TYPE:Text/HTML; Charset=X \r\nServer: a\r\nLOCATION : /b\r\n\r\nbody"
    )
    assert result is not None
    assert (result.status, result.headers) == (404, {"content-type": "Text/HTML; Charset=X", "location": "/b"})
    assert (result.body_start, result.is_complete) == (
        len(b"HTTP/1.0 404 Not Found\r\ncontent-TYPE:Text/HTML; Charset=X \r\nServer: a\r\nLOCATION : /b\r\n\r\n"),
        True,
    )


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r\r\n"])
def test_all_line_ends_are_accepted(end: bytes) -> None:
    head = end.join([b"HTTP/1.1 200 OK", b"Content-Type: text/html", b"Content-Language: is", b"", b""])
    result = parse_http_head(head + b"body\r\n\r\nmore\n\n")
    assert result is not None
    assert (result.headers, result.body_start) == ({"content-type": "text/html", "content-language": "is"}, len(head))


def test_the_first_header_counts_and_lists_are_joined() -> None:
    result = parse_http_head(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\ncontent-type: text/plain\r\nContent-Encoding: gzip\r\n\r\n"
    )
    assert result is not None
    assert result.headers == {"content-type": "text/html", "content-encoding": "br, gzip"}


def test_folded_lines_are_joined_and_bad_lines_ignored() -> None:
    result = parse_http_head(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n\t charset=utf-8\r\nno colon\r\n: none\r\nContent-Typewriter: x\r\n\r\n"
    )
    assert result is not None
    assert result.headers == {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("line", "status"),
    [(b"HTTP/1.1 200", 200), (b"HTTP/1.0  302 ", 302), (b"HTTP/2 200", 200), (b"HTTP 200 OK", 200), (b"ICY 200 OK", 200), (b"HTTP/1.1\t204 x", 204)],
)  # fmt: skip
def test_status_lines(line: bytes, status: int) -> None:
    result = parse_http_head(line + b"\r\n\r\n")
    assert result is not None
    assert result.status == status


@pytest.mark.parametrize(
    "block",
    [b"", b"HTTP/1.1", b"HTTP/1.1 20\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"<html>"],
)
def test_other_bytes_are_no_response(block: bytes) -> None:
    assert parse_http_head(block) is None


def test_a_head_without_end_is_incomplete() -> None:
    result = parse_http_head(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServ")
    assert result is not None
    assert (result.headers, result.is_complete, result.body_start) == ({"content-type": "text/html"}, False, 46)
    assert parse_http_head(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * MAX_HEAD_BYTES) is None


def test_floods_are_bounded() -> None:
    many = b"HTTP/1.1 200 OK\r\n" + b"Link: <a>\r\n" * 20_000 + b"\r\n"
    result = parse_http_head(many)
    assert result is not None
    assert result.headers["link"].count("<a>") == 64
    long = parse_http_head(b"HTTP/1.1 200 OK\r\nContent-Type: " + b"x" * 100_000 + b"\r\n\r\n")
    assert long is not None
    assert len(long.headers["content-type"]) <= 8192
    assert (
        parse_http_head(
            b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n"
        )
        is not None
    )


def test_any_bytes_are_parsed_without_errors() -> None:
    chosen = random.Random(2)
    for _ in range(500):
        parse_http_head(
            b"HTTP/1.1 200 OK\r\n" + bytes(chosen.choices(b"\x00\xff\r\n :\tcontent-type", k=chosen.randrange(300)))
        )
