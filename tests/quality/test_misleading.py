"""Hints that mislead, by kind: addresses that say nothing, English pages of foreign sites, false declarations, mixed pages.

Each kind was found by trying to break what hints do; the bars are what no kind may fall below again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.quality.sentences import SENTENCES
from webtongue import Identifier
from webtongue.labels import fold

HEARING, DEAF = Identifier(), Identifier(evidence=())
NEUTRAL = (
    "https://example.com/",
    "https://example.org/index.html",
    "https://www.example.net/8817",
    "https://qwzx.com/a",
)
FOREIGN = ("is", "jp", "gr", "cz", "ph", "mm", "za", "in", "nz", "mt")
TAGS = ("is", "de", "ar", "zh-TW", "ko", "sw", "ro", "he", "th", "cy")
Case = tuple[str, bytes, dict[str, Any]]  # the language, a page, and what is said of it


def texts(longest: int) -> Iterator[tuple[str, str]]:
    for label, some in SENTENCES.items():
        for text in some:
            yield str(fold(label)), text[:longest]


def known(cases: Iterator[Case]) -> list[Case]:
    """Those that text alone gets right."""
    return [(label, raw, hints) for label, raw, hints in cases if DEAF.identify(raw).label == label]


def turned(cases: list[Case]) -> tuple[float, float]:
    """The share of pages that hints turn, and of those that are then relied on."""
    wrong = sure = 0
    for label, raw, hints in cases:
        verdict = HEARING.identify(raw, **hints)
        wrong += verdict.label != label
        sure += verdict.label != label and verdict.reliable
    return wrong / len(cases), sure / len(cases)


@pytest.mark.parametrize(("length", "bar"), [(25, 0.12), (45, 0.05)])
def test_addresses_that_say_nothing(length: int, bar: float) -> None:
    cases = known((label, f"<p>{text}".encode(), {"url": url}) for label, text in texts(length) for url in NEUTRAL)
    assert len(cases) > 300
    wrong, sure = turned(cases)
    assert wrong <= bar
    assert sure <= 0.005


@pytest.mark.parametrize("head", ["", "<html lang=en>"])
def test_english_pages_of_foreign_sites(head: str) -> None:
    def cases() -> Iterator[Case]:
        for text in SENTENCES["eng_Latn"]:
            for top in FOREIGN:
                raw = f"{head}<p>{text}".encode()
                url = f"https://example.{top}/en/"
                yield "eng_Latn", raw, {"url": url}
                yield "eng_Latn", raw, {"url": url, "country": top.upper()}
                yield "eng_Latn", raw, {"url": url, "inlinks": [{"url": f"https://example.{top}/", "language": "is"}]}
                yield "eng_Latn", raw, {"url": url, "host": {"is": 900, "en": 100}, "country": top.upper()}

    wrong, sure = turned(known(cases()))
    assert wrong <= 0.05
    assert sure == 0


def test_false_declarations_are_not_relied_on() -> None:
    cases = known((label, f"<html lang={tag}><p>{text}".encode(), {}) for label, text in texts(200) for tag in TAGS)
    cases = [case for case in cases if not HEARING.identify(case[1]).agrees]
    assert len(cases) > 500
    wrong, sure = turned(cases)
    assert wrong <= 0.1
    assert sure <= 0.005


def test_letters_that_a_declaration_cannot_be_in() -> None:
    cases = known(
        (label, f"<html lang={tag}><p>{text}".encode(), {})
        for label, text in texts(60)
        if label[4:] not in ("Latn", "Cyrl", "Arab", "Hans", "Hant", "Jpan")
        for tag in ("is", "de", "sw", "ro", "cy")
    )
    assert len(cases) > 50
    assert turned(cases) == (0, 0)


def test_mixed_pages_that_declare_the_smaller_language() -> None:
    def cases() -> Iterator[Case]:
        labels = [label for label in SENTENCES if label != "eng_Latn"]
        for label in labels:
            own, english = SENTENCES[label], SENTENCES["eng_Latn"]
            body = "".join(f"<p>{text}" for text in (*own, english[0]))
            yield str(fold(label)), f"<html lang=en>{body}".encode(), {"url": "https://example.com/en/"}

    wrong, sure = turned(known(cases()))
    assert wrong <= 0.1
    assert sure == 0


def test_farms_do_not_crowd_out_other_links() -> None:
    honest = [{"url": f"https://h{n}.is/", "language": "is"} for n in range(100)]
    farm = [{"url": f"https://spam.com/{n}", "language": "sv"} for n in range(5000)]
    page = "<p>Halló".encode()
    for links in (farm + honest, honest + farm):
        assert HEARING.identify(page, inlinks=links).label == "isl_Latn"


def test_a_macrolanguage_speaks_for_each_of_its_members() -> None:
    nynorsk = "<html lang=no><p>Eg veit ikkje korleis dei har det no, men me skal spørja dei i morgon tidleg.".encode()
    assert HEARING.identify(nynorsk).label == "nno_Latn"
