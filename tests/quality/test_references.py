"""Pages in old encodings with most letters as references: their own bytes, what is declared and what is not shown say which."""

from __future__ import annotations

import webtongue
from tests.quality.references import Variant, broken, variants

UNDECLARED = 0.98  # share that must be right where nothing is declared: a single letter may be another's
SURE = 0.95  # confidence of a wrong answer that is never reached


def misses(pages: list[Variant]) -> list[tuple[str, str, float]]:
    found = [(page, webtongue.decode(page.raw)) for page in pages]
    return [(page.name, got.encoding, got.confidence) for page, got in found if got.text != page.text]


def test_declared_pages_are_read_as_declared() -> None:
    pages = [page for page in variants() if page.declared]
    assert len(pages) >= 150
    assert not misses(pages)


def test_undeclared_pages() -> None:
    pages = [page for page in variants() if not page.declared]
    missed = misses(pages)
    assert len(missed) <= (1 - UNDECLARED) * len(pages), missed
    assert all(confidence < SURE for _, _, confidence in missed)


def test_a_page_is_identified_in_the_encoding_that_it_is_decoded_from() -> None:
    for page in variants():
        assert webtongue.identify(page.raw).encoding == webtongue.decode(page.raw).encoding, page.name


def test_damaged_utf8_among_references_is_utf8() -> None:
    for page in broken():
        assert webtongue.decode(page.raw).encoding == "utf-8", page.name
