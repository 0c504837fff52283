"""Never surely wrong: at most one non-sentence in two hundred is answered reliably, of each kind and of all; sentences still are."""

from __future__ import annotations

from functools import cache

import pytest

import webtongue
from tests.quality import Sample, identify, is_surely_wrong, kinds, samples
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

BAR = 0.005
FEWEST = 100  # samples of a kind: fewer prove nothing
SURE = 0.95  # share of sentences that answers must be sure of
LONG = 50


@cache
def surely_wrong(kind: str) -> list[Sample]:
    return [sample for sample in samples(kind) if is_surely_wrong(sample, identify(sample))]


@pytest.mark.parametrize("kind", kinds())
def test_no_kind_is_answered_reliably(kind: str) -> None:
    made = samples(kind)
    assert len(made) >= FEWEST
    wrong = surely_wrong(kind)
    assert len(wrong) <= BAR * len(made), wrong[:3]


def test_the_whole_set() -> None:
    assert sum(len(surely_wrong(kind)) for kind in kinds()) <= BAR * sum(len(samples(kind)) for kind in kinds())


@pytest.mark.parametrize("kind", kinds())
def test_nothing_is_taken_for_a_font(kind: str) -> None:
    assert not [sample for sample in samples(kind) if identify(sample).encoding.startswith("x-font-")]


def test_samples_are_the_same_at_every_call() -> None:
    for kind in kinds():
        assert samples(kind) == samples(kind)


def test_sentences_are_still_answered_reliably() -> None:
    assert len(SENTENCES) >= 30
    texts = [(label, text) for label, some in SENTENCES.items() for text in some]
    assert all(len(text) >= LONG for _, text in texts)
    sure = [
        label for label, text in texts if (v := webtongue.identify_text(text)).reliable and v.label == str(fold(label))
    ]
    assert len(sure) >= SURE * len(texts), sorted({label for label, _ in texts} - set(sure))


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_sentences_in_capitals_have_words_in_a_row(label: str) -> None:
    for text in SENTENCES[label]:
        assert webtongue.Identifier().reader.read_text(text.upper()).running_words >= 4
