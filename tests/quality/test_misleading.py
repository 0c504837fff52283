"""Misleading hints by kind: neutral URLs, English pages of foreign sites, false declarations, mixed pages.

Each kind caused wrong answers in an earlier version; the bars prevent that they return.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.quality.sentences import SENTENCES
from webtongue import Identifier
from webtongue.labels import fold

WITH_HINTS, TEXT_ONLY = Identifier(), Identifier(evidence=())
NEUTRAL_URLS = (
    "https://example.com/",
    "https://example.org/index.html",
    "https://www.example.net/8817",
    "https://qwzx.com/a",
)
FOREIGN_TLDS = ("is", "jp", "gr", "cz", "ph", "mm", "za", "in", "nz", "mt")
TAGS = ("is", "de", "ar", "zh-TW", "ko", "sw", "ro", "he", "th", "cy")
Case = tuple[str, bytes, dict[str, Any]]  # the language, a page, and its hints


def texts(max_chars: int) -> Iterator[tuple[str, str]]:
    for label, sentences in SENTENCES.items():
        for text in sentences:
            yield str(fold(label)), text[:max_chars]


def right_by_text(cases: Iterator[Case]) -> list[Case]:
    """Return the cases that text alone gets right."""
    return [(label, raw, hints) for label, raw, hints in cases if TEXT_ONLY.identify(raw).label == label]


def override_rates(cases: list[Case]) -> tuple[float, float]:
    """Return the share of pages that hints override, and of those with a reliable wrong answer."""
    wrong = reliable = 0
    for label, raw, hints in cases:
        verdict = WITH_HINTS.identify(raw, **hints)
        wrong += verdict.label != label
        reliable += verdict.label != label and verdict.reliable
    return wrong / len(cases), reliable / len(cases)


@pytest.mark.parametrize(("length", "bar"), [(25, 0.12), (45, 0.05)])
def test_neutral_urls_do_not_override_short_text(length: int, bar: float) -> None:
    cases = right_by_text(
        (label, f"<p>{text}".encode(), {"url": url}) for label, text in texts(length) for url in NEUTRAL_URLS
    )
    assert len(cases) > 300
    wrong, reliable = override_rates(cases)
    assert wrong <= bar
    assert reliable <= 0.005


@pytest.mark.parametrize("head", ["", "<html lang=en>"])
def test_english_pages_of_foreign_sites_stay_english(head: str) -> None:
    def cases() -> Iterator[Case]:
        for text in SENTENCES["eng_Latn"]:
            for tld in FOREIGN_TLDS:
                raw = f"{head}<p>{text}".encode()
                url = f"https://example.{tld}/en/"
                yield "eng_Latn", raw, {"url": url}
                yield "eng_Latn", raw, {"url": url, "country": tld.upper()}
                yield "eng_Latn", raw, {"url": url, "inlinks": [{"url": f"https://example.{tld}/", "language": "is"}]}
                yield "eng_Latn", raw, {"url": url, "host": {"is": 900, "en": 100}, "country": tld.upper()}

    wrong, reliable = override_rates(right_by_text(cases()))
    assert wrong <= 0.05
    assert reliable == 0


def test_false_declarations_are_not_relied_on() -> None:
    cases = right_by_text(
        (label, f"<html lang={tag}><p>{text}".encode(), {}) for label, text in texts(200) for tag in TAGS
    )
    cases = [case for case in cases if not WITH_HINTS.identify(case[1]).agrees]
    assert len(cases) > 500
    wrong, reliable = override_rates(cases)
    assert wrong <= 0.1
    assert reliable <= 0.005


def test_declarations_in_another_script_are_ignored() -> None:
    cases = right_by_text(
        (label, f"<html lang={tag}><p>{text}".encode(), {})
        for label, text in texts(60)
        if label[4:] not in ("Latn", "Cyrl", "Arab", "Hans", "Hant", "Jpan")
        for tag in ("is", "de", "sw", "ro", "cy")
    )
    assert len(cases) > 50
    assert override_rates(cases) == (0, 0)


def test_mixed_pages_keep_the_larger_language_despite_the_declaration() -> None:
    def cases() -> Iterator[Case]:
        labels = [label for label in SENTENCES if label != "eng_Latn"]
        for label in labels:
            own, english = SENTENCES[label], SENTENCES["eng_Latn"]
            body = "".join(f"<p>{text}" for text in (*own, english[0]))
            yield str(fold(label)), f"<html lang=en>{body}".encode(), {"url": "https://example.com/en/"}

    wrong, reliable = override_rates(right_by_text(cases()))
    assert wrong <= 0.1
    assert reliable == 0


def test_link_farms_do_not_crowd_out_other_links() -> None:
    honest = [{"url": f"https://h{n}.is/", "language": "is"} for n in range(100)]
    farm = [{"url": f"https://spam.com/{n}", "language": "sv"} for n in range(5000)]
    page = "<p>Halló".encode()
    for links in (farm + honest, honest + farm):
        assert WITH_HINTS.identify(page, inlinks=links).label == "isl_Latn"


def test_a_declared_macrolanguage_supports_all_its_members() -> None:
    nynorsk = "<html lang=no><p>Eg veit ikkje korleis dei har det no, men me skal spørja dei i morgon tidleg.".encode()
    assert WITH_HINTS.identify(nynorsk).label == "nno_Latn"
