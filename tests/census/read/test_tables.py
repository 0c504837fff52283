"""Tables of pages: JSON Lines and Parquet, with the columns of crawls."""

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
from webtongue.census.read.captures import payload_digest

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
    [result] = captures(KINDS[kind](tmp_path / "a", [row]), kind)
    assert (result.url, result.body, result.record_type) == (URL, PAGE.encode(), "page")
    assert (result.ip, result.fetch_time, result.fetch_status) == ("192.0.2.7", 1716004800000, 404)
    assert result.headers == {"content-type": "text/html; charset=x", "content-language": "is"}
    assert (result.mime_type, result.country, result.digest, result.filename) == ("text/html", "IS", "ABC", "a")
    assert (result.is_text, result.problem) == (False, Problem.NONE)


@pytest.mark.parametrize("kind", KINDS)
def test_the_content_column_is_detected_or_named(tmp_path: Path, kind: str) -> None:
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


def test_binary_pages_are_unchanged(tmp_path: Path) -> None:
    raw = PAGE.encode("iso-8859-1") + b"\x00"
    result = captures(
        as_parquet(tmp_path / "a", [{"url": URL, "content": raw}, {"url": URL, "content": raw}]), "parquet"
    )
    assert [(capture.body, capture.offset) for capture in result] == [(raw, 0), (raw, 1)]
    assert result[0].digest == payload_digest(raw)


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
    [result] = captures(as_parquet(tmp_path / "a", [{"url": URL, "text": "x", "timestamp": value}]), "parquet")
    assert result.fetch_time == millis


def test_headers_as_maps_and_lists(tmp_path: Path) -> None:
    typed = pa.array(
        [[("Content-Type", "text/html"), ("content-type", "text/plain"), ("X", None)]],
        pa.map_(pa.string(), pa.string()),
    )
    pq.write_table(pa.table({"url": [URL], "html": [PAGE], "headers": typed}), tmp_path / "a")
    [result] = captures(tmp_path / "a", "parquet")
    assert result.headers == {"content-type": "text/html"}
    [result] = captures(
        as_lines(tmp_path / "b", [{"html": PAGE, "headers": {"A": "b", "C": 7}, "content_type": "image/png"}]), "jsonl"
    )
    assert (result.headers, result.status) == ({"a": "b", "content-type": "image/png"}, Status.SKIPPED)


