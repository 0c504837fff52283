"""Hostile input: bombs, floods, endless sizes. Memory stays bounded, and a row has the reason."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.census.archive_records import http, member, record, response, warc, zst
from tests.census.read.helpers import captures, text
from webtongue.census.capture import Problem
from webtongue.census.read import records

URL = "https://example.org/"
MB = 1 << 20


@contextmanager
def memory_below(max_bytes: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < max_bytes
    finally:
        tracemalloc.stop()


def zeros(size: int, head: bytes = b"") -> bytes:
    """Return a gzip member of zeros, built without holding them in memory."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    out = packer.compress(head)
    for _ in range(size // MB):
        out += packer.compress(bytes(MB))
    return out + packer.flush()


def head(size: int, url: str = URL + "bomb") -> bytes:
    """Return the WARC and HTTP heads of a response with a body of ``size`` bytes."""
    whole = response(url, b"", content_length=len(http(b"")) + size)
    return whole.removesuffix(b"\r\n\r\n")


def test_a_page_that_decompresses_to_200_megabytes_is_a_bomb() -> None:
    bomb = response(URL + "bomb", zeros(200 * MB), {"Content-Type": "text/html", "Content-Encoding": "gzip"})
    with memory_below(60 * MB):
        result = captures(warc([response(URL), bomb, response(URL + "2")]))
    assert [capture.problem for capture in result] == [Problem.NONE, Problem.BOMB, Problem.NONE]


def test_nested_bombs_are_detected() -> None:
    inner = gzip.compress(gzip.compress(zeros(200 * MB)))
    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip, gzip, gzip"}
    with memory_below(60 * MB):
        [result] = captures(warc([response(URL, inner, headers)]))
    assert (result.problem, result.body) == (Problem.BOMB, None)


@pytest.mark.parametrize("gz", [True, False])
def test_a_member_that_decompresses_to_200_megabytes_is_a_bomb(gz: bool) -> None:
    """The page is read up to its limit, and the length of the record shows the bomb."""
    bomb = zeros(200 * MB, head(200 * MB)) if gz else head(30 * MB) + bytes(30 * MB) + b"\r\n\r\n"
    good = warc([response(URL)], gz)
    with memory_below(100 * MB if gz else 140 * MB):
        result = captures(good + bomb + good)
    assert [capture.problem for capture in result] == [Problem.NONE, Problem.BOMB if gz else Problem.NONE, Problem.NONE]
    assert result[1].truncated == "length"


def test_records_over_the_limit_are_skipped() -> None:
    for packed in (member, bytes):
        large = packed(head(300_000) + text(1, 300_000) + b"\r\n\r\n")
        data = packed(response(URL)) + large + packed(response(URL + "2"))
        result = captures(data, max_record_bytes=100_000)
        assert [capture.problem for capture in result] == [Problem.NONE, Problem.TOO_LARGE, Problem.NONE]
        assert (result[1].body, result[1].url, result[1].length) == (None, URL + "bomb", len(large))


def test_the_next_member_is_searched_after_the_skip_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decompressing a member may take hours: after a limit the next one is searched for."""
    monkeypatch.setattr(records, "MAX_SKIPPED_BYTES", 40 * MB)
    data = warc([response(URL)]) + zeros(60 * MB, head(60 * MB)) + warc([response(URL + "2"), response(URL + "3")])
    for form in (data, data[:-4]):
        result = captures(form, max_record_bytes=10 * MB, max_page_bytes=MB)
        assert [capture.url for capture in result[:3]] == [URL, URL + "bomb", URL + "2"]
        assert result[1].problem is Problem.TOO_LARGE


def test_a_zstandard_bomb_is_detected() -> None:
    import zstandard

    packer = zstandard.ZstdCompressor().compressobj()
    bomb = packer.compress(head(200 * MB))
    bomb += b"".join(packer.compress(bytes(MB)) for _ in range(200)) + packer.flush()
    with memory_below(220 * MB):  # one step of Zstandard may return 64 MB
        result = captures(zst([response(URL)]) + bomb + zst([response(URL + "2")]))
    assert [capture.problem for capture in result] == [Problem.NONE, Problem.BOMB, Problem.NONE]


@pytest.mark.parametrize("gz", [True, False])
def test_floods_of_fields_affect_no_other_record(gz: bool) -> None:
    flood = record("response", http(b""), URL, "application/http").replace(
        b"WARC-Date", b"X: y\r\n" * 100_000 + b"WARC-Date"
    )
    long = response(URL, block_digest="x" * 1_000_000)
    endless = b"WARC/1.0\r\nWARC-Type: response\r\nX: " + b"y" * 300_000
    nulls = response(URL, b"\x00" * 500, {"Content-Type": "text/\x00html", "\x00": "\x00"}, ip="\x00")
    headers = {"Content-Type": "text/html", **{f"X-{number}": "y" for number in range(8000)}}
    many = response(URL + "many", b"<p>", headers)
    for bad in (flood, long, endless, nulls):
        result = captures(warc([response(URL + "1"), bad, many, response(URL + "2")], gz))
        assert [capture.url for capture in result if capture.url not in ("", URL)] == [
            URL + "1",
            URL + "many",
            URL + "2",
        ]
    too_many = response(URL, b"<p>", {f"X-{number}": "y" * 20 for number in range(100_000)})
    assert [capture.problem for capture in captures(warc([too_many], gz))] == [Problem.BAD_HTTP]


def test_endless_chunks_are_bounded() -> None:
    headers = {"Content-Type": "text/html", "Transfer-Encoding": "chunked"}
    for body in (
        b"f" * 500_000,
        b"1\r\nx\r\n" * 200_000,
        b"1;" + b"x" * 500_000,
        b"7fffffffffffffff\r\nabc",
        b" " * 500_000,
    ):
        [result] = captures(warc([response(URL, body, headers)]))
        assert result.body is not None
        assert len(result.body) <= len(body)


def test_a_record_of_a_thousand_members_is_read() -> None:
    parts = b"".join(member(bytes([byte])) for byte in warc([response(URL, text(1, 3000))], gz=False))
    [result] = captures(parts)
    assert result.body == text(1, 3000)


def test_fields_are_truncated() -> None:
    [result] = captures(
        warc([response(URL + "x" * 30_000, ip="1" * 5000, payload_digest="y" * 5000, truncated="z" * 5000)])
    )
    assert (len(result.url), len(result.ip), len(result.digest), len(result.truncated)) == (1 << 14, 128, 128, 128)
