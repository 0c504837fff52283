"""Answers for DataFrames equal those of identify_batch, for any batches of Spark."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from tests.census.test_rows import GREEK, ICELANDIC
from webtongue import Identifier, UsageError
from webtongue.integrations.spark import identify
from webtongue.integrations.spark.frames import _IdentifyBatches, _Settings, _split
from webtongue.schema import COLUMN_NAMES

PAGES = [
    ("https://a.example.is/", ICELANDIC.encode(), {"Content-Type": "text/html; charset=utf-8"}, "IS"),
    ("https://b.example.gr/", (GREEK * 3).encode("iso-8859-7"), None, None),
    ("not an address", b"", {}, "GR"),
    (None, None, None, None),
    ("https://c.example.de/", b"<title>Foto</title>\x00\xff" + bytes(range(256)), {"content-language": "de"}, "DE"),
    ("https://d.example.gr/", b"<html lang=el><p>" + GREEK.encode() * 2000, None, "GR"),
]  # fmt: skip
SCHEMA = "url string, content binary, header map<string, string>, place string"


def expected(**settings: Any) -> dict[str, list[Any]]:
    """Return the answers of the library."""
    urls, raws, headers, places = (list(column) for column in zip(*PAGES, strict=True))
    columns = {"raw": raws, "url": urls, "headers": headers, "country": places}
    result = Identifier(**settings).identify_batch(columns, threads=1)
    return {name: [_plain(name, value) for value in result[name]] for name in COLUMN_NAMES}


def _plain(name: str, value: Any) -> Any:
    return [(label, pytest.approx(share)) for label, share in value] if name == "languages" else value


@pytest.mark.parametrize(("partitions", "batch_bytes"), [(1, 1), (3, 8 << 20)])
def test_answers_equal_those_of_the_library(spark: Any, partitions: int, batch_bytes: int) -> None:
    df = spark.createDataFrame(PAGES, SCHEMA).repartition(partitions)
    result = identify(df, headers="header", country="place", keep=["url"], prefix="a_", batch_bytes=batch_bytes)
    assert result.columns == ["url", *(f"a_{name}" for name in COLUMN_NAMES)]
    rows = {row["url"]: row for row in result.collect()}
    said = expected()
    assert len(rows) == len(PAGES)
    for i, (url, *_) in enumerate(PAGES):
        row = rows[url]
        for name in COLUMN_NAMES:
            value = row[f"a_{name}"]
            value = [tuple(pair) for pair in value] if name == "languages" else value
            assert value == said[name][i], (url, name)


def test_settings_are_sent_to_executors(spark: Any) -> None:
    df = spark.createDataFrame([(b"<p>Album",), (ICELANDIC.encode(),)], "content binary")
    (short, long) = identify(df, url=None, languages=["is", "de"]).select("label").collect()
    ident = Identifier(languages=["is", "de"])
    assert [short.label, long.label] == [ident.identify(b"<p>Album").label, "isl_Latn"]


def test_other_columns_are_kept_without_pages(spark: Any) -> None:
    df = spark.createDataFrame(
        [("x", 7, "<p>Salve", [1.5])], "url string, `a b` int, content string, more array<double>"
    )
    result = identify(df)
    assert result.columns == ["url", "a b", "more", *COLUMN_NAMES]
    (row,) = result.collect()
    assert (row["url"], row["a b"], row["more"]) == ("x", 7, [1.5])
    assert identify(df, keep=["content"]).collect()[0]["content"] == "<p>Salve"
    assert identify(df.where("url = 'y'")).count() == 0


def test_the_plan_has_one_step_and_moves_no_rows(spark: Any) -> None:
    df = spark.createDataFrame(PAGES, SCHEMA)
    plan = identify(df)._jdf.queryExecution().executedPlan().toString()
    assert plan.count("MapInArrow") == 1 and "Exchange" not in plan


def test_bad_calls_are_refused(spark: Any) -> None:
    df = spark.createDataFrame([("u", b"x", "IS", 3)], "url string, content binary, country string, number int")
    with pytest.raises(UsageError, match="no column 'html'"):
        identify(df, raw="html")
    with pytest.raises(UsageError, match="pages are binary"):
        identify(df, raw="number")
    with pytest.raises(UsageError, match="country: both a kept column and an answer"):
        identify(df)
    with pytest.raises(UsageError, match="batch_bytes"):
        identify(df, keep=[], batch_bytes=0)
    with pytest.raises(UsageError):
        identify(df, keep=[], languages=["no such language"])


def test_batches_are_split_by_bytes() -> None:
    column = pa.array([b"a" * 5, b"", None, b"b" * 5, b"c" * 30, b"d"])
    assert list(_split(column, 10)) == [(0, 4), (4, 5), (5, 6)]
    assert list(_split(column, 1)) == [(0, 1), (1, 3), (3, 4), (4, 5), (5, 6)]
    assert list(_split(column[:0], 10)) == []


def test_the_sent_function_is_small() -> None:
    cloudpickle = pytest.importorskip("pyspark.cloudpickle", reason="pyspark (extra spark) is not installed")
    settings = _Settings("web", None, None, None, None)
    answers = _IdentifyBatches(settings, {"raw": "content"}, ("url",), 1 << 20)
    list(answers([pa.record_batch({"content": [b"<p>Salve"], "url": ["x"]})]))  # it has its Identifier now
    assert len(cloudpickle.dumps(answers)) < 1000


def test_column_names_can_contain_any_character(spark: Any) -> None:
    df = spark.createDataFrame([(b"<p>Salve", 1, 2)], "content binary, `a.b` int, `c``d` int")
    result = identify(df, url=None, prefix="it`s.")
    assert result.columns == ["a.b", "c`d", *(f"it`s.{name}" for name in COLUMN_NAMES)]
    assert result.collect()[0][:2] == (1, 2)
    for bad, keep in ((df.withColumn("Label", df["`a.b`"]), None), (df, "a.b"), (df, ["a.b", "a.b"])):
        with pytest.raises(UsageError, match=r"twice|both a kept column and an answer|list of columns"):
            identify(bad, url=None, keep=keep)
    with pytest.raises(UsageError, match="several columns"):
        identify(df.withColumnRenamed("a.b", "CONTENT"), url=None)


def test_a_url_of_invalid_text_is_ignored(spark: Any) -> None:
    df = spark.sql("SELECT cast(X'687474703a2f2fff2e6973' AS string) AS url, X'3c703e53616c7665' AS content")
    (row,) = identify(df, keep=[]).select("label").collect()
    assert row.label
