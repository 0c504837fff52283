"""Tables of pages: JSON Lines and Parquet, with the columns that crawls have."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.census.read.captures import digest_of

URL = "https://example.is/"
PAGE = "<p>Góðan dag"


def captures(path: Path, kind: str, **config: Any) -> list[Capture]:
    return list(read(Source(str(path), kind, path.name), Config(**config)))


def as_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def as_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)
    return path


KINDS = {"jsonl": as_lines, "parquet": as_parquet}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row(tmp_path: Path, kind: str) -> None:
    row = {
        "url": URL,
        "html": PAGE,
        "ip": "192.0.2.7",
        "fetch_time": "2024-05-18T04:00:00Z",
        "fetch_status": 404,
        "headers": json.dumps({"Content-Type": "text/html; charset=x", "Content-Language": "is"}),
        "country": "IS",
        "digest": "sha1:ABC",
        "other": 7,
    }
    [found] = captures(KINDS[kind](tmp_path / "a", [row]), kind)
    assert (found.url, found.body, found.record_type) == (URL, PAGE.encode(), "page")
    assert (found.ip, found.fetch_time, found.fetch_status) == ("192.0.2.7", 1716004800000, 404)
    assert found.headers == {"content-type": "text/html; charset=x", "content-language": "is"}
    assert (found.mime_type, found.country, found.digest, found.filename) == ("text/html", "IS", "ABC", "a")
    assert (found.is_text, found.problem) == (False, Problem.NONE)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_in_one_of_three_columns_or_in_the_one_named(tmp_path: Path, kind: str) -> None:
    rows = [
        {"url": URL, "html": PAGE, "content": "no", "text": "no", "body": "other"},
        {"url": URL, "html": None, "content": PAGE, "text": "no", "body": None},
        {"url": URL, "html": None, "content": None, "text": "Góðan dag", "body": None},
        {"url": URL, "html": None, "content": None, "text": None, "body": None},
    ]
    path = KINDS[kind](tmp_path / "a", rows)
    html, content, text, none = captures(path, kind)
    assert (html.body, html.is_text) == (PAGE.encode(), False)
    assert (content.body, content.is_text) == (PAGE.encode(), False)
    assert (text.body, text.is_text) == ("Góðan dag".encode(), True)
    assert (none.problem, none.url, none.status) == (Problem.BAD_ROW, URL, Status.FAILED)
    named = captures(path, kind, content_column="body")
    assert [capture.body for capture in named] == [b"other", None, None, None]
    assert captures(path, kind, url_column="body", content_column="html")[0].url == "other"


def test_bytes_are_as_they_are(tmp_path: Path) -> None:
    raw = PAGE.encode("iso-8859-1") + b"\x00"
    found = captures(
        as_parquet(tmp_path / "a", [{"url": URL, "content": raw}, {"url": URL, "content": raw}]), "parquet"
    )
    assert [(capture.body, capture.offset) for capture in found] == [(raw, 0), (raw, 1)]
    assert found[0].digest == digest_of(raw)


@pytest.mark.parametrize(
    ("value", "millis"),
    [
        (datetime(2024, 5, 18, 4), 1716004800000),
        (datetime(2024, 5, 18, 4, tzinfo=UTC), 1716004800000),
        (1716004800, 1716004800000),
        (1716004800000, 1716004800000),
        (1716004800.5, 1716004800500),
        ("20240518040000", 1716004800000),
        ("2024-05-18 04:00:00", 1716004800000),
        ("no date", 0),
        (-5, 0),
        (2**62, 0),
    ],
)
def test_times(tmp_path: Path, value: Any, millis: int) -> None:
    [found] = captures(as_parquet(tmp_path / "a", [{"url": URL, "text": "x", "timestamp": value}]), "parquet")
    assert found.fetch_time == millis


def test_headers_as_maps_and_lists(tmp_path: Path) -> None:
    typed = pa.array(
        [[("Content-Type", "text/html"), ("content-type", "text/plain"), ("X", None)]],
        pa.map_(pa.string(), pa.string()),
    )
    pq.write_table(pa.table({"url": [URL], "html": [PAGE], "headers": typed}), tmp_path / "a")
    [found] = captures(tmp_path / "a", "parquet")
    assert found.headers == {"content-type": "text/html"}
    [found] = captures(
        as_lines(tmp_path / "b", [{"html": PAGE, "headers": {"A": "b", "C": 7}, "content_type": "image/png"}]), "jsonl"
    )
    assert (found.headers, found.status) == ({"a": "b", "content-type": "image/png"}, Status.SKIPPED)


def test_packed_lines(tmp_path: Path) -> None:
    lines = b"".join(json.dumps({"url": f"{URL}{number}", "html": PAGE}).encode() + b"\n" for number in range(5))
    for name, data in (
        ("a.jsonl", b"\xef\xbb\xbf" + lines),
        ("a.jsonl.gz", gzip.compress(lines)),
        ("a.ndjson.zst", zstandard.compress(lines)),
    ):
        (tmp_path / name).write_bytes(data)
        found = captures(tmp_path / name, "jsonl")
        assert [capture.url for capture in found] == [f"{URL}{number}" for number in range(5)]
    assert [capture.offset for capture in found] == [at for at in range(0, len(lines), len(lines) // 5)]


def test_lines_that_are_none(tmp_path: Path) -> None:
    good = json.dumps({"url": URL, "html": PAGE}).encode()
    bad = [
        b"not json",
        b"[1, 2]",
        b'"text"',
        b"{",
        b'{"html": NaN}',
        b'{"html": 1e999}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"html": 5}',
        b"{}",
    ]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([good, b"", *bad, b"   ", good]))
    found = captures(path, "jsonl")
    assert [capture.problem for capture in found] == [Problem.NONE, *[Problem.BAD_ROW] * len(bad), Problem.NONE]
    assert all(capture.detail and capture.record_type == "page" for capture in found if capture.problem)
    assert path.read_bytes()[found[-1].offset :] == good


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    good = json.dumps({"url": URL, "html": PAGE}).encode()
    path = tmp_path / "a.jsonl"
    for long in (b'{"html": "' + b"x" * 700_000 + b'"}', b"x" * 2_000_000):
        for lines in ([good, long, good], [good, long]):
            path.write_bytes(b"\n".join(lines))
            found = captures(path, "jsonl", largest_page=100_000)
            assert [capture.problem for capture in found] == [
                Problem.BAD_ROW if line is long else Problem.NONE for line in lines
            ]
    path.write_bytes(b'{"html": "' + b"x" * 150_000 + b'"}')
    [found_one] = captures(path, "jsonl", largest_page=100_000)
    assert (len(found_one.body or b""), found_one.truncated) == (100_000, "length")


def test_packed_lines_that_break_off(tmp_path: Path) -> None:
    lines = b"".join(
        json.dumps({"url": f"{URL}{number}", "html": digest_of(b"%d" % number)}).encode() + b"\n"
        for number in range(500)
    )
    packed = gzip.compress(lines)
    path = tmp_path / "a.jsonl.gz"
    for data in (packed[: len(packed) // 2], packed[:9000] + b"\xff" * 9 + packed[9009:]):
        path.write_bytes(data)
        found = captures(path, "jsonl")
        assert found[-1].problem is Problem.UNREADABLE
        assert found[0].url == f"{URL}0"
        assert len(found) > 50


def test_parquet_that_cannot_be_used(tmp_path: Path) -> None:
    path = as_parquet(tmp_path / "a", [{"url": URL, "other": 1}])
    [found] = captures(path, "parquet")
    assert (found.problem, found.detail) == (
        Problem.UNREADABLE,
        "no column html or content or text: the one with pages is to be named",
    )
    raw = as_parquet(tmp_path / "b", [{"url": f"{URL}{n}", "html": PAGE * n} for n in range(30)]).read_bytes()
    for number in range(0, len(raw), max(len(raw) // 60, 1)):
        path.write_bytes(raw[:number] + b"\xff\xff" + raw[number + 2 :])
        assert all(isinstance(capture, Capture) for capture in captures(path, "parquet"))
        path.write_bytes(raw[:number])
        assert captures(path, "parquet")[-1].problem is Problem.UNREADABLE


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample(tmp_path: Path, kind: str) -> None:
    path = KINDS[kind](tmp_path / "a", [{"url": URL, "html": f"{PAGE} {number}"} for number in range(300)])
    few = captures(path, kind, sample=0.1)
    assert 10 < len(few) < 60
    assert few == captures(path, kind, sample=0.1)
