"""Answers are those that are stored; a wanted change is stored with ``python -m tests.golden --update``."""

from __future__ import annotations

from tests.golden import differences, results, stored


def test_answers_are_as_stored() -> None:
    lines = differences(stored(), {row["input"]: row for row in results()})
    assert not lines, "\n".join(["answers changed; run `python -m tests.golden --update` if they should:", *lines])


def test_differences_are_readable() -> None:
    old = {"a": {"input": "a", "label": "deu_Latn"}, "b": {"input": "b"}}
    new = {"a": {"input": "a", "label": "nld_Latn"}, "c": {"input": "c"}}
    assert differences(old, new) == [
        "a: label was 'deu_Latn', is 'nld_Latn'",
        "b: only in the stored results",
        "c: only in the new results",
    ]
