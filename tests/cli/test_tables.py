"""Tests of ``webtongue tables``."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.census import synthetic_rows
from tests.cli.running import on_terminal, run
from webtongue.census.tables import names, run_all
from webtongue.census.tables import run as table
from webtongue.cli.console import Terminal
from webtongue.cli.formatting import print_rows

HOSTILE = ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx", "a|b`c[d](e)<img>&amp;\\", "\x1b[2Jx", "plain"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {"url": f"http://h{i}.example.is/{page}", "label": label, "country": country, "ip": f"192.0.2.{i}"}
        for i, (label, country) in enumerate(
            (("isl_Latn", "IS"), ("isl_Latn", "IS"), ("fao_Latn", "FO"), ("eng_Latn", "IS"))
        )
        for page in range(3)
    ]
    rows += [{"label": "und", "reason": "too_short", "unrecognised_language": code} for code in HOSTILE]
    rows += [
        {"url": f"http://n{i}.example/", "label": f"{a}{b}b_Latn"}
        for i, (a, b) in enumerate((a, b) for a in "abcde" for b in "abcde")
    ]
    folder = synthetic_rows.save(tmp_path_factory.mktemp("tables") / "out", synthetic_rows.table(rows))
    (folder / "census.json").write_text(json.dumps({"attribution": "addresses by \x1b[31mexample"}))
    return folder


def test_some_tables_are_printed_by_default(out: Path) -> None:
    completed = run("tables", str(out))
    assert completed.code == 0
    titles = ["Summary", "Pages by language", "Servers by country", "Pages by host", "Pages without a language"]
    places = [completed.out.index(title) for title in titles]
    assert places == sorted(places)
    assert "Iceland" in completed.out and "Faroese" in completed.out
    assert "and 19 more: --top 29" in completed.out  # languages, of which 10 are shown
    other = completed.out[completed.out.index("Other tables") :]
    assert set(re.findall(r"\w+_\w+|ranks|problems|multilingual", other)) >= set(names()) - {
        "summary",
        "pages_by_language",
        "servers_by_country",
        "pages_by_host",
        "unknown_by_reason",
    }
    narrow = run("tables", str(out), columns=80)
    assert max(map(len, narrow.lines)) <= 80
    assert completed.lines[-1] == "addresses by \\x1b[31mexample"


def test_the_screen_has_percentages_and_intervals(out: Path) -> None:
    completed = run("tables", str(out), "pages_by_language", "--top", "1")
    assert completed.lines[1].split() == [
        "label",
        "name",
        "tier",
        "pages",
        "reliable",
        "little_text",
        "share",
        "95%",
    ]  # the tag is left out beside the label
    assert re.fullmatch(r"und +Undetermined +1 +8 +8 +0 +18% +\d+-\d+%", completed.lines[2])
    assert completed.lines[3].startswith("and 28 more: --top 29")


def test_tables_can_be_selected_by_name(out: Path) -> None:
    completed = run("tables", str(out), "ranks", "summary", "--top", "2")
    assert completed.out.index("Ranks of languages") < completed.out.index("Summary")
    assert "Servers by country" not in completed.out
    assert len([line for line in completed.lines if "Iceland" in line]) == 1


def test_tables_of_a_country_and_of_a_language(out: Path) -> None:
    completed = run("tables", str(out), "--country", "is")
    assert (
        "Languages within countries" in completed.out
        and "among people" in completed.out
        and "Faroe" not in completed.out
    )
    completed = run("tables", str(out), "--language", "Faroese")
    assert "Countries of languages" in completed.out and "Encodings by language" in completed.out
    assert "Icelandic" not in completed.out and "Faroe" in completed.out


def test_the_list_names_every_table(out: Path) -> None:
    completed = run("tables", str(out), "--list", columns=200)
    assert [line.split()[0] for line in completed.lines if line.split()[0] in names()] == list(names())
    assert "table 5-4" in completed.out
    narrow = run("tables", str(out), "--list", columns=60)
    every = run("tables", str(out), columns=80)
    for line in (*completed.out.split("\n"), *narrow.out.split("\n"), *every.out.split("\n")):
        assert line == line.rstrip()
    assert all(name in narrow.out for name in names()) and max(map(len, narrow.lines)) <= 60


def test_csv_is_the_table(out: Path, tmp_path: Path) -> None:
    run("tables", str(out), "-o", str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{name}.csv" for name in names())
    for result in run_all(out, names()):
        header, *rows = csv.reader(io.StringIO((tmp_path / f"{result.name}.csv").read_text()))
        assert header == list(result.columns)
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for row in rows for cell in row)
        for row, values in zip(rows, result.rows, strict=True):
            for cell, value in zip(row, values, strict=True):
                if isinstance(value, int | float):
                    assert float(cell) == value
                elif value is None:
                    assert cell == ""


def test_csv_cells_are_not_formulas(out: Path) -> None:
    completed = run("tables", str(out), "unrecognised_declarations", "--format", "csv")
    cells = {row[0] for row in csv.reader(io.StringIO(completed.out))}
    assert {"'=HYPERLINK(1)", "'+1", "'-1", "'@x", "plain"} <= cells
    assert "\x1b" not in completed.out


def test_json_is_the_table(out: Path) -> None:
    completed = run("tables", str(out), "pages_by_language", "--format", "json")
    result = table(out, "pages_by_language")
    assert [tuple(json.loads(line).values()) for line in completed.lines] == list(result.rows)
    assert list(json.loads(completed.lines[0])) == list(result.columns)


def test_json_of_several_tables_has_their_names(out: Path) -> None:
    completed = run("tables", str(out), "--format", "json", "--top", "1")
    table_names = [json.loads(line)["table"] for line in completed.lines]
    assert table_names == [result.name for result in run_all(out, names()) if result.rows]


def test_markdown_is_escaped(out: Path) -> None:
    completed = run("tables", str(out), "unrecognised_declarations", "--format", "markdown")
    lines = [line for line in completed.lines if line.startswith("|")]
    assert completed.lines[0] == "## Declared codes that are not languages"
    assert lines[:2] == ["| code | pages |", "| --- | --- |"] and len(lines) == 2 + len(HOSTILE)
    assert "| a\\|b\\`c\\[d](e)&lt;img>&amp;amp;\\\\ | 1 |" in lines
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "\x1b" not in completed.out


@pytest.mark.parametrize(("form", "suffix"), [("csv", "csv"), ("json", "jsonl"), ("markdown", "md"), ("table", "txt")])
def test_tables_are_written_to_files(out: Path, tmp_path: Path, form: str, suffix: str) -> None:
    completed = run("tables", str(out), "summary", "ranks", "-o", str(tmp_path / "deep" / "er"), "--format", form)
    paths = [tmp_path / "deep" / "er" / f"{name}.{suffix}" for name in ("summary", "ranks")]
    assert completed.lines == [str(path) for path in paths]
    assert "captures" in paths[0].read_text() and "Icelandic" in paths[1].read_text()


def test_control_characters_are_escaped(out: Path) -> None:
    completed = on_terminal("tables", str(out), "unrecognised_declarations")
    assert completed.code == 0 and "\x1b[2J" not in completed.out and "\\x1b[2J" in completed.plain


def test_an_empty_census_has_tables(tmp_path: Path) -> None:
    synthetic_rows.save(tmp_path)
    completed = run("tables", str(tmp_path))
    assert completed.code == 0 and "captures" in completed.out
    completed = run("tables", str(tmp_path), "pages_by_language", "--format", "csv")
    assert completed.lines == ["label,language,name,tier,pages,reliable,little_text,share,low,high"]
    assert run("tables", str(tmp_path), "--format", "json", "ranks").out == ""


def test_wrong_calls_fail_with_a_message(out: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ((str(tmp_path),), "is not a census"),
        ((str(out), "pages_by_planet"), "no table 'pages_by_planet'"),
        ((str(out), "summary", "ranks", "--format", "csv"), "one table in a file"),
        ((str(out), "--country", "Iceland"), "two letters"),
        ((str(out), "--country", "UK"), "did you mean GB?"),
        ((str(out), "--language", "klingonese"), "is no language"),
        (
            (str(out), "summary", "ranks", "--country", "IS"),
            "--country selects rows of languages_of_country, languages_against_population, not of summary, ranks",
        ),
        (
            (str(out), "pages_by_language", "-l", "cy"),
            "--language selects rows of countries_of_language, encodings_by_language, languages_by_tld, not of pages_by_language",
        ),
        ((str(out), "--top", "0"), "top"),
        ((str(out), "--format", "xml"), "xml"),
    ):
        completed = run("tables", *arguments)
        assert completed.code == 2 and message in completed.err, arguments


def test_a_narrow_table_breaks_headings_before_it_cuts_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ["label", "name", "tier", "pages", "reliable", "little_text", "share", "95%"]
    rows = [["zho_Hant", "Chinese (Traditional)", "1", "7", "6", "1", "1.1%", "0.3-3.6%"]]
    for width, lines in ((82, 3), (79, 3), (84, 2)):
        monkeypatch.setenv("COLUMNS", str(width))
        print_rows(columns, rows, Terminal(), frozenset(columns[2:]))
        printed = capsys.readouterr().out.splitlines()
        assert len(printed) == lines and "Chinese (Traditional)" in printed[-1] and max(map(len, printed)) <= width
        assert [heading in " ".join(printed) for heading in ("little", "95%")] == [True, True]
    monkeypatch.setenv("COLUMNS", "52")
    print_rows(columns, rows, Terminal(), frozenset(columns[2:]))
    assert "not shown, for lack of width: share, 95%" in capsys.readouterr().out
