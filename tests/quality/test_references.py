"""Tests of pages in legacy encodings with most letters as references."""

from __future__ import annotations

import webtongue
from tests.quality.references import Variant, broken_pages, page_variants

MIN_UNDECLARED_SHARE = 0.98  # a single raw letter may be ambiguous
MAX_WRONG_CONFIDENCE = 0.95


def wrongly_decoded(pages: list[Variant]) -> list[tuple[str, str, float]]:
    decoded = [(page, webtongue.decode(page.raw)) for page in pages]
    return [(page.name, result.encoding, result.confidence) for page, result in decoded if result.text != page.text]


def test_declared_pages_are_decoded_as_declared() -> None:
    pages = [page for page in page_variants() if page.declared]
    assert len(pages) >= 150
    assert not wrongly_decoded(pages)


def test_undeclared_pages_are_mostly_right_and_never_confidently_wrong() -> None:
    pages = [page for page in page_variants() if not page.declared]
    wrong = wrongly_decoded(pages)
    assert len(wrong) <= (1 - MIN_UNDECLARED_SHARE) * len(pages), wrong
    assert all(confidence < MAX_WRONG_CONFIDENCE for _, _, confidence in wrong)


def test_a_page_is_identified_in_the_encoding_that_it_is_decoded_from() -> None:
    for page in page_variants():
        assert webtongue.identify(page.raw).encoding == webtongue.decode(page.raw).encoding, page.name


def test_damaged_utf8_among_references_is_utf8() -> None:
    for page in broken_pages():
        assert webtongue.decode(page.raw).encoding == "utf-8", page.name
