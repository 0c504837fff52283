"""``webtongue sql``."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.census import made_rows
from tests.cli.running import COMMAND, on_terminal, process, run

CODES = ["=cmd()", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "plain", 'a,"b"\n', "\x1b[2J"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {"url": f"http://a.example.is/{i}", "label": "isl_Latn", "language_unrecognised": code, "letters": 10 - i}
        for i, code in enumerate(CODES)
    ]
    return made_rows.save(tmp_path_factory.mktemp("sql") / "out", made_rows.table(rows))


def test_a_table_on_the_screen(out: Path) -> None:
    done = run("sql", str(out), "SELECT label, count(*) AS pages FROM pages GROUP BY 1")
    assert done.code == 0
    assert done.lines[0].split() == ["label", "pages"]
    assert done.lines[-1].split() == ["isl_Latn", "9"]


def test_json_has_values_as_they_are(out: Path) -> None:
    question = "SELECT url, letters, reliable, fetch_time, languages, NULL AS nothing, 'NaN'::DOUBLE AS odd FROM pages ORDER BY 2 DESC"
    done = run("sql", str(out), question, "--json", "--limit", "2")
    first, second = map(json.loads, done.lines)
    assert first == {
        "url": "http://a.example.is/0", "letters": 10, "reliable": True, "fetch_time": "2023-11-14T22:13:20+00:00",
        "languages": [{"label": "isl_Latn", "share": 1.0}], "nothing": None, "odd": None,
    }  # fmt: skip
    assert second["letters"] == 9


def test_csv_has_no_cell_that_a_spreadsheet_would_run(out: Path) -> None:
    done = run(
        "sql", str(out), "SELECT language_unrecognised AS code, -letters AS less FROM pages ORDER BY url", "--csv"
    )
    header, *rows = csv.reader(io.StringIO(done.out))
    assert header == ["code", "less"]
    assert [cell for cell, _ in rows[:4]] == ["'=cmd()", "'+1", "'-1", "'@SUM(A1)"]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell, _ in rows)
    assert rows[0][1] == "-10"  # a number is no formula
    assert "\x1b" not in done.out


def test_names_of_columns_are_cells_too(out: Path) -> None:
    done = run("sql", str(out), 'SELECT 1 AS "=cmd()", 2 AS "a|b\x1b"', "--csv")
    assert done.lines[0] == "'=cmd(),a|b\\x1b"
    assert "\x1b" not in run("sql", str(out), 'SELECT 2 AS "\x1b[2J"').out


def test_a_terminal_is_not_acted_on(out: Path) -> None:
    done = on_terminal("sql", str(out), "SELECT language_unrecognised FROM pages ORDER BY url")
    assert done.code == 0 and "\\x1b[2J" in done.plain
    assert "\x1b[2J" not in done.out


def test_the_question_may_come_from_standard_input(out: Path) -> None:
    done = run("sql", str(out), "-", "--json", feed=b"SELECT count(*) AS n\nFROM pages -- all\n")
    assert json.loads(done.out) == {"n": 9}
    assert "character 9" in run("sql", str(out), "-", feed=b"SELECT '\xff'").err
    assert "at most" in run("sql", str(out), "-", feed=b"SELECT 1".ljust(2 << 20)).err


def test_limit(out: Path) -> None:
    endless = "SELECT * FROM range(1000000000000) AS t(i)"
    assert run("sql", str(out), endless, "--csv", "--limit", "3").lines == ["i", "0", "1", "2"]
    assert run("sql", str(out), endless, "--csv", "--limit", "0").lines == ["i"]


def test_a_reader_that_goes_away_ends_it(out: Path) -> None:
    command = [*COMMAND, "sql", str(out), "SELECT * FROM range(1000000000000) AS t(i)", "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stderr is not None
        assert [child.stdout.readline() for _ in range(2)] == [b"i\n", b"0\n"]
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


def test_time(out: Path) -> None:
    done = run("sql", str(out), "SELECT sleep_ms(600000)", "--seconds", "0.2")
    assert (done.code, done.out, done.err) == (2, "", "webtongue: the question took more than 0.2 seconds\n")


def test_wrong_calls(out: Path, tmp_path: Path) -> None:
    for arguments, said in (
        ((str(tmp_path), "SELECT 1"), "is no census"),
        ((str(out), "SELECT 1", "--json", "--csv"), "choose one"),
        ((str(out), "DROP VIEW pages"), "one SELECT"),
        ((str(out), "SELECT nowhere FROM pages"), "nowhere"),
        ((str(out), "SELECT 1", "--seconds", "0"), "some seconds"),
        ((str(out), "SELECT 1", "--limit", "-1"), "limit"),
    ):
        done = run("sql", *arguments)
        assert done.code == 2 and said in done.err, arguments
        assert done.out == "" and done.err.count("\n") == 1


def test_bytes_that_are_no_text(out: Path) -> None:
    done = process("sql", str(out), os.fsdecode(b"SELECT '\xff'"))
    assert (done.code, done.err) == (
        2,
        "webtongue: the question is no text: what is at its character 9 is no character\n",
    )


def test_a_damaged_part_is_told(tmp_path: Path) -> None:
    made_rows.save(tmp_path, made_rows.table([{}]))
    part = next((tmp_path / "rows").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-50])
    done = run("sql", str(tmp_path), "SELECT count(*) FROM pages")
    assert done.code == 2 and "damaged" in done.err and "--resume" in done.err
