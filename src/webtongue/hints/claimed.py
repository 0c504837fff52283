"""What a declared language is worth: how often pages in it declare it, and how often others do.

All forms of a declaration (``lang``, Content-Language, ``og:locale``, ...) come from one system that wrote the page. They are
one source: a second form that agrees adds a little, one that does not takes something away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from webtongue import labels
from webtongue.hints.declared import LanguageClaim, also_meant
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_share

__all__ = ["DeclaredRates", "declared_hint"]

SOURCE = "declared"
REMEMBERED = 1 << 13  # declarations: a crawl has the same few again and again
MOST_CLAIMS = 64  # that are listened to: a page can make as many as it likes
SHOWN = 4  # forms that the value of a hint names
LONGEST = 40  # characters of a declared value that it quotes
EVEN = (
    0.5  # of false declarations of other languages than English are spread evenly, the rest by how common a language is
)
MACRO = {"no": "nor", "sh": "hbs"}  # two letters for a group of look-alikes
CODES = 180  # languages that are declared at all, among which they are spread


@dataclass(frozen=True, slots=True)
class DeclaredRates:
    """Measured on pages whose language is known (tools/weights/fit_fuse.py); false ones at their upper 95% bound."""

    own: float  # of the pages that declare a language, those that declare their own
    english: float  # of those in another language, the ones that declare English: the default of many systems
    others: float  # and of all, those that declare a language that is neither theirs nor English
    meant: float  # of those in a country's language, the ones that declare the country's code instead
    agreeing: float  # what a second form that agrees adds, in parts of the first
    conflicting: float  # what a claim is worth where another contradicts it, in parts of it alone

    def false(self, language: str) -> float:
        """How often a language is declared by pages that are in another."""
        if language == "eng":
            return self.english
        return self.others * ((1 - EVEN) * web_share(language) + EVEN / CODES)


def declared_hint(claims: tuple[LanguageClaim, ...], rates: DeclaredRates) -> Hint | None:
    """What the claims of a page say together; None where there are none.

    >>> rates = DeclaredRates(0.95, 0.05, 0.016, 0.01, 0.2, 0.7)
    >>> hint = declared_hint((LanguageClaim("html-lang", "isl", "is"),), rates)
    >>> hint.label, hint.value, round(hint.nats["isl"], 1)
    ('isl', 'html-lang is', 9.9)
    """
    return _remembered(claims[:MOST_CLAIMS], rates) if claims else None


def _hint(claims: tuple[LanguageClaim, ...], rates: DeclaredRates) -> Hint:
    forms: dict[str, set[str]] = {}
    for claim in claims:
        forms.setdefault(claim.key, set()).add(claim.form)
    alone = len({labels.group(key) or key[:3] for key in forms}) == 1
    nats: dict[str, float] = {}
    for key, where in forms.items():
        worth = math.log(rates.own / rates.false(key[:3]))
        worth *= 1 + rates.agreeing if len(where) > 1 else 1
        nats[key] = worth if alone else worth * rates.conflicting
    for claim in claims:
        for member in labels.members(_group_of(claim)):  # `no` is Bokmål or Nynorsk, `sh` any of three
            nats.setdefault(member[:3], nats[claim.key])
        for language in also_meant(claim.raw):
            worth = math.log(max(rates.meant / rates.false(claim.key[:3]), 1))
            nats.setdefault(language, worth if alone else worth * rates.conflicting)
    best = max(forms, key=lambda key: nats[key])
    return Hint(SOURCE, _words(claims), best, nats)


def _group_of(claim: LanguageClaim) -> str:
    """The code of a group of look-alikes, where a claim names one."""
    code = claim.raw.strip().lower().replace("_", "-").partition("-")[0]
    return MACRO.get(code, code)


_remembered = lru_cache(REMEMBERED)(_hint)


def _words(claims: tuple[LanguageClaim, ...]) -> str:
    said: dict[str, str] = {}
    for claim in claims:
        said.setdefault(claim.form, claim.raw[:LONGEST])
    return ", ".join([f"{form} {raw}" for form, raw in list(said.items())[:SHOWN]])
