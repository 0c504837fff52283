"""What methods are fitted on: documents from all over a file, and no stretches that are not what the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from webtongue.lab.methods.corpus import DOCUMENT_CHARS, read_documents
from webtongue.lab.train.corpus import read as corpus_read
from webtongue.lab.train.corpus.read import DroppedSpan, drop_spans, read_corpus


def sentences(word: str, count: int) -> list[str]:
    return [f"{word} {n} and so on for a line of some length" for n in range(count)]


def folder_of(tmp_path: Path, lines: list[str]) -> Path:
    (tmp_path / "udhr").mkdir()
    (tmp_path / "udhr" / "eng_Latn.txt").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize("document", [200, DOCUMENT_CHARS, 5000])
@pytest.mark.parametrize("size", [1000, 3000, 20_000])
def test_a_sample_is_from_all_over_the_file(tmp_path: Path, document: int, size: int) -> None:
    folder = folder_of(tmp_path, sentences("foreign", 400) + sentences("own", 400))
    text = "\n".join(map(str, read_documents(folder, label_chars=size, document_chars=document)["eng_Latn"]))
    assert size - document - DOCUMENT_CHARS < len(text) <= size + len(text) // 50
    foreign, own = (sum(line.startswith(word) for line in text.split("\n")) for word in ("foreign", "own"))
    assert 0.3 < foreign / (foreign + own) < 0.7


def test_a_small_file_is_taken_whole_and_in_its_order(tmp_path: Path) -> None:
    lines = sentences("own", 40)
    documents = read_documents(folder_of(tmp_path, lines), label_chars=100_000)["eng_Latn"]
    expected = [line for line in lines if not corpus_read.is_held_out(line)]
    assert "\n".join(map(str, documents)).split("\n") == expected
    assert read_documents(tmp_path)["eng_Latn"] == documents


def test_foreign_spans_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [line for line in sentences("foreign", 10) + sentences("own", 30) if not corpus_read.is_held_out(line)]
    foreign = [line for line in lines if line.startswith("foreign")]
    dropped = DroppedSpan(corpus_read.digest_line(foreign[0]), len(foreign), "another language")
    monkeypatch.setattr(corpus_read, "DROPPED_SPANS", {("udhr", "eng_Latn"): (dropped,)})
    folder = folder_of(tmp_path, lines)
    assert read_corpus(folder).lines["udhr", "eng_Latn"] == [line for line in lines if line.startswith("own")]


def test_a_stretch_is_found_by_its_first_line_and_nothing_else_is_left_out() -> None:
    lines = sentences("own", 5)
    gone = (DroppedSpan(corpus_read.digest_line("somewhere else"), 3, "x"),)
    assert drop_spans(lines, gone) == lines
    gone = (DroppedSpan(corpus_read.digest_line(lines[1]), 2, "x"),)
    assert drop_spans(lines, gone) == [lines[0], *lines[3:]]
