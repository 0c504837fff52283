"""What the country that serves a page says of its language.

By Bayes' rule P(language | country) / P(language) is P(country | language) / P(country), and the second form can be
estimated without a labelled page that has an address. Pages of a language are served from where it is written, or from anywhere:

    P(c | l) = m · w(c | l) + (1 - m) · P(c),    P(c) = sum over l of P(l) · w(c | l)

P(l) is the share of the web's pages. w(c | l) is the part of a language that is written in a country: its speakers' part of
what the country earns. docs/evidence.md (country) says how m and the limits were found. A country speaks for its languages and
against none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from webtongue import labels
from webtongue.hints.country import country_of_tld, languages_of, products
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_powers

__all__ = ["HOSTING", "SOURCE", "country_hint", "country_nats"]

SOURCE = "country"
AT_HOME = 0.5  # m: of Spanish pages, the lowest of the five languages in table VII (recall) of Baykan 2013
# The most that a country says, in nats: the likelihood ratios R / (1 - p(-|-)) of the same table. Of the groups of countries that
# host few foreign pages (French, Spanish, Italian) the lowest, 0.646 / 0.016; of those that host many, 0.859 / 0.187.
MOST, MOST_HOSTING = 3.7, 1.5
# Countries that serve the pages of others: English- and German-speaking ones, where table VIII of Baykan 2013 finds them; those
# with data centres of companies that sell to the whole world; those with three IPv4 addresses an inhabitant or more in DB-IP's
# file; and those where networks are registered by letter box.
HOSTING = frozenset("US GB CA IE DE FI FR NL SG HK MU PA SC VG BZ GI".split())
# A language that is not official is heard where at least this part of it is written: of immigrants' and school languages
# hardly a page is under their country's domains, 2.2 nats less than their speakers would let expect.
HOME = 0.5
LEAST = 0.05  # nats: less is silence
LONGEST_VALUE = 100  # characters of what came from outside


def country_hint(country: str, located_by: str = "") -> Hint:
    """What a country, by its code in ISO 3166, says of a page that is served from there; silent for what is no country.

    ``located_by`` says how the country is known, for people.

    >>> hint = country_hint("IS", "the address 185.112.144.1")
    >>> hint.value, hint.label, round(hint.nats["isl_Latn"], 1)
    ('IS, by the address 185.112.144.1', 'isl_Latn', 3.7)
    >>> country_hint("XX").nats
    {}
    """
    code = country_of_tld(country) if len(country.strip()) == 2 else ""
    told = f"{code or country.strip()}, by {located_by}" if located_by else code or country.strip()
    value = told[:LONGEST_VALUE].encode("utf-8", "replace").decode()
    return Hint(SOURCE, value, _foremost().get(code, ""), dict(country_nats().get(code, {})))


@cache
def country_nats() -> Mapping[str, Mapping[str, float]]:
    """By country, how much it speaks for each of its languages, in nats."""
    by_language, by_label = _written(_language), _written(lambda label: label)
    served = {country: sum(_share(key) * part for key, part in parts.items()) for country, parts in by_language.items()}
    return MappingProxyType(
        {country: MappingProxyType(_nats(country, parts, served[country])) for country, parts in by_label.items()}
    )


def _nats(country: str, parts: Mapping[str, float], served: float) -> dict[str, float]:
    """``parts`` are what of each label is written in the country, ``served`` the part of the web's pages that are."""
    most = MOST_HOSTING if country in HOSTING else MOST
    out = {}
    for one in languages_of(country):
        part = parts.get(one.label, 0.0)
        if part and (one.official or one.regional or part >= HOME):
            ratio = AT_HOME * part / served + 1 - AT_HOME if served else math.inf
            nats = min(most, math.log(ratio))
            if nats >= LEAST:
                out[one.label] = nats
    return out


@cache
def _foremost() -> dict[str, str]:
    """By country, the label that it speaks for most: official before others, then by speakers and nats."""
    out = {}
    for country, nats in country_nats().items():
        heard = [one for one in languages_of(country) if one.label in nats]
        if heard:
            out[country] = max(heard, key=lambda one: (one.official, one.share * math.exp(nats[one.label]))).label
    return out


def _written(key: Callable[[str], str]) -> dict[str, dict[str, float]]:
    """By country, the part of each language (or label) that is written there: a language's parts sum to 1 over countries."""
    amounts: dict[str, dict[str, float]] = {}
    totals: dict[str, float] = {}
    for country, product in products().items():
        shares: dict[str, float] = {}
        for one in languages_of(country):
            shares[key(one.label)] = max(shares.get(key(one.label), 0.0), one.share)
        amounts[country] = {name: share * product for name, share in shares.items()}
        for name, amount in amounts[country].items():
            totals[name] = totals.get(name, 0.0) + amount
    return {c: {name: amount / totals[name] for name, amount in by.items() if amount} for c, by in amounts.items()}


def _language(label: str) -> str:
    return label.partition("_")[0]


def _share(language: str) -> float:
    """The share of the web's pages in a language; nothing for those that were not counted, which are rare."""
    power = _powers().get(language)
    return 0.0 if power is None else 10**power


@cache
def _powers() -> dict[str, float]:
    """The table's languages as labels name them: Norwegian is Bokmål."""
    named = ((labels.parse(language), power) for language, power in web_powers().items())
    return {labels.fold(label).language: power for label, power in named if label is not None}
