"""Records fetched by an index equal those of a reader of whole files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.census.archive_records import response, warc
from tests.census.test_rows import GREEK, ICELANDIC
from webtongue import UsageError
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.integrations.spark import fetch, identify
from webtongue.integrations.spark.index import read_record

SCHEMA = "url string, warc_filename string, warc_record_offset bigint, warc_record_length bigint"


def archive(folder: Path) -> str:
    texts = {"is": ICELANDIC, "gr": GREEK * 3}
    records = [response(f"https://h.example.{tld}/{i}", texts[tld].encode()) for i in range(4) for tld in texts]
    path = folder / "a.warc.gz"
    path.write_bytes(warc(records))
    return str(path)


def test_records_equal_those_of_the_whole_file(spark: Any, tmp_path: Path) -> None:
    path = archive(tmp_path)
    captures = list(read(Source(path, "warc", "a.warc.gz"), Config()))
    rows = [(one.url, one.filename, one.offset, one.length) for one in captures]
    bad = [("cut", "a.warc.gz", rows[-1][2], 10**6), ("none", "b.warc.gz", 0, 9), ("bad", "a.warc.gz", None, 5)]
    index = spark.createDataFrame([*rows, *bad], SCHEMA).repartition(2)
    result = fetch(index.where("url not like '%/3'"), prefix=f"{tmp_path}/")
    answers = {
        row.url: row
        for row in identify(result, headers="headers", ip="ip", keep=["url", "content", "problem"]).collect()
    }
    assert len(answers) == 9
    for one in captures[:6]:
        row = answers[one.url]
        assert (bytes(row.content), row.problem) == (one.body, None)
        assert row.label == ("isl_Latn" if ".is/" in one.url else "ell_Grek")
    for name in ("cut", "none", "bad"):
        assert (answers[name].content, answers[name].problem, answers[name].reason) == (None, "unreadable", "missing")


def test_only_the_range_of_the_record_is_requested(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec (extra remote) reads addresses")
    path = archive(tmp_path)
    memory = fsspec.filesystem("memory")
    memory.pipe("/index/a.warc.gz", Path(path).read_bytes())
    first, second, *_ = read(Source(path, "warc", "a"), Config())
    for one in (first, second):
        result = read_record("a.warc.gz", one.offset, one.length, Config(prefix="memory://index/"))
        assert (result.url, result.body, result.headers) == (one.url, one.body, one.headers)
    assert read_record("b.warc.gz", 0, 9, Config(prefix="memory://index/")).problem == "unreadable"


@pytest.mark.parametrize("where", [("a", -1, 5), ("a", 0, 0), ("", 0, 5), (None, None, None), ("a", 0, "5")])
def test_rows_without_a_position_are_reported(where: tuple[Any, Any, Any]) -> None:
    assert read_record(*where, Config()).problem == "unreadable"


def test_wrong_positions_are_reported(tmp_path: Path) -> None:
    path = archive(tmp_path)
    first, second, *_ = read(Source(path, "warc", path), Config())
    assert read_record(path, 0, 10**10, Config()).problem == "too_large"
    within = read_record(path, second.offset + 7, second.length - 7, Config())
    assert within.problem and within.body is None
    short = read_record(path, first.offset, first.length - 20, Config())
    assert short.problem or short.truncated


def test_bad_calls_are_refused(spark: Any) -> None:
    with pytest.raises(UsageError, match="no column warc_record_offset, warc_record_length"):
        fetch(spark.createDataFrame([("u", "f")], "url string, warc_filename string"))
    with pytest.raises(UsageError, match="ip: the index already has this column"):
        fetch(spark.createDataFrame([("u", "f", 1, 1, "x")], SCHEMA + ", ip string"))
    with pytest.raises(UsageError, match="unknown option colour"):
        fetch(spark.createDataFrame([("u", "f", 1, 1)], SCHEMA), colour="red")


@pytest.mark.parametrize(
    "name",
    [
        "zip://x::/etc/passwd",
        "ssh://intern.example/x",
        "http://10.0.0.1/x",
        "/etc/passwd",
        "file:///etc/passwd",
        "s3::zip://x",
    ],
)
def test_an_index_cannot_choose_what_is_opened(name: str) -> None:
    result = read_record(name, 0, 9, Config(prefix="s3://commoncrawl/"))
    assert result.problem == "unreadable" and "another scheme" in result.detail
