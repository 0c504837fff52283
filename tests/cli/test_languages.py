"""``webtongue languages``."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import on_terminal, process, run
from webtongue import Identifier


def test_every_label_is_listed() -> None:
    found = [json.loads(line) for line in run("languages", "--json").lines]
    assert [row["label"] for row in found] == sorted(Identifier().labels)
    serbian = next(row for row in found if row["label"] == "srp_Latn")
    assert serbian == {
        "label": "srp_Latn", "language": "sr-Latn", "name": "Serbian (Latin)", "script": "Latn", "tier": 1, "group": "hbs",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "label"),
    [("serb", "srp_Cyrl"), ("SR", "srp_Cyrl"), ("hbs", "hrv_Latn"), ("ell", "ell_Grek"), ("Geor", "kat_Geor")],
)
def test_a_filter(wanted: str, label: str) -> None:
    lines = run("languages", wanted, columns=80).lines
    assert any(line.startswith(label) for line in lines[1:]) and len(lines) < 60


def test_no_match_is_said() -> None:
    done = run("languages", "\x1b[2Jx")
    assert (done.code, done.out) == (1, "") and done.err.startswith("webtongue: no language")
    assert "\x1b" not in done.err


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_it_fits(columns: int) -> None:
    lines = on_terminal("languages", columns=columns).plain.splitlines()
    assert max(map(len, lines)) <= columns and len(lines) == len(Identifier().labels) + 1


def test_ascii() -> None:
    done = process("languages", PYTHONIOENCODING="ascii")
    assert done.code == 0 and done.out.isascii() and r"Norwegian Bokm\xe5l" in done.out
