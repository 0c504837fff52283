"""Languages in SQL: a function of a page, a struct with everything, settings by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, UsageError
from webtongue import duckdb as adapter
from webtongue.batch import COLUMNS

INDEX = rows(PAGES / "index.jsonl")
RAW = [(PAGES / row["file"]).read_bytes() for row in INDEX]
URLS = [row.get("url") for row in INDEX]


@pytest.fixture
def con() -> Iterator[Any]:
    with duckdb.connect() as opened:
        yield adapter.register(opened)


def test_answers_are_those_of_the_batch_function(con: Any) -> None:
    pages = pa.table({"n": range(len(RAW)), "raw": RAW, "url": pa.array(URLS, pa.string())})
    con.register("pages", pages)
    found = con.sql("SELECT unnest(identify(raw, url)) FROM pages ORDER BY n").to_arrow_table()
    expected = webtongue.identify_batch(pages.select(["raw", "url"]))
    assert tuple(found.column_names) == COLUMNS
    assert found.to_pylist() == expected.to_pylist()
    tags = con.sql("SELECT language(raw, url) FROM pages ORDER BY n").fetchall()
    assert [tag for (tag,) in tags] == expected.column("language").to_pylist()


def test_types_are_those_of_the_schema(con: Any) -> None:
    kinds = {c: str(t) for c, t in zip(COLUMNS, con.sql("SELECT unnest(identify(''::BLOB))").types, strict=True)}
    assert {kinds[name] for name in ("confidence", "group_confidence", "encoding_confidence")} == {"FLOAT"}
    assert {kinds[name] for name in ("reliable", "agrees", "encoding_agrees")} == {"BOOLEAN"}
    assert kinds["tier"] == "UTINYINT"
    assert kinds["languages"].startswith("STRUCT(")
    rest = set(COLUMNS) - {"confidence", "group_confidence", "encoding_confidence", "reliable", "agrees",
                           "encoding_agrees", "tier", "languages"}  # fmt: skip
    assert {kinds[name] for name in rest} == {"VARCHAR"}


def test_more_rows_than_a_vector(con: Any) -> None:
    con.execute("CREATE TABLE t AS SELECT range AS n, CASE WHEN range % 3 = 0 THEN NULL "
                "WHEN range % 3 = 1 THEN encode('Η βιβλιοθήκη είναι ανοιχτή') ELSE ''::BLOB END AS page FROM range(5000)")  # fmt: skip
    found = con.sql(
        "SELECT identify(page).reason AS r, language(page) AS l, count(*), min(n % 3) FROM t GROUP BY ALL ORDER BY r"
    )
    assert found.fetchall() == [("", "el", 1667, 1), ("empty", "und", 1666, 2), ("missing", "und", 1667, 0)]


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
    (found,) = con.execute(f"SELECT identify({cell}).reason").fetchone()
    assert found == reason or (reason == "binary" and found)
    assert con.execute(f"SELECT language({cell}, 5, [1])").fetchone()[0]


def test_address_and_country_are_heard(con: Any) -> None:
    page = "encode('<p>Trenutno nedostupno')"
    assert con.execute(f"SELECT language({page}, 'https://example.hr/', 'HR')").fetchone() == ("hr",)
    assert con.execute(f"SELECT identify({page}, NULL, 'RS').country").fetchone() == ("RS",)


def test_settings_have_names_of_their_own(con: Any) -> None:
    adapter.register(con, identifier=Identifier(evidence=()), language="text_language", identify="identify_text")
    page = "encode('<html lang=is><p>Halló')"
    both = con.execute(f"SELECT language({page}), text_language({page}), identify_text({page}).language").fetchone()
    assert both[0] == "is" != both[1] == both[2]


def test_too_many_arguments_say_so(con: Any) -> None:
    with pytest.raises(duckdb.Error, match="not 4 values"):
        con.execute("SELECT language('a', 'b', 'c', 'd')").fetchone()
    with pytest.raises(duckdb.Error, match="language"):
        con.execute("SELECT language()").fetchone()


def test_functions_can_be_registered_again(con: Any) -> None:
    adapter.register(con, identifier=Identifier(languages=["is"]))
    with pytest.raises(UsageError, match="language="):
        adapter.register(con.cursor())


def test_moments_that_python_has_none_for_are_no_pages(con: Any) -> None:
    assert con.sql("SELECT language('infinity'::TIMESTAMP)").fetchall() == [("und",)]
