"""A file under the wrong label is found by what its label's other sources say."""

from __future__ import annotations

from tests.lab.train.text_samples import SENTENCES
from tests.lab.train.tiny import TINY, tiny_corpus
from webtongue.lab.train.text.sources import check_sources


def test_a_mislabelled_file_comes_first() -> None:
    corpus = tiny_corpus()
    corpus.lines["odd", "eng_Latn"] = SENTENCES["deu_Latn"]
    findings = check_sources(corpus, TINY, progress=lambda message: None)
    worst = findings[0]
    assert (worst.source, worst.label, worst.runner_up) == ("odd", "eng_Latn", "deu_Latn")
    assert worst.recognised < 0.2
    good = [finding.recognised for finding in findings if finding.source == "plain"]
    assert sum(good) / len(good) > 0.8
