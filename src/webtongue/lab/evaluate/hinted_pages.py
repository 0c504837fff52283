"""Make pages of a given text with evidence that is true, missing or false, to fit and to measure the evidence combiner."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random

from webtongue import labels
from webtongue.files import read_rows
from webtongue.page import Inlink, Page

__all__ = [
    "PageHints", "agreeing_hints", "code_url", "country_url", "cut_letters", "hinted_page", "home_country", "invent_name",
    "neutral_url",
]  # fmt: skip

ONSETS = "b br d dr f g k kl l m n p pl r s st t tr v z".split()
VOWELS = "a e i o u ai".split()
ENDINGS = ("", "n", "r", "x", "ta", "lo")
COUNTRY_TLDS = {"GB": "uk"}  # top-level domains that are not the country's code
ENGLISH_COUNTRY = "GB"
MIN_KEPT = 0.6  # part of a cut text that a cut at a word boundary must keep
HOST_PAGES = 200.0  # other pages of a host that all are in one language


@dataclass(frozen=True, slots=True)
class PageHints:
    """What a page declares and what is known of its site; empty values are missing."""

    declared: str = ""  # a BCP 47 tag
    url: str = ""
    country: str = ""
    host: Mapping[str, float] = field(default_factory=dict)
    inlinks: tuple[Inlink, ...] = ()


def hinted_page(text: str, hints: PageHints) -> Page:
    """Return an HTML page of one paragraph with these hints."""
    tag = f'<html lang="{html.escape(hints.declared)}">' if hints.declared else "<html>"
    raw = f"<!doctype html>{tag}<body><p>{html.escape(text)}</p></body></html>".encode()
    return Page(raw, hints.url or None, country=hints.country or None, host=dict(hints.host), inlinks=hints.inlinks)


def agreeing_hints(label: str, rng: Random) -> PageHints:
    """Return hints of all sources for one label."""
    links = tuple(Inlink(neutral_url(rng), label) for _ in range(2))
    return PageHints(
        labels.bcp47(label), country_url(label, rng), home_country(label), {label[:3]: HOST_PAGES}, links
    )  # fmt: skip


def home_country(label: str) -> str:
    """Return the country in which a label is written most; empty where none is known."""
    return ENGLISH_COUNTRY if label == "eng_Latn" else _home_countries().get(label, "")


@cache
def _home_countries() -> dict[str, str]:
    return dict(read_rows("home_countries.tsv"))


def invent_name(rng: Random) -> str:
    """Return a pronounceable name that is no word of a particular language."""
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.choice((2, 2, 3)))) + rng.choice(ENDINGS)


def neutral_url(rng: Random) -> str:
    """Return the URL of an invented site under a generic domain."""
    return f"https://www.{invent_name(rng)}.{rng.choice(('com', 'com', 'org', 'net'))}/"


def country_url(label: str, rng: Random) -> str:
    """Return the URL of an invented site under the domain of a label's country."""
    country = home_country(label)
    return f"https://www.{invent_name(rng)}.{COUNTRY_TLDS.get(country, country.lower()) or 'com'}/"


def code_url(label: str, rng: Random) -> str:
    """Return the URL of an invented site with the code of a label in its path or host."""
    form = rng.choice(
        ("https://www.{name}.com/{code}/", "https://{code}.{name}.com/", "https://{name}.org/{code}/7.html")
    )
    return form.format(name=invent_name(rng), code=labels.bcp47(label).partition("-")[0])


def cut_letters(text: str, count: int) -> str:
    """Return the beginning of a text with at most this many letters, cut at a word boundary where words are separated.

    >>> cut_letters("The library opens at nine.", 12)
    'The library'
    """
    letters = 0
    for i, char in enumerate(text):
        letters += char.isalpha()
        if letters > count:
            head = text[:i]
            space = head.rfind(" ")
            return head[:space] if space > len(head) * MIN_KEPT else head
    return text
