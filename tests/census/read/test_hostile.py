"""Input made to do harm: bombs, floods, endless sizes. Memory stays bounded, and a row says what it was."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.census.making import http, member, record, response, warc, zst
from tests.census.read.reading import captures, text
from webtongue.census.capture import Problem
from webtongue.census.read import records

URL = "https://example.org/"
MB = 1 << 20


@contextmanager
def memory_below(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def zeros(size: int, head: bytes = b"") -> bytes:
    """A gzip member of so many zeros, made without holding them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    out = packer.compress(head)
    for _ in range(size // MB):
        out += packer.compress(bytes(MB))
    return out + packer.flush()


def head(size: int, url: str = URL + "bomb") -> bytes:
    """The heads of a response that holds so many bytes."""
    whole = response(url, b"", content_length=len(http(b"")) + size)
    return whole.removesuffix(b"\r\n\r\n")


def test_a_page_that_unpacks_to_200_megabytes() -> None:
    bomb = response(URL + "bomb", zeros(200 * MB), {"Content-Type": "text/html", "Content-Encoding": "gzip"})
    with memory_below(60 * MB):
        found = captures(warc([response(URL), bomb, response(URL + "2")]))
    assert [capture.problem for capture in found] == [Problem.NONE, Problem.BOMB, Problem.NONE]


def test_bombs_within_bombs() -> None:
    inner = gzip.compress(gzip.compress(zeros(200 * MB)))
    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip, gzip, gzip"}
    with memory_below(60 * MB):
        [found] = captures(warc([response(URL, inner, headers)]))
    assert (found.problem, found.body) == (Problem.BOMB, None)


@pytest.mark.parametrize("gz", [True, False])
def test_a_member_that_unpacks_to_200_megabytes(gz: bool) -> None:
    """Read as far as a page goes; what it is shows by its length."""
    bomb = zeros(200 * MB, head(200 * MB)) if gz else head(30 * MB) + bytes(30 * MB) + b"\r\n\r\n"
    good = warc([response(URL)], gz)
    with memory_below(100 * MB if gz else 140 * MB):
        found = captures(good + bomb + good)
    assert [capture.problem for capture in found] == [Problem.NONE, Problem.BOMB if gz else Problem.NONE, Problem.NONE]
    assert found[1].truncated == "length"


def test_records_over_the_limit_are_passed_over() -> None:
    for packed in (member, bytes):
        large = packed(head(300_000) + text(1, 300_000) + b"\r\n\r\n")
        data = packed(response(URL)) + large + packed(response(URL + "2"))
        found = captures(data, largest_record=100_000)
        assert [capture.problem for capture in found] == [Problem.NONE, Problem.TOO_LARGE, Problem.NONE]
        assert (found[1].body, found[1].url, found[1].length) == (None, URL + "bomb", len(large))


def test_a_record_too_long_to_be_passed_over_is_leapt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member may unpack for hours: after a bound the next one is searched for."""
    monkeypatch.setattr(records, "LONGEST_PASSED", 40 * MB)
    data = warc([response(URL)]) + zeros(60 * MB, head(60 * MB)) + warc([response(URL + "2"), response(URL + "3")])
    for form in (data, data[:-4]):
        found = captures(form, largest_record=10 * MB, largest_page=MB)
        assert [capture.url for capture in found[:3]] == [URL, URL + "bomb", URL + "2"]
        assert found[1].problem is Problem.TOO_LARGE


def test_frames_of_zstandard_that_unpack_to_much() -> None:
    import zstandard

    packer = zstandard.ZstdCompressor().compressobj()
    bomb = packer.compress(head(200 * MB))
    bomb += b"".join(packer.compress(bytes(MB)) for _ in range(200)) + packer.flush()
    with memory_below(220 * MB):  # a step of packed bytes may unpack to 64 MB at once
        found = captures(zst([response(URL)]) + bomb + zst([response(URL + "2")]))
    assert [capture.problem for capture in found] == [Problem.NONE, Problem.BOMB, Problem.NONE]


@pytest.mark.parametrize("gz", [True, False])
def test_floods_of_fields(gz: bool) -> None:
    flood = record("response", http(b""), URL, "application/http").replace(
        b"WARC-Date", b"X: y\r\n" * 100_000 + b"WARC-Date"
    )
    long = response(URL, block_digest="x" * 1_000_000)
    endless = b"WARC/1.0\r\nWARC-Type: response\r\nX: " + b"y" * 300_000
    nulls = response(URL, b"\x00" * 500, {"Content-Type": "text/\x00html", "\x00": "\x00"}, ip="\x00")
    headers = {"Content-Type": "text/html", **{f"X-{number}": "y" for number in range(8000)}}
    many = response(URL + "many", b"<p>", headers)
    for bad in (flood, long, endless, nulls):
        found = captures(warc([response(URL + "1"), bad, many, response(URL + "2")], gz))
        assert [capture.url for capture in found if capture.url not in ("", URL)] == [
            URL + "1",
            URL + "many",
            URL + "2",
        ]
    too_many = response(URL, b"<p>", {f"X-{number}": "y" * 20 for number in range(100_000)})
    assert [capture.problem for capture in captures(warc([too_many], gz))] == [Problem.BAD_HTTP]


def test_chunks_without_end() -> None:
    headers = {"Content-Type": "text/html", "Transfer-Encoding": "chunked"}
    for body in (
        b"f" * 500_000,
        b"1\r\nx\r\n" * 200_000,
        b"1;" + b"x" * 500_000,
        b"7fffffffffffffff\r\nabc",
        b" " * 500_000,
    ):
        [found] = captures(warc([response(URL, body, headers)]))
        assert found.body is not None
        assert len(found.body) <= len(body)


def test_a_thousand_small_members_are_no_burden() -> None:
    parts = b"".join(member(bytes([byte])) for byte in warc([response(URL, text(1, 3000))], gz=False))
    [found] = captures(parts)
    assert found.body == text(1, 3000)


def test_fields_are_cut_to_a_length() -> None:
    [found] = captures(
        warc([response(URL + "x" * 30_000, ip="1" * 5000, payload_digest="y" * 5000, truncated="z" * 5000)])
    )
    assert (len(found.url), len(found.ip), len(found.digest), len(found.truncated)) == (1 << 14, 128, 128, 128)
