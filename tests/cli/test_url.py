"""Tests of ``webtongue url``."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import run

LONG = "https://www.example.de/nachrichten/aus-der-region/" + "ein-langer-titel-" * 20 + "ende"


@pytest.mark.parametrize("columns", [0, 60, 80, 120])
def test_table(columns: int) -> None:
    completed = run("url", "https://www.example.de/nachrichten/aus-der-region", "javascript:void(0)", columns=columns)
    assert completed.code == 0
    assert "deu_Latn" in completed.lines[1]
    assert "not the address of a pa" in completed.lines[2]


def test_long_urls_are_truncated_in_the_middle() -> None:
    completed = run("url", LONG, columns=60)
    assert all(len(line) <= 60 for line in completed.lines)
    assert completed.lines[1].startswith("https://www.ex") and "ende  deu_Latn" in completed.lines[1]
    assert LONG in run("url", LONG).out


def test_json_lines_keep_order_and_survive_bad_bytes() -> None:
    feed = b"https://example.fr/les-nouvelles-du-jour\n\nhttp://example.de/%FF\xff\nnonsense\n"
    rows = [json.loads(line) for line in run("url", "--json", "-", feed=feed).lines]
    assert [row["language"] for row in rows] == ["fr", "und", "und"]
    assert rows[1]["url"] == "http://example.de/%FF\\xff"
    assert rows[2]["reason"] == "not_a_url" and rows[2]["why"]


def test_control_characters_in_urls_are_escaped() -> None:
    completed = run("url", "http://a.de/\x1b[2J\u202e[red]", columns=80)
    assert completed.lines[1].startswith(r"http://a.de/\x1b[2J\u202e[red]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-", "-"), "only once"),
        (("--priors", "wbe", "http://a.de/"), "'web', 'uniform'"),
        ((), "Missing argument"),
        (("--jsno", "http://a.de/"), "--jsno"),
    ],
)
def test_wrong_calls_fail_with_a_message(arguments: tuple[str, ...], message: str) -> None:
    completed = run("url", *arguments)
    assert (completed.code, completed.out) == (2, "")
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err
