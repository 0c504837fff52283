"""Tests of pages partly in a legacy encoding and partly in UTF-8: both parts are decoded, and most of the text decides."""

from __future__ import annotations

import webtongue
from tests.quality.mixed_encodings import pages

MIN_DECODED_SHARE = 0.97  # of pages whose whole text is right


def test_both_parts_are_decoded() -> None:
    mixed_pages = list(pages())
    assert len(mixed_pages) >= 200
    wrong = [
        (page.name, webtongue.decode(page.raw).encoding)
        for page in mixed_pages
        if webtongue.decode(page.raw).text != page.text
    ]
    assert len(wrong) <= (1 - MIN_DECODED_SHARE) * len(mixed_pages), wrong


def test_a_small_part_does_not_change_the_language() -> None:
    for page in pages():
        if not page.is_half:
            verdict = webtongue.identify(page.raw)
            assert (verdict.label, verdict.reliable) == (page.label, True), page.name
            assert verdict.encoding == webtongue.decode(page.raw).encoding, page.name


def test_half_and_half_is_one_of_the_two_languages() -> None:
    for page in pages():
        verdict = webtongue.identify(page.raw)
        assert not verdict.reliable or verdict.label in {label for label, _ in verdict.languages}, page.name
        assert page.label in {label for label, _ in verdict.languages} or verdict.label == "mul", (page.name, verdict)


def test_a_declared_encoding_is_named() -> None:
    for page in pages():
        if page.declared:
            verdict = webtongue.identify(page.raw)
            assert verdict.encoding_agrees, page.name
            assert any("parts of it are UTF-8" in evidence.value for evidence in verdict.evidence), page.name
