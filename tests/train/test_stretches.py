"""Stretches of a file that are not what the file says."""

from __future__ import annotations

from webtongue.train.text.stretches import LENGTH, foreign

LINE = "x" * (LENGTH // 3)


def labels_of(texts: list[str]) -> list[str]:
    """Reads the first letter."""
    return [{"a": "eng_Latn", "b": "fra_Latn"}[text[0]] for text in texts]


def made(kinds: str) -> list[str]:
    """A stretch of three lines for each letter."""
    return [f"{kind}{LINE}" for kind in kinds for _ in range(3)]


def test_a_foreign_beginning_is_found_line_by_line() -> None:
    (found,) = foreign("udhr", "eng_Latn", made("bbbb" + "a" * 8), labels_of)
    assert (found.begin, found.end) == (0, 12)
    assert set(found.answers) == {"fra_Latn"} and found.of_file == 8 / 12


def test_a_few_odd_lines_are_not_a_finding() -> None:
    assert foreign("udhr", "eng_Latn", made("aabaabbaaa"), labels_of) == []


def test_a_file_that_is_hardly_recognised_is_one_finding() -> None:
    (found,) = foreign("udhr", "eng_Latn", made("bbabbb"), labels_of)
    assert (found.begin, found.end) == (0, 18) and found.of_file < 0.5


def test_the_end_of_a_file_and_a_short_one() -> None:
    (found,) = foreign("udhr", "eng_Latn", made("a" * 8 + "bbb"), labels_of)
    assert (found.begin, found.end) == (24, 33)
    assert foreign("udhr", "eng_Latn", ["a"], labels_of) == []
    assert foreign("udhr", "eng_Latn", [], labels_of) == []
