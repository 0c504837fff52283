"""Word lists as training text."""

from __future__ import annotations

from pathlib import Path

from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.corpus.words import LINES_OF_SHORT_LIST, SOURCE, WORDS_PER_LINE, add_words


def test_words_are_drawn_by_frequency(tmp_path: Path) -> None:
    (tmp_path / "hmo_Latn.tsv").write_text("bona\t9000000\nlasi\t10000\n\tbad\nword\tnumber\n", "utf-8")
    (tmp_path / "quy_Latn.tsv").write_text("kay\t5\n", "utf-8")
    (tmp_path / "README.md").write_text("not a list", "utf-8")
    corpus, again = Corpus(), Corpus()
    add_words(corpus, tmp_path)
    add_words(again, tmp_path)
    assert corpus == again
    assert sorted(corpus.lines) == [(SOURCE, "hmo_Latn"), (SOURCE, "que_Latn")]  # folded as text is
    lines = corpus.lines[SOURCE, "hmo_Latn"]
    assert len(lines) == LINES_OF_SHORT_LIST and all(len(line.split()) == WORDS_PER_LINE for line in lines)
    words = " ".join(lines).split()
    assert set(words) == {"bona", "lasi"}
    assert words.count("lasi") < 0.05 * len(words)
