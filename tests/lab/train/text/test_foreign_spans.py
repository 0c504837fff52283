"""Spans of a file in another language than that of its label."""

from __future__ import annotations

from webtongue.lab.train.text.foreign_spans import CHUNK_CHARS, find_spans_in_file

LINE = "x" * (CHUNK_CHARS // 3)


def classify(texts: list[str]) -> list[str]:
    """Return a label for each text by its first letter."""
    return [{"a": "eng_Latn", "b": "fra_Latn"}[text[0]] for text in texts]


def make_lines(kinds: str) -> list[str]:
    """Return three lines, one chunk, for each letter."""
    return [f"{kind}{LINE}" for kind in kinds for _ in range(3)]


def test_a_foreign_beginning_is_found_line_by_line() -> None:
    (span,) = find_spans_in_file("udhr", "eng_Latn", make_lines("bbbb" + "a" * 8), classify)
    assert (span.begin, span.end) == (0, 12)
    assert set(span.answers) == {"fra_Latn"} and span.recognised == 8 / 12


def test_a_few_odd_lines_are_not_a_finding() -> None:
    assert find_spans_in_file("udhr", "eng_Latn", make_lines("aabaabbaaa"), classify) == []


def test_a_file_that_is_hardly_recognised_is_one_finding() -> None:
    (span,) = find_spans_in_file("udhr", "eng_Latn", make_lines("bbabbb"), classify)
    assert (span.begin, span.end) == (0, 18) and span.recognised < 0.5


def test_the_end_of_a_file_and_a_short_one() -> None:
    (span,) = find_spans_in_file("udhr", "eng_Latn", make_lines("a" * 8 + "bbb"), classify)
    assert (span.begin, span.end) == (24, 33)
    assert find_spans_in_file("udhr", "eng_Latn", ["a"], classify) == []
    assert find_spans_in_file("udhr", "eng_Latn", [], classify) == []
