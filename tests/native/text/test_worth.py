"""What text and prior did for an answer, for many pages at once: as fuse.bits has it page by page."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.inputs import page_of
from tests.quality.sentences import SENTENCES
from webtongue import Identifier, _kernel, fuse
from webtongue.text.thresholds import NATS

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]
MOST = 8


def made(seed: int) -> list[bytes | None]:
    """Pages of all kinds, one sentence in each of many languages (in some scripts there is but one), and what is no page."""
    rnd = random.Random(seed)
    sentences = [f"<p>{text[: rnd.randrange(4, 90)]}".encode() for some in SENTENCES.values() for text in some]
    pages = [*(page_of(rnd) for _ in range(300)), *sentences, b"", b"%PDF-1.4", None]
    rnd.shuffle(pages)
    return pages


def check(ident: Identifier, many: _kernel.Analyses, most: int) -> int:
    """Equal on every page; returns how many had one guess alone."""
    letters, text_bytes, _, text, prior, starts, labels, values = many.details(ident.reader.kernel, most)
    priors = ident.reader.log_priors
    alone = 0
    assert (starts[0], starts[-1]) == (0, len(labels))
    for i in range(len(many)):
        reading = many.reading(i)
        wanted = fuse.bits(reading, (), ident.stages.fusion) or {"text": 0.0, "prior": 0.0}
        assert text[i] == pytest.approx(wanted["text"], rel=1e-5, abs=1e-5)
        assert prior[i] == pytest.approx(wanted["prior"], rel=1e-6, abs=1e-6)
        assert letters[i] == reading.letters
        assert text_bytes[i] == many.scan(i).visible_size
        place = slice(starts[i], starts[i + 1])
        by_text = reading.by_text(most)
        assert labels[place].tolist() == [label for label, _ in by_text]
        assert values[place].tolist() == np.array([(log - priors[n]) / NATS for n, log in by_text], "f4").tolist()
        alone += len(by_text) == 1
    return alone


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_bits_and_likeliest_labels(ident: Identifier) -> None:
    pages = made(31)
    many = ident.stages.flow.analyse_list(pages, bytes(len(pages)), False)
    alone = check(ident, many, MOST)
    assert alone > 3 or ident.languages
    for most in (0, 1, 3, 99):
        check(ident, many, most)


def test_hints_leave_the_likeliest_labels_as_they_are() -> None:
    ident = IDENTS[0]
    pages = made(32)
    flow, rnd = ident.stages.flow, random.Random(32)
    many = flow.analyse_list(pages, bytes(len(pages)), False)
    before = [column.tolist() for column in many.details(ident.reader.kernel, MOST)[5:]]
    turned = 0
    for i in range(len(pages)):
        best = many.reading(i).guesses(1)
        flow.weigh(many.reading(i), {rnd.randrange(300): rnd.uniform(3, 12)}, (-2 * NATS, -5 * NATS))
        turned += best != many.reading(i).guesses(1)
    assert turned > 30
    assert [column.tolist() for column in many.details(ident.reader.kernel, MOST)[5:]] == before


def test_nothing_is_nothing() -> None:
    ident = IDENTS[0]
    columns = ident.stages.flow.analyse_list([], b"", False).details(ident.reader.kernel, MOST)
    assert [len(column) for column in columns] == [0, 0, 0, 0, 0, 1, 0, 0]
