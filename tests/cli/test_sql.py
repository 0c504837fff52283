"""Tests of ``webtongue sql``."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.census import synthetic_rows
from tests.cli.running import COMMAND, on_terminal, process, run

CODES = ["=cmd()", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "plain", 'a,"b"\n', "\x1b[2J"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {"url": f"http://a.example.is/{i}", "label": "isl_Latn", "unrecognised_language": code, "letters": 10 - i}
        for i, code in enumerate(CODES)
    ]
    return synthetic_rows.save(tmp_path_factory.mktemp("sql") / "out", synthetic_rows.table(rows))


def test_results_are_printed_as_a_table(out: Path) -> None:
    completed = run("sql", str(out), "SELECT label, count(*) AS pages FROM pages GROUP BY 1")
    assert completed.code == 0
    assert completed.lines[0].split() == ["label", "pages"]
    assert completed.lines[-1].split() == ["isl_Latn", "9"]


def test_headings_of_expressions_are_cut_and_not_broken(out: Path) -> None:
    counts = "count(declared_language), count(unrecognised_language), count(DISTINCT url_host_name)"
    query = f"SELECT label, {counts} FROM pages GROUP BY 1"
    wide, narrow = (run("sql", str(out), query, columns=width) for width in (200, 80))
    assert "count(DISTINCT url_host_name)" in wide.lines[0]
    assert narrow.lines[0].startswith("label") and narrow.lines[1].startswith("isl_Latn")
    assert all(name in narrow.out for name in ("count(decl", "count(unreco", "count(DIST", "…"))
    assert "not shown" not in narrow.out


def test_json_keeps_types(out: Path) -> None:
    question = "SELECT url, letters, reliable, fetch_time, languages, NULL AS nothing, 'NaN'::DOUBLE AS odd FROM pages ORDER BY 2 DESC"
    completed = run("sql", str(out), question, "--json", "--limit", "2")
    first, second = map(json.loads, completed.lines)
    assert first == {
        "url": "http://a.example.is/0", "letters": 10, "reliable": True, "fetch_time": "2023-11-14T22:13:20+00:00",
        "languages": [{"label": "isl_Latn", "share": 1.0}], "nothing": None, "odd": None,
    }  # fmt: skip
    assert second["letters"] == 9


def test_csv_cells_are_not_formulas(out: Path) -> None:
    completed = run(
        "sql", str(out), "SELECT unrecognised_language AS code, -letters AS less FROM pages ORDER BY url", "--csv"
    )
    header, *rows = csv.reader(io.StringIO(completed.out))
    assert header == ["code", "less"]
    assert [cell for cell, _ in rows[:4]] == ["'=cmd()", "'+1", "'-1", "'@SUM(A1)"]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell, _ in rows)
    assert rows[0][1] == "-10"  # a number is no formula
    assert "\x1b" not in completed.out


def test_column_names_are_escaped(out: Path) -> None:
    completed = run("sql", str(out), 'SELECT 1 AS "=cmd()", 2 AS "a|b\x1b"', "--csv")
    assert completed.lines[0] == "'=cmd(),a|b\\x1b"
    assert "\x1b" not in run("sql", str(out), 'SELECT 2 AS "\x1b[2J"').out


def test_control_characters_are_escaped(out: Path) -> None:
    completed = on_terminal("sql", str(out), "SELECT unrecognised_language FROM pages ORDER BY url")
    assert completed.code == 0 and "\\x1b[2J" in completed.plain
    assert "\x1b[2J" not in completed.out


def test_the_query_may_come_from_standard_input(out: Path) -> None:
    completed = run("sql", str(out), "-", "--json", feed=b"SELECT count(*) AS n\nFROM pages -- all\n")
    assert json.loads(completed.out) == {"n": 9}
    assert "character 9" in run("sql", str(out), "-", feed=b"SELECT '\xff'").err
    assert "at most" in run("sql", str(out), "-", feed=b"SELECT 1".ljust(2 << 20)).err


def test_limit(out: Path) -> None:
    endless = "SELECT * FROM range(1000000000000) AS t(i)"
    assert run("sql", str(out), endless, "--csv", "--limit", "3").lines == ["i", "0", "1", "2"]
    assert run("sql", str(out), endless, "--csv", "--limit", "0").lines == ["i"]


def test_a_closed_pipe_ends_the_query(out: Path) -> None:
    command = [*COMMAND, "sql", str(out), "SELECT * FROM range(1000000000000) AS t(i)", "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stderr is not None
        assert [child.stdout.readline() for _ in range(2)] == [b"i\n", b"0\n"]
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


def test_a_timeout_ends_the_query(out: Path) -> None:
    completed = run("sql", str(out), "SELECT sleep_ms(600000)", "--seconds", "0.2")
    assert (completed.code, completed.out, completed.err) == (
        2,
        "",
        "webtongue: the query took more than 0.2 seconds\n",
    )


def test_wrong_calls_fail_with_a_message(out: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ((str(tmp_path), "SELECT 1"), "is not a census"),
        ((str(out), "SELECT 1", "--json", "--csv"), "choose one"),
        ((str(out), "DROP VIEW pages"), "one SELECT"),
        ((str(out), "SELECT nowhere FROM pages"), "nowhere"),
        ((str(out), "SELECT 1", "--seconds", "0"), "positive number of seconds"),
        ((str(out), "SELECT 1", "--limit", "-1"), "limit"),
    ):
        completed = run("sql", *arguments)
        assert completed.code == 2 and message in completed.err, arguments
        assert completed.out == "" and completed.err.count("\n") == 1


def test_invalid_utf8_in_the_query_is_refused(out: Path) -> None:
    completed = process("sql", str(out), os.fsdecode(b"SELECT '\xff'"))
    assert (completed.code, completed.err) == (
        2,
        "webtongue: the query is not valid text: character 9 cannot be encoded in UTF-8\n",
    )


def test_a_damaged_part_is_reported(tmp_path: Path) -> None:
    synthetic_rows.save(tmp_path, synthetic_rows.table([{}]))
    part = next((tmp_path / "rows").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-50])
    completed = run("sql", str(tmp_path), "SELECT count(*) FROM pages")
    assert completed.code == 2 and "damaged" in completed.err and "--resume" in completed.err
