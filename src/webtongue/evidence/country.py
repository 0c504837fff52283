"""Evidence from the country of a page's server.

By Bayes' rule P(language | country) / P(language) is P(country | language) / P(country), and the second form can be estimated
without labelled pages of known IP address. Pages of a language are served from where it is written, or from anywhere:

    P(c | l) = m · w(c | l) + (1 - m) · P(c),    P(c) = sum over l of P(l) · w(c | l)

P(l) is the share of the web's pages. w(c | l) is the part of a language that is written in a country: its speakers' part of
the country's gross domestic product. docs/evidence.md (country) says how m and the limits were measured. A country is evidence for
its languages and against none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from webtongue import labels
from webtongue.evidence.geo import Located
from webtongue.evidence.hint import EvidenceContext, Hint
from webtongue.reference.countries import country_of_tld, languages_of, products
from webtongue.reference.web_shares import web_powers

if TYPE_CHECKING:
    from webtongue.evidence.combine import EvidenceConfig
    from webtongue.page import Page

__all__ = ["HOSTING_COUNTRIES", "SOURCE", "collect", "country_hint", "country_nats", "key", "locate", "locate_server"]

SOURCE = "country"
HOME_SHARE = 0.5  # m: the value of Spanish, the lowest of five languages in table VII (recall) of Baykan 2013
# Limits of a country's nats: logs of the likelihood ratio R / (1 - p(-|-)) in the same table. The first is the lowest ratio of
# countries that host few foreign pages (French, Spanish, Italian), 0.646 / 0.016, the second that of countries that host many,
# 0.859 / 0.187.
MAX_NATS, MAX_HOSTING_NATS = 3.7, 1.5
# Countries that serve pages of other countries: English- and German-speaking ones (table VIII of Baykan 2013); those
# with data centres of companies that sell worldwide; those with three or more IPv4 addresses per inhabitant in DB-IP's file; and
# those where companies register networks that are elsewhere.
HOSTING_COUNTRIES = frozenset("US GB CA IE DE FI FR NL SG HK MU PA SC VG BZ GI".split())
# A country is evidence for an unofficial language only if at least this part of the language is written there. Languages of
# immigrants and of schools have hardly any pages under a country's domain: 2.2 nats less than their numbers of speakers predict.
MIN_UNOFFICIAL_PART = 0.5
MIN_NATS = 0.05  # smaller values are left out
MAX_VALUE_CHARS = 100  # characters of a caller's value that a hint quotes
COUNTRY_CODE_CHARS = 2
MAX_SHOWN_COUNTRY_CHARS = 20
NOT_LOCATED = Located("", "")


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of the country of a page's server."""
    page, country = context.page, key(context)
    return country_hint(country, "" if page.country else f"the address {page.ip}") if country else None


def key(context: EvidenceContext) -> str | None:
    """Return the country of a page's server, None if it is unknown."""
    page = context.page
    return locate(page, context.config).country or None if page.ip or page.country else None


def locate(page: Page, config: EvidenceConfig) -> Located:
    """Return the country of a page's server, as given by the caller or by its IP address."""
    return locate_server(page.country, page.ip, config)


def locate_server(country: str | None, ip: str | None, config: EvidenceConfig) -> Located:
    """Return the country of a server by a given code or else by its IP address."""
    if country:
        return _given_country(country)
    return config.geo().locate(ip) if ip and SOURCE in config.source_names else NOT_LOCATED


@lru_cache(1024)
def _given_country(country: str) -> Located:
    code = country_of_tld(country) if len(country.strip()) == COUNTRY_CODE_CHARS else ""
    return Located(code, "" if code else f"{country.strip()[:MAX_SHOWN_COUNTRY_CHARS]!r} is no country's code")


def country_hint(country: str, located_by: str = "") -> Hint:
    """Return the hint of a country by its ISO 3166 code, without nats for any other text.

    ``located_by`` says how the country was determined, for explanations.

    >>> hint = country_hint("IS", "the address 185.112.144.1")
    >>> hint.value, hint.label, round(hint.nats["isl_Latn"], 1)
    ('IS, by the address 185.112.144.1', 'isl_Latn', 3.7)
    >>> country_hint("XX").nats
    {}
    """
    code = country_of_tld(country) if len(country.strip()) == COUNTRY_CODE_CHARS else ""
    text = f"{code or country.strip()}, by {located_by}" if located_by else code or country.strip()
    value = text[:MAX_VALUE_CHARS].encode("utf-8", "replace").decode()
    return Hint(SOURCE, value, _main_labels().get(code, ""), dict(country_nats().get(code, {})))


@cache
def country_nats() -> Mapping[str, Mapping[str, float]]:
    """Return the nats of each country for its labels."""
    by_language, by_label = _written_parts(_language), _written_parts(lambda label: label)
    served = {
        country: sum(_web_share(key) * part for key, part in parts.items()) for country, parts in by_language.items()
    }
    return MappingProxyType(
        {country: MappingProxyType(_nats(country, parts, served[country])) for country, parts in by_label.items()}
    )


def _nats(country: str, parts: Mapping[str, float], served: float) -> dict[str, float]:
    """Return the nats of a country's labels.

    ``parts`` has the part of each label that is written there, ``served`` the country's part of the web's pages.
    """
    limit = MAX_HOSTING_NATS if country in HOSTING_COUNTRIES else MAX_NATS
    nats_by_label = {}
    for language in languages_of(country):
        part = parts.get(language.label, 0.0)
        if part and (language.official or language.regional or part >= MIN_UNOFFICIAL_PART):
            ratio = HOME_SHARE * part / served + 1 - HOME_SHARE if served else math.inf
            nats = min(limit, math.log(ratio))
            if nats >= MIN_NATS:
                nats_by_label[language.label] = nats
    return nats_by_label


@cache
def _main_labels() -> dict[str, str]:
    """Return the label that each country supports most: official languages first, then by speakers and nats."""
    main = {}
    for country, nats in country_nats().items():
        languages = [language for language in languages_of(country) if language.label in nats]
        if languages:
            best = max(languages, key=lambda spoken: (spoken.official, spoken.share * math.exp(nats[spoken.label])))
            main[country] = best.label
    return main


def _written_parts(key: Callable[[str], str]) -> dict[str, dict[str, float]]:
    """Return, by country, the part of each language (or label) that is written there; a language's parts sum to 1."""
    amounts: dict[str, dict[str, float]] = {}
    totals: dict[str, float] = {}
    for country, product in products().items():
        shares: dict[str, float] = {}
        for language in languages_of(country):
            name = key(language.label)
            shares[name] = max(shares.get(name, 0.0), language.share)
        amounts[country] = {name: share * product for name, share in shares.items()}
        for name, amount in amounts[country].items():
            totals[name] = totals.get(name, 0.0) + amount
    return {
        country: {name: amount / totals[name] for name, amount in by_name.items() if amount}
        for country, by_name in amounts.items()
    }


def _language(label: str) -> str:
    return label.partition("_")[0]


def _web_share(language: str) -> float:
    """Return the share of the web's pages in a language; 0 for rare ones, which were not counted."""
    power = _folded_powers().get(language)
    return 0.0 if power is None else 10**power


@cache
def _folded_powers() -> dict[str, float]:
    """Return the web shares by folded language: Norwegian is Bokmål."""
    parsed = [(labels.parse(language), power) for language, power in web_powers().items()]
    return {labels.fold(label).language: power for label, power in parsed if label is not None}
