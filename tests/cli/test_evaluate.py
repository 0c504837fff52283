"""Tests of ``webtongue evaluate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import process, run

TEXTS = {
    "deu_Latn": "Die Bücherei hat heute bis zum Abend geöffnet.",
    "ell_Grek": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα.",
}


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "[red]x\x1b[2J\u202e.jsonl"
    path.write_text("\n".join(json.dumps({"id": label, "text": text, "label": label}) for label, text in TEXTS.items()))
    return path


def test_names_of_sets_are_escaped(items: Path) -> None:
    completed = run("evaluate", str(items), "--peers", "none")
    assert completed.code == 0
    assert r"[red]x\x1b[2J\u202e: 2 items" in completed.out and "\x1b" not in completed.out
    assert process("evaluate", str(items), "--peers", "none", PYTHONIOENCODING="ascii").out.isascii()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no such set",), "no such set"),
        (("x", "--open"), "--restrict"),
        (("x", "--priors", "wbe"), "priors"),
        (("x", "--length", "-1"), "--length"),
        (("x", "--peers", "nobody"), "nobody"),
    ],
)
def test_wrong_calls_fail_with_one_sentence(items: Path, arguments: tuple[str, ...], message: str) -> None:
    first, *rest = arguments
    completed = run("evaluate", str(items) if first == "x" else first, *rest)
    assert (completed.code, completed.out) == (2, "")
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err
