"""The codes and names by which an address may say a language: of all that the web's priors know, not only of the model's."""

from __future__ import annotations

from functools import cache

from webtongue import labels
from webtongue.files import rows
from webtongue.hints.country import COUNTRY_LANGUAGE

__all__ = ["FORMS", "Meaning", "meanings", "web_shares"]

FORMS = ("code", "long", "name", "country")
LEAST_NAME = 4  # letters: shorter names are codes, or words
Meaning = tuple[str, str]  # a language and in which form it is said
_OF_KIND = {"code": "code", "long": "long", "native": "name", "english": "name", "country": "country"}


@cache
def web_shares() -> dict[str, float]:
    """The share of the web's pages that are in a language, languages folded to web custom, the shares summing to one."""
    shares: dict[str, float] = {}
    for code, log in rows("priors.tsv"):
        parsed = labels.parse(code)
        language = labels.fold(parsed).language if parsed else code
        shares[language] = shares.get(language, 0.0) + 10 ** float(log)
    total = sum(shares.values())
    return {language: share / total for language, share in shares.items()}


@cache
def meanings() -> dict[str, tuple[Meaning, ...]]:
    """What a part of an address may mean: languages by their code of two letters, of three, by name, by a country's code.

    >>> meanings()["br"], meanings()["faroese"]
    ((('bre', 'code'), ('por', 'country')), (('fao', 'name'),))
    """
    found: dict[str, dict[Meaning, None]] = {}
    for form, code, kind in rows("address_names.tsv"):
        found.setdefault(form, {})[_folded(code), _OF_KIND[kind]] = None
    for raw, short, _, name in rows("labels.tsv"):
        code = _folded(raw)
        if len(short) == 2:
            found.setdefault(short, {})[code, "code"] = None
        if raw in web_shares():
            found.setdefault(raw, {})[code, "long"] = None
            if name.isalpha() and len(name) >= LEAST_NAME:
                found.setdefault(name.lower(), {})[code, "name"] = None
    for code, language in COUNTRY_LANGUAGE.items():
        if len(code) == 2:
            found.setdefault(code, {})[_folded(language), "country"] = None
    return {form: tuple(sorted(said, key=lambda m: FORMS.index(m[1]))) for form, said in found.items()}


def _folded(code: str) -> str:
    parsed = labels.parse(code)
    return labels.fold(parsed).language if parsed else code