def test_compressed_lines_are_read(tmp_path: Path) -> None:
    lines = b"".join(json.dumps({"url": f"{URL}{number}", "html": PAGE}).encode() + b"\n" for number in range(5))
    for name, data in (
        ("a.jsonl", b"\xef\xbb\xbf" + lines),
        ("a.jsonl.gz", gzip.compress(lines)),
        ("a.ndjson.zst", zstandard.compress(lines)),
    ):
        (tmp_path / name).write_bytes(data)
        result = captures(tmp_path / name, "jsonl")
        assert [capture.url for capture in result] == [f"{URL}{number}" for number in range(5)]
    assert [capture.offset for capture in result] == [at for at in range(0, len(lines), len(lines) // 5)]


def test_bad_lines_become_rows(tmp_path: Path) -> None:
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
    result = captures(path, "jsonl")
    assert [capture.problem for capture in result] == [Problem.NONE, *[Problem.BAD_ROW] * len(bad), Problem.NONE]
    assert all(capture.detail and capture.record_type == "page" for capture in result if capture.problem)
    assert path.read_bytes()[result[-1].offset :] == good


def test_a_line_that_is_too_long_is_skipped(tmp_path: Path) -> None:
    good = json.dumps({"url": URL, "html": PAGE}).encode()
    path = tmp_path / "a.jsonl"
    for long in (b'{"html": "' + b"x" * 700_000 + b'"}', b"x" * 2_000_000):
        for lines in ([good, long, good], [good, long]):
            path.write_bytes(b"\n".join(lines))
            result = captures(path, "jsonl", max_page_bytes=100_000)
            assert [capture.problem for capture in result] == [
                Problem.BAD_ROW if line is long else Problem.NONE for line in lines
            ]
    path.write_bytes(b'{"html": "' + b"x" * 150_000 + b'"}')
    [found_one] = captures(path, "jsonl", max_page_bytes=100_000)
    assert (len(found_one.body or b""), found_one.truncated) == (100_000, "length")


def test_cut_compressed_lines_are_reported(tmp_path: Path) -> None:
    lines = b"".join(
        json.dumps({"url": f"{URL}{number}", "html": payload_digest(b"%d" % number)}).encode() + b"\n"
        for number in range(500)
    )
    packed = gzip.compress(lines)
    path = tmp_path / "a.jsonl.gz"
    for data in (packed[: len(packed) // 2], packed[:9000] + b"\xff" * 9 + packed[9009:]):
        path.write_bytes(data)
        result = captures(path, "jsonl")
        assert result[-1].problem is Problem.UNREADABLE
        assert result[0].url == f"{URL}0"
        assert len(result) > 50


def test_unusable_parquet_is_reported(tmp_path: Path) -> None:
    path = as_parquet(tmp_path / "a", [{"url": URL, "other": 1}])
    [result] = captures(path, "parquet")
    assert (result.problem, result.detail) == (
        Problem.UNREADABLE,
        "no column html or content or text: name the column of pages with --content-column",
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


MB = 1 << 20


def test_a_small_parquet_file_of_many_large_pages_is_a_bomb(tmp_path: Path) -> None:
    """A repeated value is stored once, so 700 bytes can hold 20,000 pages of 3 MB."""
    path = tmp_path / "a.parquet"
    page = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array([b"<p>a" * (3 * MB // 4)]))
    pq.write_table(pa.table({"url": [URL] * 20_000, "html": page}), path, compression="zstd", store_schema=False)
    assert path.stat().st_size < 2000
    result = captures(path, "parquet", max_record_bytes=20 * MB, max_page_bytes=MB)
    assert [capture.problem for capture in result] == [Problem.NONE] * 6 + [Problem.BOMB]
    assert all(len(capture.body or b"") == MB for capture in result[:-1]) and result[-1].status is Status.FAILED


def test_a_row_group_that_is_a_bomb_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pages = [b"a" * (4 * MB)] * 10 + [b"<p>b"] * 10
    pq.write_table(pa.table({"html": pages}), path, compression="zstd", use_dictionary=False, row_group_size=10)
    result = captures(path, "parquet", max_record_bytes=30 * MB, max_page_bytes=MB)
    assert [(capture.problem, capture.body) for capture in result[:2]] == [
        (Problem.BOMB, None),
        (Problem.NONE, b"<p>b"),
    ]
    assert len(result) == 11


def test_a_million_empty_rows_are_a_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"html": pa.nulls(1_000_000, pa.string())}), path, compression="zstd")
    result = captures(path, "parquet", max_record_bytes=MB)
    assert (len(result), result[-1].problem) == (MB // 256 + 1, Problem.BOMB)


@pytest.mark.parametrize("rows", [1, 3, 200])
def test_large_rows_are_read_one_at_a_time(tmp_path: Path, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.census.read import tabular

    path = as_parquet(tmp_path / "a", [{"url": f"{URL}{number}", "html": PAGE} for number in range(rows)])
    held: list[int] = []
    read_rows = tabular._to_rows
    monkeypatch.setattr(tabular, "_to_rows", lambda batch: held.append(batch.num_rows) or read_rows(batch))
    whole = captures(path, "parquet")
    assert [capture.url for capture in whole] == [f"{URL}{number}" for number in range(rows)] and max(held) <= 7
    held.clear()
    monkeypatch.setattr(tabular, "MAX_BATCH_BYTES", 100)
    assert captures(path, "parquet") == whole and set(held) == {1}


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_compressed_lines_can_be_a_bomb(tmp_path: Path, pack: Any) -> None:
    line = json.dumps({"url": URL, "html": " " * MB}).encode() + b"\n"
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack(line * 40))
    result = captures(path, "jsonl", max_record_bytes=10 * MB, max_page_bytes=3 * MB)
    assert result[-1].problem is Problem.BOMB and len(result) < 20
    path.write_bytes(pack(json.dumps({"url": URL, "html": PAGE}).encode() + b"\n") * 5000)
    assert len(captures(path, "jsonl", max_record_bytes=1000)) == 5000
