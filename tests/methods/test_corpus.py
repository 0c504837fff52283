"""What methods are fitted on: documents from all over a file, and no stretches that are not what the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from webtongue.methods.corpus import DOCUMENT, read
from webtongue.train.corpus import read as corpus_read
from webtongue.train.corpus.read import DroppedStretch, read_corpus, without_stretches


def sentences(word: str, count: int) -> list[str]:
    return [f"{word} {n} and so on for a line of some length" for n in range(count)]


def folder_of(tmp_path: Path, lines: list[str]) -> Path:
    (tmp_path / "udhr").mkdir()
    (tmp_path / "udhr" / "eng_Latn.txt").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize("document", [200, DOCUMENT, 5000])
@pytest.mark.parametrize("size", [1000, 3000, 20_000])
def test_a_sample_is_from_all_over_the_file(tmp_path: Path, document: int, size: int) -> None:
    folder = folder_of(tmp_path, sentences("foreign", 400) + sentences("own", 400))
    found = "\n".join(map(str, read(folder, size=size, document=document)["eng_Latn"]))
    assert size - document - DOCUMENT < len(found) <= size + len(found) // 50
    foreign, own = (sum(line.startswith(word) for line in found.split("\n")) for word in ("foreign", "own"))
    assert 0.3 < foreign / (foreign + own) < 0.7


def test_a_small_file_is_taken_whole_and_in_its_order(tmp_path: Path) -> None:
    lines = sentences("own", 40)
    found = read(folder_of(tmp_path, lines), size=100_000)["eng_Latn"]
    kept = [line for line in lines if not corpus_read.held_out(line)]
    assert "\n".join(map(str, found)).split("\n") == kept
    assert read(tmp_path)["eng_Latn"] == found


def test_foreign_stretches_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [line for line in sentences("foreign", 10) + sentences("own", 30) if not corpus_read.held_out(line)]
    foreign = [line for line in lines if line.startswith("foreign")]
    dropped = DroppedStretch(corpus_read.line_digest(foreign[0]), len(foreign), "another language")
    monkeypatch.setattr(corpus_read, "DROPPED_STRETCHES", {("udhr", "eng_Latn"): (dropped,)})
    folder = folder_of(tmp_path, lines)
    assert read_corpus(folder).lines["udhr", "eng_Latn"] == [line for line in lines if line.startswith("own")]


def test_a_stretch_is_found_by_its_first_line_and_nothing_else_is_left_out() -> None:
    lines = sentences("own", 5)
    gone = (DroppedStretch(corpus_read.line_digest("somewhere else"), 3, "x"),)
    assert without_stretches(lines, gone) == lines
    gone = (DroppedStretch(corpus_read.line_digest(lines[1]), 2, "x"),)
    assert without_stretches(lines, gone) == [lines[0], *lines[3:]]
