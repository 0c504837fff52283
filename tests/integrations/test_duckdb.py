"""SQL functions of DuckDB: tags, structs, and settings by function name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, UsageError
from webtongue.integrations import duckdb as adapter
from webtongue.schema import COLUMN_NAMES

INDEX = rows(PAGES / "index.jsonl")
RAW = [(PAGES / row["file"]).read_bytes() for row in INDEX]
URLS = [row.get("url") for row in INDEX]


@pytest.fixture
def con() -> Iterator[Any]:
    with duckdb.connect() as opened:
        yield adapter.register(opened)


def test_answers_equal_those_of_the_batch_function(con: Any) -> None:
    pages = pa.table({"n": range(len(RAW)), "raw": RAW, "url": pa.array(URLS, pa.string())})
    con.register("pages", pages)
    result = con.sql("SELECT unnest(identify(raw, url)) FROM pages ORDER BY n").to_arrow_table()
    expected = webtongue.identify_batch(pages.select(["raw", "url"]))
    assert tuple(result.column_names) == COLUMN_NAMES
    assert result.to_pylist() == expected.to_pylist()
    tags = con.sql("SELECT language(raw, url) FROM pages ORDER BY n").fetchall()
    assert [tag for (tag,) in tags] == expected.column("language").to_pylist()


def test_types_equal_those_of_the_schema(con: Any) -> None:
    kinds = {c: str(t) for c, t in zip(COLUMN_NAMES, con.sql("SELECT unnest(identify(''::BLOB))").types, strict=True)}
    assert {kinds[name] for name in ("confidence", "group_confidence", "encoding_confidence")} == {"FLOAT"}
    assert {kinds[name] for name in ("reliable", "agrees", "encoding_agrees")} == {"BOOLEAN"}
    assert kinds["tier"] == "UTINYINT"
    assert kinds["languages"].startswith("STRUCT(")
    rest = set(COLUMN_NAMES) - {"confidence", "group_confidence", "encoding_confidence", "reliable", "agrees",
                           "encoding_agrees", "tier", "languages"}  # fmt: skip
    assert {kinds[name] for name in rest} == {"VARCHAR"}


def test_more_rows_than_a_vector(con: Any) -> None:
    con.execute("CREATE TABLE t AS SELECT range AS n, CASE WHEN range % 3 = 0 THEN NULL "
                "WHEN range % 3 = 1 THEN encode('Η βιβλιοθήκη είναι ανοιχτή') ELSE ''::BLOB END AS page FROM range(5000)")  # fmt: skip
    result = con.sql(
        "SELECT identify(page).reason AS r, language(page) AS l, count(*), min(n % 3) FROM t GROUP BY ALL ORDER BY r"
    )
    assert result.fetchall() == [("", "el", 1667, 1), ("empty", "und", 1666, 2), ("missing", "und", 1667, 0)]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("NULL", "missing"),
        ("NULL::BLOB", "missing"),
        ("1", "not_bytes"),
        ("[1, 2]", "not_bytes"),
        ("{'a': 1}", "not_bytes"),
        ("DATE '2020-01-01'", "not_bytes"),
        ("''", "empty"),
        (r"'\x00\xFF\x00\x00\x00\xFE'::BLOB", "binary"),
        ("'Η βιβλιοθήκη είναι ανοιχτή'", ""),
        ("repeat('Η βιβλιοθήκη ', 1000000)", ""),
    ],
)
def test_every_cell_is_answered(con: Any, cell: str, reason: str) -> None:
    (result,) = con.execute(f"SELECT identify({cell}).reason").fetchone()
    assert result == reason or (reason == "binary" and result)
    assert con.execute(f"SELECT language({cell}, 5, [1])").fetchone()[0]


def test_url_and_country_are_used(con: Any) -> None:
    page = "encode('<p>Trenutno nedostupno')"
    assert con.execute(f"SELECT language({page}, 'https://example.hr/', 'HR')").fetchone() == ("hr",)
    assert con.execute(f"SELECT identify({page}, NULL, 'RS').country").fetchone() == ("RS",)


def test_functions_can_have_other_names(con: Any) -> None:
    adapter.register(con, identifier=Identifier(evidence=()), language="text_language", identify="identify_text")
    page = "encode('<html lang=is><p>Halló')"
    both = con.execute(f"SELECT language({page}), text_language({page}), identify_text({page}).language").fetchone()
    assert both[0] == "is" != both[1] == both[2]


def test_too_many_arguments_are_refused(con: Any) -> None:
    with pytest.raises(duckdb.Error, match="not 4 values"):
        con.execute("SELECT language('a', 'b', 'c', 'd')").fetchone()
    with pytest.raises(duckdb.Error, match="language"):
        con.execute("SELECT language()").fetchone()


def test_functions_can_be_registered_again(con: Any) -> None:
    adapter.register(con, identifier=Identifier(languages=["is"]))
    with pytest.raises(UsageError, match="language="):
        adapter.register(con.cursor())


def test_unrepresentable_times_are_no_pages(con: Any) -> None:
    assert con.sql("SELECT language('infinity'::TIMESTAMP)").fetchall() == [("und",)]


def test_functions_for_text() -> None:
    with duckdb.connect() as con:
        adapter.register_texts(adapter.register(con))
        query = "SELECT text_language(t), identify_text(t).label, language(t) FROM (VALUES ('<html lang=is>Wo ist das Buch?'), (NULL)) AS v(t)"
        assert con.execute(query).fetchall()[0][:2] == ("de", "deu_Latn")
        assert con.execute(query).fetchall()[1][:2] == ("und", "und")
