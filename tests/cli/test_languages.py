"""Tests of ``webtongue languages``."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import on_terminal, process, run
from webtongue import Identifier


def test_every_label_is_listed() -> None:
    languages = [json.loads(line) for line in run("languages", "--json").lines]
    assert [row["label"] for row in languages] == sorted(Identifier().labels)
    serbian = next(row for row in languages if row["label"] == "srp_Latn")
    assert serbian == {
        "label": "srp_Latn", "language": "sr-Latn", "name": "Serbian (Latin)", "script": "Latn", "tier": 1, "group": "hbs",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "label"),
    [("serb", "srp_Cyrl"), ("SR", "srp_Cyrl"), ("hbs", "hrv_Latn"), ("ell", "ell_Grek"), ("Geor", "kat_Geor")],
)
def test_languages_can_be_filtered(query: str, label: str) -> None:
    lines = run("languages", query, columns=80).lines
    assert any(line.startswith(label) for line in lines[1:]) and len(lines) < 60


def test_no_match_is_reported() -> None:
    completed = run("languages", "\x1b[2Jx")
    assert (completed.code, completed.out) == (1, "") and completed.err.startswith("webtongue: no language")
    assert "\x1b" not in completed.err


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_list_fits_the_width(columns: int) -> None:
    lines = on_terminal("languages", columns=columns).plain.splitlines()
    assert max(map(len, lines)) <= columns and len(lines) == len(Identifier().labels) + 1


def test_the_list_is_ascii_on_ascii_terminals() -> None:
    completed = process("languages", PYTHONIOENCODING="ascii")
    assert completed.code == 0 and completed.out.isascii() and r"Norwegian Bokm\xe5l" in completed.out
