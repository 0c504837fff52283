"""Tests that at most one non-sentence in two hundred has a reliable answer, of each kind and of all, while sentences have one."""

from __future__ import annotations

from functools import cache

import pytest

import webtongue
from tests.quality import Sample, identify, is_confidently_wrong, kinds, samples
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

MAX_WRONG_SHARE = 0.005
MIN_SAMPLES = 100  # of a kind
MIN_RELIABLE_SHARE = 0.95  # of sentences
MIN_SENTENCE_CHARS = 50


@cache
def confidently_wrong(kind: str) -> list[Sample]:
    return [sample for sample in samples(kind) if is_confidently_wrong(sample, identify(sample))]


@pytest.mark.parametrize("kind", kinds())
def test_no_kind_is_answered_reliably(kind: str) -> None:
    all_samples = samples(kind)
    assert len(all_samples) >= MIN_SAMPLES
    wrong = confidently_wrong(kind)
    assert len(wrong) <= MAX_WRONG_SHARE * len(all_samples), wrong[:3]


def test_the_whole_set_is_hardly_ever_answered_reliably() -> None:
    assert sum(len(confidently_wrong(kind)) for kind in kinds()) <= MAX_WRONG_SHARE * sum(
        len(samples(kind)) for kind in kinds()
    )


@pytest.mark.parametrize("kind", kinds())
def test_no_sample_is_taken_for_font_text(kind: str) -> None:
    assert not [sample for sample in samples(kind) if identify(sample).encoding.startswith("x-font-")]


def test_samples_are_the_same_at_every_call() -> None:
    for kind in kinds():
        assert samples(kind) == samples(kind)


def test_sentences_are_still_answered_reliably() -> None:
    assert len(SENTENCES) >= 30
    texts = [(label, text) for label, sentences in SENTENCES.items() for text in sentences]
    assert all(len(text) >= MIN_SENTENCE_CHARS for _, text in texts)
    reliable = [
        label
        for label, text in texts
        if (verdict := webtongue.identify_text(text)).reliable and verdict.label == str(fold(label))
    ]
    assert len(reliable) >= MIN_RELIABLE_SHARE * len(texts), sorted({label for label, _ in texts} - set(reliable))


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_sentences_in_capitals_have_words_in_a_row(label: str) -> None:
    for text in SENTENCES[label]:
        assert webtongue.Identifier().reader.read_text(text.upper()).running_words >= 4
