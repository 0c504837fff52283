"""SQL of users can read the census; it cannot write, access other files, reveal the machine, or run endlessly."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.census import synthetic_rows
from webtongue import UsageError
from webtongue.census.sql import QueryResult, check_query, run_query

ENDLESS = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a"
ROWS = [
    {"url": "http://a.example.is/", "label": "isl_Latn", "country": "IS"},
    {"url": "http://a.example.is/2", "label": "isl_Latn", "country": "IS"},
    {"url": "http://b.example.fo/", "label": "fao_Latn", "country": "FO"},
    {"url": "http://b.example.fo/gone", "fetch_status": 404},
]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = synthetic_rows.save(tmp_path_factory.mktemp("sql") / "out", synthetic_rows.table(ROWS))
    (folder.parent / "secret.csv").write_text("a\nhidden\n")
    return folder


def answer(out: Path, question: str, **options: Any) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with run_query(out, question, **options) as result:
        assert isinstance(result, QueryResult)
        return result.columns, list(result.rows)


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("SELECT label, count(*) FROM pages GROUP BY 1 ORDER BY 1", [("fao_Latn", 1), ("isl_Latn", 2)]),
        ("FROM captures SELECT count(*)", [(4,)]),
        ("WITH x AS (SELECT 7 AS n) SELECT n + 1 FROM x;", [(8,)]),
        ("VALUES (1), (2)", [(1,), (2,)]),
        ("SELECT * FROM main.country WHERE country = 'IS'", [("IS", "Iceland")]),
        ("SELECT sum(i) FROM range(4) AS t(i)", [(6,)]),
        ("SELECT unnest([1, 2])", [(1,), (2,)]),
        ("PIVOT pages ON label IN ('isl_Latn', 'fao_Latn') USING count(*) GROUP BY country ORDER BY country", [("FO", 0, 1), ("IS", 2, 0)]),
        ("SELECT (SELECT max(ip_number) FROM server)", [(192 * 256**3 + 2 * 256 + 1,)]),
        ("SELECT a.label FROM pages a JOIN pages b ON b.country = a.country AND b.url < a.url", [("isl_Latn",)]),
    ],
)  # fmt: skip
def test_queries_return_rows(out: Path, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert answer(out, question)[1] == rows


def test_relations_can_be_listed(out: Path) -> None:
    shown = {name for (name,) in answer(out, "SHOW TABLES")[1]}
    assert shown == {
        "audited", "captures", "counts", "country", "country_distribution", "extracted_content", "geo", "geoip", "identified_type",
        "language",
        "language_distribution", "links", "pages", "rows", "server", "spoken",
    }  # fmt: skip
    listed = answer(out, "SELECT table_name FROM information_schema.tables")[1]
    assert {name for (name,) in listed} == shown
    assert ("label", "VARCHAR") in [row[:2] for row in answer(out, "DESCRIBE pages")[1]]
    assert {row[0] for row in answer(out, "SUMMARIZE country")[1]} == {"country", "name"}


def test_a_plan_reveals_no_path(out: Path) -> None:
    columns, rows = answer(out, "explain SELECT count(*) FROM pages")
    said = "\n".join(line for (line,) in rows)
    assert len(columns) == 1 and len(rows) > 5
    assert "PARQUET" in said and str(out) not in said


WRITES = [
    "COPY pages TO 'x.csv'", "COPY (SELECT 1) TO '{out}/rows/part-000000.parquet'", "CREATE TABLE t AS SELECT 1",
    "CREATE OR REPLACE VIEW pages AS SELECT 1", "DROP TABLE country", "DELETE FROM country", "INSERT INTO country VALUES ('QQ', 'x')",
    "UPDATE country SET name = ''", "TRUNCATE country", "ALTER TABLE country RENAME TO x", "CHECKPOINT", "VACUUM", "EXPORT DATABASE '{out}'",
    "WITH x AS (COPY (SELECT 1) TO '{out}/rows/part-000000.parquet') SELECT * FROM x",
    "WITH x AS (DELETE FROM country RETURNING *) SELECT * FROM x",
    "WITH x AS (INSERT INTO country VALUES ('QQ', 'x') RETURNING *) SELECT * FROM x",
    "EXPLAIN COPY (SELECT 1) TO '{out}/rows/part-000000.parquet'", "EXPLAIN ANALYZE COPY (SELECT 1) TO 'x.csv'",
    "PREPARE x AS DELETE FROM country", "BEGIN", "SELECT write_log('x')", "SELECT setseed(0.1)",
]  # fmt: skip
READS = [
    "SELECT * FROM '{secret}'", 'SELECT * FROM "{secret}"', "SELECT * FROM read_csv('{secret}')", "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_blob('{secret}')", "SELECT * FROM sniff_csv('{secret}')", "SELECT * FROM glob('/*')",
    "SELECT * FROM read_parquet('{out}/rows/*.parquet', filename = true)", "SELECT * FROM parquet_metadata('{out}/rows/part-000000.parquet')",
    "SELECT 1 WHERE EXISTS (SELECT * FROM read_text('{secret}'))", "SELECT (SELECT content FROM read_text('{secret}'))",
    "SELECT 1 UNION ALL SELECT * FROM '{secret}'", "SELECT 1 ORDER BY (SELECT max(a) FROM '{secret}')",
    "SELECT 1 LIMIT (SELECT count(*) FROM read_text('{secret}'))", "FROM country, LATERAL (SELECT * FROM read_text('{secret}'))",
    "DESCRIBE SELECT * FROM read_csv('{secret}')", "SUMMARIZE '{secret}'", "SHOW '{secret}'", "DESCRIBE '{secret}'",
    "EXPLAIN SELECT * FROM '{secret}'", "PIVOT '{secret}' ON a IN ('hidden') USING count(*)", "ATTACH '{secret}'", "ATTACH '{out}/census.duckdb'",
    "SELECT * FROM query('SELECT * FROM read_text(''{secret}'')')", "SELECT * FROM query_table('{secret}')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))", "IMPORT DATABASE '{out}'",
    "SELECT * FROM (WITH \"{secret}\" AS (SELECT 1) SELECT 1), '{secret}'", "CREATE SECRET (TYPE s3)",
    "SELECT * FROM 'http://127.0.0.1:9/x.csv'", "SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')", "ATTACH 'http://127.0.0.1:9/x.db'",
]  # fmt: skip
CHANGES = [
    "SET enable_external_access = true", "SET lock_configuration = false", "RESET lock_configuration", "PRAGMA enable_profiling",
    "PRAGMA database_list", "CALL pragma_version()", "INSTALL httpfs", "LOAD httpfs", "FORCE INSTALL httpfs", "SET VARIABLE census = '/'",
    "SET allowed_directories = ['/']", "CREATE MACRO f() AS 1", "USE system", "DETACH memory", "SELECT 1; SELECT 2",
    "SELECT 1; COPY country TO 'x.csv'", "EXPLAIN SELECT 1; COPY country TO 'x.csv'", "EXECUTE x",
]  # fmt: skip
TELLS = [
    "SELECT * FROM pg_settings", "SELECT * FROM pg_catalog.pg_settings", "SELECT * FROM duckdb_settings()", "SELECT * FROM pg_views",
    "SELECT current_setting('temp_directory')", "SELECT Main.CURRENT_SETTING('temp_directory')", "SELECT 'temp_directory'.current_setting()",
    "SELECT list_transform(['allowed_directories'], x -> current_setting(x))", "SELECT sql FROM duckdb_views", "SELECT sql FROM duckdb_views()",
    "SELECT sql FROM sqlite_master", "SELECT view_definition FROM information_schema.views", "SELECT pg_get_viewdef(1)",
    "SELECT * FROM duckdb_databases", "SELECT * FROM duckdb_temporary_files()", "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM pg_views, (WITH pg_views AS (SELECT 1) SELECT * FROM pg_views)", "SHOW pg_settings", "SUMMARIZE pg_settings",
    "WITH tables AS (SELECT 1) SELECT * FROM pg_catalog.tables", "EXPLAIN ANALYZE SELECT label FROM pages", "SELECT * FROM duckdb_logs",
]  # fmt: skip


@pytest.fixture(scope="module")
def relations(out: Path) -> frozenset[str]:
    return frozenset(name for (name,) in answer(out, "SHOW TABLES")[1])


def filled(question: str, out: Path) -> str:
    return question.format(out=out, secret=out.parent / "secret.csv")


@pytest.mark.parametrize("question", [*WRITES, *READS, *CHANGES, *TELLS])
def test_other_statements_are_refused(out: Path, relations: frozenset[str], question: str) -> None:
    with pytest.raises(UsageError) as query_error:
        check_query(filled(question, out), relations)
    assert "\n" not in str(query_error.value)


@pytest.mark.parametrize("question", [WRITES[1], WRITES[13], READS[0], READS[1], TELLS[0], "SELECT getenv('HOME')"])
def test_refused_queries_have_no_effect(out: Path, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out.parent)
    before = contents(out.parent)
    with pytest.raises(UsageError) as query_error:
        answer(out, filled(question, out))
    assert "hidden" not in str(query_error.value)
    assert contents(out.parent) == before


def test_the_connection_cannot_read_other_files(out: Path) -> None:
    """The restricted connection stops queries that the check would miss."""
    from webtongue.census.store import import_duckdb, open_store

    with open_store(out) as connection:
        for question in [one for one in READS if "secret" in one and "'hidden'" not in one] + CHANGES[:3]:
            with pytest.raises(import_duckdb().Error) as query_error:
                connection.execute(filled(question, out)).fetchall()
            assert "hidden" not in str(query_error.value), question
        assert connection.execute("SELECT current_setting('enable_external_access')").fetchone() == (False,)


@pytest.mark.parametrize(
    "question", ["", " ", ";", "-- nothing", "SELEC 1", "SELECT", "SELECT nothing FROM pages", "SELECT 1 +", "SELECT ?"]
)
def test_errors_are_one_sentence(out: Path, question: str) -> None:
    with pytest.raises(UsageError) as query_error:
        answer(out, question)
    assert str(query_error.value) and "\n" not in str(query_error.value)


def test_messages_say_what_to_do(out: Path) -> None:
    for question, said in (
        ("DROP TABLE country", "one SELECT"),
        ("SELECT * FROM nowhere", "SHOW TABLES"),
        ("PIVOT pages ON label USING count(*)", "PIVOT pages ON label IN"),
        ("SELECT '\ud800'", "character 9 cannot be encoded"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "nest|deep|depth"),
    ):
        with pytest.raises(UsageError, match=said):
            answer(out, question)


def test_rows_are_streamed(out: Path) -> None:
    """The first of a billion rows are available at once, in little memory."""
    with run_query(out, "SELECT i, repeat('x', 100) FROM range(1000000000) AS t(i)", memory="200MB") as result:
        assert [next(result.rows)[0] for _ in range(3)] == [0, 1, 2]


def test_disk_space_is_bounded(out: Path) -> None:
    question = "SELECT i, repeat('x', 400) || i AS s FROM range(3000000) AS t(i) ORDER BY hash(i)"
    with pytest.raises(UsageError, match="more disk space than allowed"):
        answer(out, question, memory="100MB", max_spill="20MB")
    assert not list(out.glob(".spill*"))


def test_time_is_bounded(out: Path) -> None:
    with pytest.raises(UsageError, match=r"more than 0\.2 seconds"):
        answer(out, ENDLESS, seconds=0.2)
    assert answer(out, "SELECT 1", seconds=1000)[1] == [(1,)]
    for seconds in (0, -1, float("nan")):
        with pytest.raises(UsageError, match="positive number of seconds"):
            answer(out, "SELECT 1", seconds=seconds)


def test_time_is_bounded_in_other_threads(out: Path) -> None:
    said: list[str] = []

    def ask() -> None:
        try:
            answer(out, ENDLESS, seconds=0.2)
        except UsageError as error:
            said.append(str(error))

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert said == ["the query took more than 0.2 seconds"]


# Prints a line when DuckDB runs. A process that a shell started with & ignores SIGINT, and so do its children by default.
ASKING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from webtongue.census import sql
run = sql._Runner.run
def announce(self, action):
    def at_work():
        print("running", flush=True)
        return action()
    return run(self, at_work)
sql._Runner.run = announce
from webtongue.cli import main
sys.argv = ["webtongue", "sql", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.mark.parametrize("question", [ENDLESS, "SELECT sleep_ms(600000)"])
def test_ctrl_c_stops_an_endless_query(out: Path, question: str) -> None:
    command = [sys.executable, "-c", ASKING, str(out), question]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None and child.stdout.readline() == b"running\n"
            os.kill(child.pid, signal.SIGINT)
            _, told = child.communicate(timeout=120)
        finally:
            child.kill()
    assert (child.returncode, told) == (130, b"webtongue: interrupted\n")
    assert not list(out.glob(".spill*"))


def test_ctrl_c_works_afterwards(out: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    answer(out, "SELECT 1", seconds=1000)
    assert signal.getsignal(signal.SIGINT) is before
