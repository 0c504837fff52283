"""Hints that lie and hints that are true, on texts of our own: a small version of bench/lies.py with its bars.

Lies are counted on texts that are right and reliable by text alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from webtongue import Identifier, Verdict, labels
from webtongue.lab.evaluate.hinted_pages import (
    PageHints,
    agreeing_hints,
    country_url,
    cut_letters,
    hinted_page,
    neutral_url,
)
from webtongue.page import Inlink

FUSED, BY_TEXT = Identifier(), Identifier(evidence=())
TEXTS = Path(__file__).parents[2] / "examples" / "crawl" / "texts"
UNRELATED = "eng deu fra ita pol rus tur swe hun fin vie ron".split()
FALSE = "deu_Latn fra_Latn jpn_Jpan fin_Latn hun_Latn tur_Latn eng_Latn ara_Arab rus_Cyrl zho_Hans isl_Latn".split()
SIBLINGS = (
    ("afr", "nld_Latn"), ("slv", "hrv_Latn"), ("spa", "por_Latn"), ("spa", "glg_Latn"), ("rus", "ukr_Cyrl"), ("nob", "dan_Latn"),
    ("slk", "ces_Latn"), ("por", "spa_Latn"), ("dan", "nob_Latn"), ("ces", "slk_Latn"), ("ukr", "rus_Cyrl"), ("bul", "mkd_Cyrl"),
    ("cat", "spa_Latn"), ("nld", "afr_Latn"), ("por", "glg_Latn"),
)  # fmt: skip
MIN_CASES = 40
HEAD_LINES = 3  # name, tag and menu of a language


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its label, and the label that hints name falsely."""

    label: str
    false: str
    text: str


def declare(case: Case, rng: Random) -> PageHints:
    return PageHints(labels.bcp47(case.false))


def place(case: Case, rng: Random) -> PageHints:
    return PageHints(url=country_url(case.false, rng))


def agree(case: Case, rng: Random) -> PageHints:
    return agreeing_hints(case.false, rng)


def lean_english(case: Case, rng: Random) -> PageHints:
    links = tuple(Inlink(neutral_url(rng), "en") for _ in range(2))
    return PageHints("en", neutral_url(rng), "US", {"eng": 40.0, "deu": 2.0}, links)


def tell_truth(case: Case, rng: Random) -> PageHints:
    return PageHints(labels.bcp47(case.label), country_url(case.label, rng))


def texts_of(language: str, letters: int) -> Iterator[tuple[str, str]]:
    """Yield texts of a language with this many letters, one from each line that is followed by enough text."""
    (path,) = sorted(TEXTS.glob(f"{language}_*.txt"))
    lines = [line for line in path.read_text("utf-8").splitlines()[HEAD_LINES:] if line and not line.startswith("#")]
    for number in range(len(lines)):
        text = " ".join(lines[number:] + lines[:number])
        if sum(map(str.isalpha, text)) >= letters:
            yield path.stem, cut_letters(text, letters)


def unrelated(letters: int) -> Iterator[Case]:
    rng = Random(letters)
    for language in UNRELATED:
        for label, text in texts_of(language, letters):
            yield Case(label, rng.choice([name for name in FALSE if name[:3] != language]), text)


def siblings(letters: int) -> Iterator[Case]:
    for language, false in SIBLINGS:
        for label, text in texts_of(language, letters):
            yield Case(label, false, text)


def identify(ident: Identifier, text: str, hints: PageHints) -> Verdict:
    page = hinted_page(text, hints)
    return ident.identify(page.raw, page.url, country=page.country, host=page.host, inlinks=page.inlinks)


BARS = [  # cases, lie, percent of texts that it may override, by letters
    (unrelated, declare, {50: 5.0, 100: 1.5, 200: 0.5}),
    (unrelated, place, {25: 3.0, 50: 3.0}),
    (unrelated, agree, {50: 20.0, 100: 5.0}),
    (unrelated, lean_english, {50: 2.0, 100: 1.0}),
    (siblings, declare, {50: 15.0, 100: 5.0, 200: 1.5}),
    (siblings, agree, {50: 20.0, 100: 10.0}),
]


@pytest.mark.parametrize(("kind", "lie", "bars"), BARS, ids=lambda value: getattr(value, "__name__", ""))
def test_lies_override_little(
    kind: Callable[[int], Iterator[Case]], lie: Callable[[Case, Random], PageHints], bars: dict[int, float]
) -> None:
    for letters, bar in bars.items():
        rng = Random(letters)
        alone = [(case, identify(BY_TEXT, case.text, PageHints())) for case in kind(letters)]
        known = [case for case, verdict in alone if verdict.reliable and verdict.label == case.label]
        assert len(known) >= MIN_CASES
        overridden = 0
        for case in known:
            verdict = identify(FUSED, case.text, lie(case, rng))
            overridden += verdict.label != case.label
            assert verdict.label == case.label or not verdict.reliable, case
            assert verdict.script == case.label[4:], case
        assert 100 * overridden / len(known) <= bar, (letters, overridden, len(known))


@pytest.mark.parametrize(("letters", "bar"), [(25, 99.0), (50, 99.5)])
def test_true_hints_help(letters: int, bar: float) -> None:
    rng = Random(letters)
    cases = [*unrelated(letters), *siblings(letters)]
    right = sum(identify(FUSED, case.text, tell_truth(case, rng)).label == case.label for case in cases)
    assert 100 * right / len(cases) >= bar, (right, len(cases))
