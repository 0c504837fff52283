"""Tests that the bits of text and prior of a batch equal those of single pages."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.inputs import random_page
from tests.quality.sentences import SENTENCES
from webtongue import Identifier, _kernel
from webtongue.evidence import combine
from webtongue.policy import LOG_SCALE

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]
MOST = 8


def random_pages(seed: int) -> list[bytes | None]:
    """Pages of all kinds, one sentence in each of many languages (in some scripts there is but one), and what is no page."""
    rng = random.Random(seed)
    sentences = [f"<p>{text[: rng.randrange(4, 90)]}".encode() for some in SENTENCES.values() for text in some]
    pages = [*(random_page(rng) for _ in range(300)), *sentences, b"", b"%PDF-1.4", None]
    rng.shuffle(pages)
    return pages


def check(ident: Identifier, many: _kernel.Analyses, most: int) -> int:
    """Equal on every page; returns how many had one guess alone."""
    letters, text_bytes, _, text, prior, starts, labels, values = many.details(ident.reader.kernel, most)
    alone = 0
    assert (starts[0], starts[-1]) == (0, len(labels))
    for i in range(len(many)):
        reading = many.reading(i)
        expected = combine.bits(reading, (), ident.models.evidence) or {"text": 0.0, "prior": 0.0}
        assert text[i] == pytest.approx(expected["text"], rel=1e-5, abs=1e-5)
        assert prior[i] == pytest.approx(expected["prior"], rel=1e-6, abs=1e-6)
        assert letters[i] == reading.letters
        assert text_bytes[i] == many.scan(i).visible_size
        place = slice(starts[i], starts[i + 1])
        by_text = reading.text_guesses(most)
        assert labels[place].tolist() == [label for label, _ in by_text]
        assert (
            values[place].tolist()
            == np.array([log / LOG_SCALE - ident.reader.prior_nats(n, reading) for n, log in by_text], "f4").tolist()
        )
        alone += len(by_text) == 1
    return alone


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_bits_and_likeliest_labels(ident: Identifier) -> None:
    pages = random_pages(31)
    many = ident.models.flow.analyse_list(pages, bytes(len(pages)), False)
    alone = check(ident, many, MOST)
    assert alone > 3 or ident.languages
    for most in (0, 1, 3, 99):
        check(ident, many, most)


def test_hints_leave_the_likeliest_labels_as_they_are() -> None:
    ident = IDENTS[0]
    pages = random_pages(32)
    flow, rng = ident.models.flow, random.Random(32)
    many = flow.analyse_list(pages, bytes(len(pages)), False)
    before = [column.tolist() for column in many.details(ident.reader.kernel, MOST)[5:]]
    turned = 0
    for i in range(len(pages)):
        best = many.reading(i).guesses(1)
        nats = {rng.choice(ident.reader.model.labels): rng.uniform(3, 12) for _ in range(20)}
        flow.apply_hints(
            many.reading(i), ident.models.evidence.kernel, [ident.models.evidence.kernel.hint(nats, 1.0, 64.0, False)]
        )
        turned += best != many.reading(i).guesses(1)
    assert turned > 30
    assert [column.tolist() for column in many.details(ident.reader.kernel, MOST)[5:]] == before


def test_pages_without_an_answer_have_no_bits() -> None:
    ident = IDENTS[0]
    columns = ident.models.flow.analyse_list([], b"", False).details(ident.reader.kernel, MOST)
    assert [len(column) for column in columns] == [0, 0, 0, 0, 0, 1, 0, 0]
