"""Inputs are expanded to sources, and sources grouped to work items, deterministically."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from tests.census.archive_records import arc, arc_record, http, member, response, warc, warcinfo
from tests.census.read.helpers import crawl, text
from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.items import Source, WorkItem
from webtongue.census.read import inputs, partition, read
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.errors import UsageError

URL = "https://example.org/"
MB = 1 << 20


def kinds(*paths: str | Path, **config: str) -> list[tuple[str, str]]:
    result = expand_inputs([str(path) for path in paths], Config(**config))  # type: ignore[arg-type]
    return [(os.path.basename(source.path), source.kind) for source in result]


NAMES = {
    "a.warc": "warc",
    "a.warc.gz": "warc",
    "A.WARC.GZ": "warc",
    "a.warc.zst": "warc",
    "a.warc.wet.gz": "warc",
    "a.wet": "warc",
    "a.arc": "arc",
    "a.arc.gz": "arc",
    "a.wacz": "wacz",
    "a.jsonl": "jsonl",
    "a.jsonl.gz": "jsonl",
    "a.ndjson.zst": "jsonl",
    "a.parquet": "parquet",
    "a.html": "page",
    "a.xhtml": "page",
}


@pytest.mark.parametrize("name", NAMES)
def test_kinds_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert kinds(tmp_path / name) == [(name, NAMES[name])]


def test_kinds_by_first_bytes(tmp_path: Path) -> None:
    files = {
        "warc": warc([warcinfo()], gz=False),
        "warc_packed": warc([warcinfo()]),
        "arc": arc([arc_record(URL, http(b""))]),
        "jsonl": b'{"url": "x"}',
        "jsonl_packed": gzip.compress(b' {"url": "x"}'),
        "parquet": b"PAR1xx",
        "wacz": b"PK\x03\x04",
        "page": b"<!doctype html>",
        "page_of_noise": b"\xff\x00",
        "page_of_nothing": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        assert kinds(tmp_path / name) == [(name, name.partition("_")[0])]


def test_a_folder_is_walked_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b.html", "a.warc.gz", "sub/c.parquet", "sub/a.txt", "z", "list.paths"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    expected = [
        ("a.warc.gz", "warc"),
        ("b.html", "page"),
        ("list.paths", "page"),
        ("a.txt", "page"),
        ("c.parquet", "parquet"),
        ("z", "page"),
    ]
    assert kinds(tmp_path) == expected
    [first, *_] = expand_inputs([str(tmp_path)], Config())
    assert (first.path, first.name, first.size) == (str(tmp_path / "a.warc.gz"), str(tmp_path / "a.warc.gz"), 1)


def test_lists_of_paths_are_expanded(tmp_path: Path) -> None:
    lines = "# the crawl\n\ncrawl-data/a.warc.gz\n  crawl-data/b.warc.wet.gz\r\n/abs/c.warc\ns3://bucket/d.warc.gz\n"
    for name, data in (("warc.paths", lines.encode()), ("warc.paths.gz", gzip.compress(lines.encode())), ("x.txt", lines.encode()), ("x.lst", lines.encode()), ("x.txt.gz", gzip.compress(lines.encode()))):  # fmt: skip
        (tmp_path / name).write_bytes(data)
        for prefix in ("https://data.example.org/", "https://data.example.org"):
            result = list(expand_inputs([str(tmp_path / name)], Config(prefix=prefix)))
            assert [source.path for source in result] == [
                "https://data.example.org/crawl-data/a.warc.gz",
                "https://data.example.org/crawl-data/b.warc.wet.gz",
                "/abs/c.warc",
                "s3://bucket/d.warc.gz",
            ]
            assert [source.name for source in result][:2] == ["crawl-data/a.warc.gz", "crawl-data/b.warc.wet.gz"]
        assert next(expand_inputs([str(tmp_path / name)], Config())).path == "crawl-data/a.warc.gz"


def test_lists_can_be_nested_and_cycles_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.html").write_bytes(b"x")
    (tmp_path / "inner.txt").write_text("folder\n")
    (tmp_path / "outer.txt").write_text("inner.txt\nouter.txt\n-\n")
    assert kinds("outer.txt") == [
        ("a.html", "page"),
        ("outer.txt", "warc"),
        ("-", "page"),
    ]  # the second one is unreadable
    for number in range(5):
        (tmp_path / f"{number}.lst").write_text(f"{number + 1}.lst\n")
    assert kinds("0.lst") == [("3.lst", "warc")]


def test_an_unreadable_list_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.paths.gz"
    packed = gzip.compress(b"".join(b"%d.warc.gz\n" % (number * 7919) for number in range(3000)))
    path.write_bytes(packed[: len(packed) // 2])
    *result, last = expand_inputs([str(path)], Config())
    assert len(result) > 100
    assert last.path == str(path)
    assert all(capture.problem for capture in read(last, Config()))
    path.write_bytes(b"\xff" * 100_000)
    assert all(capture.problem for source in expand_inputs([str(path)], Config()) for capture in read(source, Config()))


def test_a_missing_input_is_a_row_unless_all_are_missing(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"x")
    there, missing = str(tmp_path / "a.html"), str(tmp_path / "none.warc.gz")
    sources = list(expand_inputs([missing, there], Config()))
    assert [source.path for source in sources] == [missing, there]
    [result] = read(sources[0], Config())
    assert (result.problem, result.filename) == (Problem.UNREADABLE, missing)
    with pytest.raises(UsageError, match=r"none\.warc\.gz.* not found in"):
        expand_inputs([missing], Config())
    with pytest.raises(UsageError, match="give files"):
        expand_inputs([], Config())
    with pytest.raises(UsageError, match="only once"):
        expand_inputs(["-", "-"], Config())


def test_large_files_are_split_if_every_record_is_a_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "SPLIT_BYTES", 5000)
    records = crawl(30)
    plain = warc(records, gz=False)
    files = {
        "by_record.warc.gz": warc(records),
        "plain.warc": plain,
        "whole.warc.gz": member(plain),
        "blocks.warc.gz": b"".join(member(plain[at : at + 3000]) for at in range(0, len(plain), 3000)),
        "whole_but_its_first.warc.gz": member(records[0]) + member(warc(records[1:], gz=False)),
        "damaged.warc.gz": b"\x1f\x8b\x08\x00" + warc(records),
    }
    config = Config()
    for name, data in files.items():
        path = tmp_path / name
        path.write_bytes(data)
        sources = list(expand_inputs([str(path)], config))
        assert len(sources) == (-(-len(data) // 5000) if name in ("by_record.warc.gz", "damaged.warc.gz") else 1)
        urls = [capture.url for source in sources for capture in read(source, config) if capture.url]
        assert urls == [f"https://example.org/{number}" for number in range(30)]
        assert sum(item.size for item in create_work_items(sources)) == len(data)


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
        self.closed = False


@pytest.mark.parametrize(
    "data",
    [
        warc(crawl(9)),
        warc(crawl(9), gz=False),
        member(warc(crawl(9), gz=False)),
        b"".join(b'{"url": "https://example.org/%d", "html": "x"}\n' % number for number in range(9)),
        gzip.compress(
            b"".join(b'{"url": "https://example.org/%d", "html": "x"}\n' % number for number in range(9)), mtime=0
        ),
        arc([arc_record(f"https://example.org/{number}", http(text(number, 3000))) for number in range(9)]),
    ],
)
def test_the_kind_of_standard_input_is_detected(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    [source] = expand_inputs(["-"], Config())
    assert (source.path, source.kind) == ("-", "stdin")
    result = list(read(source, Config()))
    assert [capture.url for capture in result] == [f"https://example.org/{number}" for number in range(9)]
    assert not any(capture.problem for capture in result)


def test_damage_on_standard_input_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [member(response(f"{URL}{number}", text(number, 5000))) for number in range(6)]
    parts.insert(3, b"these are no records" * 50)
    monkeypatch.setattr(sys, "stdin", Stdin(b"".join(parts)))
    result = list(read(Source("-", "stdin"), Config()))
    assert [capture.url for capture in result] == [URL + number for number in "012"] + [""] + [
        URL + number for number in "345"
    ]


def test_standard_input_can_be_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"a.warc.gz\n# no\nb.html\n", gzip.compress(b"a.warc.gz\nb.html")):
        monkeypatch.setattr(sys, "stdin", Stdin(data))
        assert kinds("-") == [("a.warc.gz", "warc"), ("b.html", "page")]


def test_kinds_that_cannot_be_streamed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, word in ((b"PAR1", "parquet"), (b"PK\x03\x04", "wacz"), (b" <html>", "page")):
        monkeypatch.setattr(sys, "stdin", Stdin(data))
        with pytest.raises(UsageError, match=word):
            list(expand_inputs(["-"], Config()))
    monkeypatch.setattr(sys, "stdin", Stdin(b""))
    [result] = (capture for source in expand_inputs(["-"], Config()) for capture in read(source, Config()))
    assert result.problem is Problem.UNREADABLE
    monkeypatch.setattr(sys, "stdin", None)
    [result] = read(Source("-", "stdin"), Config())
    assert result.detail == "standard input is closed"


def page(number: int, size: int = 1000) -> Source:
    return Source(f"{number}.html", "page", size=size)


def test_small_sources_are_grouped_and_large_ones_single() -> None:
    large = Source("a.warc.gz", "warc", size=900 * MB)
    unknown = Source("s3://b/c.warc.gz", "warc")
    sources = [
        page(0),
        page(1),
        large,
        page(2),
        unknown,
        page(3),
        Source("-", "stdin"),
        Source("i", "folder", size=9, begin=0, end=9),
    ]
    result = create_work_items(sources)
    assert [[source.path for source in item.sources] for item in result] == [
        ["0.html", "1.html"], ["a.warc.gz"], ["2.html"], ["s3://b/c.warc.gz"], ["3.html"], ["-"], ["i"],
    ]  # fmt: skip
    assert [item.number for item in result] == list(range(7))


def test_items_are_bounded_and_enough_for_all_cores() -> None:
    for count, size in ((10, 1000), (5000, 1000), (50_000, 200), (3000, MB), (100, 30 * MB)):
        result = create_work_items(page(number, size) for number in range(count))
        assert [source for item in result for source in item.sources] == [page(number, size) for number in range(count)]
        assert all(len(item.sources) <= partition.MAX_ITEM_FILES for item in result)
        assert all(item.size <= partition.MAX_ITEM_BYTES for item in result)
        assert len(result) >= min(32, count * size // partition.MIN_ITEM_BYTES)


def test_item_numbers_are_deterministic() -> None:
    sources = [page(number, number * 977 % 5000) for number in range(3000)]
    assert create_work_items(sources) == create_work_items(iter(sources))
    assert create_work_items([]) == []
    assert create_work_items([page(0)]) == [WorkItem(0, (page(0),))]
