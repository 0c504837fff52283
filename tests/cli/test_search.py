"""``webtongue search``."""

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
    done = run("search", str(out), "velkomin")
    assert done.code == 0
    assert done.lines == [
        "  1  https://example.is/safn  is, 1 hit",
        "     Bókasafnið er opið alla daga. Góðan dag og **velkomin**.",
    ]


def test_words_may_be_several_arguments(out: Path) -> None:
    assert run("search", str(out), "velkomin", "dag").lines[0] == "  1  https://example.is/safn  is, 2 hits"
    assert run("search", str(out), '"dag og"', "-l", "en").lines[0] == "  1  https://example.com/  en, 1 hit"


def test_json(out: Path) -> None:
    done = run("search", str(out), "dag", "--language", "is", "--json", "--limit", "1")
    (row,) = map(json.loads, done.lines)
    assert (row["url"], row["label"], row["count"]) == ("https://example.is/annad", "isl_Latn", 40)
    assert next(row["snippet"][begin:end] for begin, end in row["marks"]) == "dag"
    assert "the 1 best" in done.err


def test_nothing_found_is_no_error(out: Path) -> None:
    done = run("search", str(out), "hvalreki")
    assert (done.code, done.out, done.err) == (0, "", "webtongue: nothing found\n")


def test_text_of_pages_does_not_act_on_a_terminal(out: Path) -> None:
    done = on_terminal("search", str(out), "dagsins")
    assert done.code == 0
    assert "\\x1b[31mKjörorð\\x07 dagsins" in done.plain
    assert "https://example.is/\\x1b[2J" in done.plain
    assert "\x1b[1;33mdagsins\x1b[0m" in done.out  # but for our own colours


def test_wrong_calls(out: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, said in (
        ((str(empty), "dag"), "holds no census"),
        ((str(out), "--", '""'), "at least one word"),
        ((str(out), "dag", "-l", "klingonese"), "not a language"),
        ((str(out), "dag", "--limit", "0"), "limit"),
    ):
        done = run("search", *arguments)
        assert done.code == 2 and said in done.err, arguments


def test_no_extension_is_no_error(out: Path) -> None:
    done = run("search", str(out), "velkomin", "--index")
    assert done.code == 0 and done.lines[0].startswith("  1  https://example.is/safn")
    assert bool(done.err) is not (out / "search.duckdb").exists()
