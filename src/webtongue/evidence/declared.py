"""Evidence from declared languages: how often pages in a language declare it, and how often other pages do.

All forms of a declaration (``lang``, Content-Language, ``og:locale``, ...) come from one system, which wrote the page. They are
therefore one source: a second form that agrees adds a little, a form that contradicts lowers the weight of all.
"""

from __future__ import annotations

import math
from functools import lru_cache

from webtongue import labels
from webtongue.evidence.hint import EvidenceContext, Hint
from webtongue.markup.declarations import LanguageDeclaration, languages_of_country_code
from webtongue.records import dataclass
from webtongue.reference.web_shares import web_share

__all__ = ["DeclaredRates", "collect", "declared_hint", "key"]

SOURCE = "declared"
MAX_CACHED_HINTS = 1 << 9  # the pages of a crawl share a few declarations
MAX_DECLARATIONS = 64  # declarations of a page that count
MAX_SHOWN_FORMS = 4
MAX_VALUE_CHARS = 40  # characters of a declared value that a hint quotes
EVEN_SHARE = 0.5  # share of false declarations that is spread evenly over languages; the rest goes by web share
DECLARED_LANGUAGES = 180  # languages that pages declare at all
GROUP_CODES = {"no": "nor", "sh": "hbs"}  # two-letter codes of look-alike groups


@dataclass(frozen=True, slots=True)
class DeclaredRates:
    """Rates of declarations, measured on pages of known language (tools/weights/fit_evidence.py).

    Rates of false declarations are the upper bounds of their 95% intervals.
    """

    own: float  # pages that declare their own language, of all pages with a declaration
    english: float  # pages in other languages that declare English, the default of many systems
    others: float  # pages that declare a language that is neither their own nor English
    meant: float  # pages that declare a country's code instead of its language
    agreeing: float  # bonus of a second form that agrees, as a part of the first
    conflicting: float  # factor of a declaration that another one contradicts

    def false_rate(self, language: str) -> float:
        """Return how often pages in other languages declare this one."""
        if language == "eng":
            return self.english
        return self.others * ((1 - EVEN_SHARE) * web_share(language) + EVEN_SHARE / DECLARED_LANGUAGES)


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of the languages that a page and its server declare."""
    return declared_hint(context.declared.languages, context.config.weights.declared)


def key(context: EvidenceContext) -> tuple[LanguageDeclaration, ...] | None:
    """Return the declarations that the hint depends on."""
    return context.declared.languages or None


def declared_hint(declarations: tuple[LanguageDeclaration, ...], rates: DeclaredRates) -> Hint | None:
    """Return the hint of all declarations of a page together; None without any.

    >>> rates = DeclaredRates(0.95, 0.05, 0.016, 0.01, 0.2, 0.7)
    >>> hint = declared_hint((LanguageDeclaration("html-lang", "isl", "is"),), rates)
    >>> hint.label, hint.value, round(hint.nats["isl"], 1)
    ('isl', 'html-lang is', 9.9)
    """
    return _hint(declarations[:MAX_DECLARATIONS], rates) if declarations else None


@lru_cache(MAX_CACHED_HINTS)
def _hint(declarations: tuple[LanguageDeclaration, ...], rates: DeclaredRates) -> Hint:
    forms: dict[str, set[str]] = {}
    for declaration in declarations:
        forms.setdefault(declaration.key, set()).add(declaration.form)
    factor = 1.0 if len({labels.group(key) or key[:3] for key in forms}) == 1 else rates.conflicting
    nats: dict[str, float] = {}
    for key, agreeing_forms in forms.items():
        log_odds = math.log(rates.own / rates.false_rate(key[:3]))
        log_odds *= 1 + rates.agreeing if len(agreeing_forms) > 1 else 1
        nats[key] = log_odds * factor
    for declaration in declarations:
        for member in labels.members(_group_code(declaration)):  # `no` is Bokmål or Nynorsk, `sh` any of three
            nats.setdefault(member[:3], nats[declaration.key])
        for language in languages_of_country_code(declaration.raw):
            log_odds = math.log(max(rates.meant / rates.false_rate(declaration.key[:3]), 1))
            nats.setdefault(language, log_odds * factor)
    best = max(forms, key=lambda key: nats[key])
    return Hint(SOURCE, _quote(declarations), best, nats)


def _group_code(declaration: LanguageDeclaration) -> str:
    """Return the code of the look-alike group that a declaration names, or else its own code."""
    code = declaration.raw.strip().lower().replace("_", "-").partition("-")[0]
    return GROUP_CODES.get(code, code)


def _quote(declarations: tuple[LanguageDeclaration, ...]) -> str:
    values: dict[str, str] = {}
    for declaration in declarations:
        values.setdefault(declaration.form, declaration.raw[:MAX_VALUE_CHARS])
    return ", ".join([f"{form} {raw}" for form, raw in list(values.items())[:MAX_SHOWN_FORMS]])
