"""Tests of ``webtongue search``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.census.test_search import TEXTS, write
from tests.cli.running import on_terminal, run


@pytest.fixture
def out(tmp_path: Path) -> Path:
    rows = [{"url": u, "label": label, "text": t, "fetch_status": 200, "confidence": 0.9} for u, label, t in TEXTS]
    rows.append({**rows[0], "url": "https://example.is/\x1b[2J", "text": "\x1b[31mKjörorð\x07 dagsins"})
    write(tmp_path, rows)
    return tmp_path


def test_hits_are_printed_with_marks(out: Path) -> None:
    completed = run("search", str(out), "velkomin")
    assert completed.code == 0
    assert completed.lines == [
        "  1  https://example.is/safn  is, 1 hit",
        "     Bókasafnið er opið alla daga. Góðan dag og **velkomin**.",
    ]


@pytest.mark.parametrize("columns", [40, 80])
def test_lines_fit_the_terminal(tmp_path: Path, columns: int) -> None:
    text = "Höfnin er opin og bátarnir koma inn á kvöldin með fiskinn. " * 20
    url = f"https://example.is/{'langt-' * 30}"
    write(tmp_path, [{"url": url, "label": "isl_Latn", "text": text, "fetch_status": 200, "confidence": 0.9}])
    completed = run("search", str(tmp_path), "bátarnir", columns=columns)
    assert len(completed.lines) > 2 and max(map(len, completed.lines)) <= columns
    assert "".join(completed.lines).count("**bátarnir**") == run("search", str(tmp_path), "bátarnir").out.count(
        "**bátarnir**"
    )


def test_words_may_be_several_arguments(out: Path) -> None:
    assert run("search", str(out), "velkomin", "dag").lines[0] == "  1  https://example.is/safn  is, 2 hits"
    assert run("search", str(out), '"dag og"', "-l", "en").lines[0] == "  1  https://example.com/  en, 1 hit"


def test_json(out: Path) -> None:
    completed = run("search", str(out), "dag", "--language", "is", "--json", "--limit", "1")
    (row,) = map(json.loads, completed.lines)
    assert (row["url"], row["label"], row["count"]) == ("https://example.is/annad", "isl_Latn", 40)
    assert next(row["snippet"][begin:end] for begin, end in row["marks"]) == "dag"
    assert "the 1 best" in completed.err


def test_no_hits_are_no_error(out: Path) -> None:
    completed = run("search", str(out), "hvalreki")
    assert (completed.code, completed.out, completed.err) == (0, "", "webtongue: nothing found\n")


def test_control_characters_in_pages_are_escaped(out: Path) -> None:
    completed = on_terminal("search", str(out), "dagsins")
    assert completed.code == 0
    assert "\\x1b[31mKjörorð\\x07 dagsins" in completed.plain
    assert "https://example.is/\\x1b[2J" in completed.plain
    assert "\x1b[1;33mdagsins\x1b[0m" in completed.out  # but for our own colours


def test_wrong_calls_fail_with_a_message(out: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, message in (
        ((str(empty), "dag"), "is not a census"),
        ((str(out), "--", '""'), "at least one word"),
        ((str(out), "dag", "-l", "klingonese"), "not a language"),
        ((str(out), "dag", "--limit", "0"), "limit"),
    ):
        completed = run("search", *arguments)
        assert completed.code == 2 and message in completed.err, arguments


def test_a_missing_extension_is_no_error(out: Path) -> None:
    completed = run("search", str(out), "velkomin", "--index")
    assert completed.code == 0 and completed.lines[0].startswith("  1  https://example.is/safn")
    assert bool(completed.err) is not (out / "search.duckdb").exists()
