"""What top level domains and scripts say for languages outside the URL model: rows of ``data/url_codes.tsv``.

Evidence is the log of how often domains of a language have a feature over how often those of the model's languages have it in general,
each with its share of the web. A rate in general stands at the upper bound of its interval of 95%.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from webtongue import labels
from webtongue.files import read_rows
from webtongue.lab.train.url.rows import UrlRow
from webtongue.reference.countries import COUNTRY_DOMAINS, GENERIC_CODES, country_of_tld, languages_of, tld
from webtongue.url.codes import web_share

Z = 1.645  # of a bound of 95% on one side
KAPPA = 10.0  # domains of a language, or of a country, that count as much as what holds for all
MIN_DOMAINS = 2  # the URL model does not know top level domains with fewer
UNLISTED = 1e-8  # share of the web of a language that no count of it knows
MIN_NATS, MAX_NATS = 0.1, 9.99
# Domains of regions: what they are for, as their registries say.
REGIONS = {
    "cat": "cat", "eus": "eus", "gal": "glg", "bzh": "bre", "cymru": "cym", "wales": "cym", "scot": "gla", "frl": "fry",
    "corsica": "cos", "krd": "kur", "tatar": "tat",
}  # fmt: skip
REGION_SHARE = 0.5  # of a region's sites in its own language, before any is counted
# How often an address of a language has letters of its script, and of which scripts pages of the model's languages have them.
LETTERS_RATE = 0.1
MODEL_SCRIPTS = {
    "Cyrl": 0.02,
    "Arab": 0.004,
    "Deva": 0.0005,
    "Grek": 0.002,
    "Hebr": 0.001,
    "Hani": 0.02,
    "Thai": 0.0005,
}
UNSEEN_SCRIPT = 2e-5


@dataclass(frozen=True, slots=True)
class Domains:
    """Distinct domains of each language, and those of each language under each top level domain."""

    of_language: Counter[str]
    under: Mapping[str, Counter[str]]

    def rate(self, model: Mapping[str, float], tops: Sequence[str]) -> float:
        """Return how often domains of the model's languages are under some top level domains: the upper bound."""
        rate = sum(
            model[language] * count / self.of_language[language]
            for top in tops
            for language, count in self.under.get(top, {}).items()
            if language in model
        )
        size = 1 / sum(share**2 / self.of_language[language] for language, share in model.items())
        count = rate * size
        return (count + Z**2 / 2 + Z * math.sqrt(count + Z**2 / 4)) / size


def count_domains(rows: Sequence[UrlRow]) -> Domains:
    """Return the domains of a list of URLs."""
    of_language: defaultdict[str, set[str]] = defaultdict(set)
    under: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        of_language[row.language].add(row.domain)
        top = tld(row.url)
        under[country_of_tld(top).lower().replace("gb", "uk") or top][row.language].add(row.domain)
    sizes = {
        top: Counter({language: len(found) for language, found in by_language.items()})
        for top, by_language in under.items()
    }
    return Domains(Counter({language: len(found) for language, found in of_language.items()}), sizes)


def region_rows(domains: Domains, model_languages: Sequence[str], main_labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows of top level domains in other scripts, of top level domains, and of scripts."""
    for name, country in sorted(COUNTRY_DOMAINS.items()):
        if not name.isascii():
            yield f"{name}\talias\t{'uk' if country == 'GB' else country.lower()}"
    model = {language: web_share(language) for language in model_languages}
    yield from _tld_rows(domains, model, main_labels)
    yield from _script_rows(model, main_labels)


def _tld_rows(domains: Domains, model: Mapping[str, float], main_labels: Mapping[str, str]) -> Iterator[str]:
    tops = {chr(a) + chr(b) for a in range(97, 123) for b in range(97, 123)} | set(REGIONS)
    shares = {top: found for top in sorted(tops) if (found := _country_shares(top))}
    fitted = {top: _own_share(domains, top, found) for top, found in shares.items()}
    for generic in (False, True):
        among = [own for top, (count, own) in fitted.items() if count and (top in GENERIC_CODES) == generic]
        mean = sum(among) / len(among)
        print(f"{'generic' if generic else 'other'} country codes: {mean:.2f} are the country's, {len(among)} codes")
        for top in shares:
            if (top in GENERIC_CODES) == generic:
                count, own = fitted[top]
                fitted[top] = count, (count * own + KAPPA * mean) / (count + KAPPA)
    home = _home_share(domains, shares, model)
    print(f"{home:.2f} of the domains of the other languages are on a domain of their countries")
    for top, found in shares.items():
        unseen = domains.under.get(top, Counter()).total() < MIN_DOMAINS
        evidence = _tld_nats(domains, top, fitted[top][1], found, {} if unseen else model, model, home)
        for language, nats in sorted(evidence.items(), key=lambda item: (-item[1], item[0])):
            if language in main_labels:
                yield f"{top}\ttld\t{main_labels[language]}\t{round(100 * min(nats, MAX_NATS))}"


def _country_shares(top: str) -> dict[str, float]:
    """Return the languages of a country or region with the share of people who write them."""
    if top in REGIONS:
        return {REGIONS[top]: REGION_SHARE}
    shares: defaultdict[str, float] = defaultdict(float)
    for spoken in languages_of(country_of_tld(top)):
        shares[spoken.label.partition("_")[0]] += spoken.share
    total = max(1.0, sum(shares.values()))
    return {language: share / total for language, share in shares.items()}


def _own_share(domains: Domains, top: str, country: Mapping[str, float]) -> tuple[int, float]:
    """Return how many domains are under a top level domain, and which share is the country's: a mixture with the web, by EM."""
    seen = domains.under.get(top, Counter())
    web = {language: max(web_share(language), UNLISTED) for language in seen}
    weight = {language: web[language] * count / domains.of_language[language] for language, count in seen.items()}
    total = sum(weight.values())
    share = 0.5
    for _ in range(30 if total else 0):
        own = {language: share * country.get(language, 0.0) for language in weight}
        parts = {language: own[language] / (own[language] + (1 - share) * web[language]) for language in weight}
        share = sum(weight[language] * parts[language] for language in weight) / total
    return seen.total(), share


def _home_share(domains: Domains, shares: Mapping[str, Mapping[str, float]], model: Mapping[str, float]) -> float:
    """Return the share of the domains of languages outside the model that are on a top level domain of theirs."""
    outside = [language for language in domains.of_language if language not in model and web_share(language) > UNLISTED]
    here = sum(
        domains.under.get(top, Counter())[language] for top in shares for language in outside if language in shares[top]
    )
    return here / sum(domains.of_language[language] for language in outside)


def _tld_nats(
    domains: Domains,
    top: str,
    own: float,
    country: Mapping[str, float],
    known: Mapping[str, float],
    model: Mapping[str, float],
    home: float,
) -> dict[str, float]:
    """Return the evidence of a top level domain for all but the known languages; counted ones weigh by their domains.

    People who speak a language need not write it on the web: no more of a language's pages are on a domain than are at home.
    """
    general = domains.rate(model, [top])
    seen = domains.under.get(top, Counter())
    outside = {
        language: own * share + (1 - own) * max(web_share(language), UNLISTED)
        for language, share in country.items()
        if language and language not in known
    }
    among = max(1 - sum(outside.values()), 0.05)
    found = {}
    for language, chance in outside.items():
        by_share = min(math.log(chance / among / max(web_share(language), UNLISTED)), math.log(home / general))
        count = domains.of_language[language]
        counted = math.log((seen[language] + 0.5) / (count + 1) / general)
        nats = (count * counted + KAPPA * by_share) / (count + KAPPA)
        if nats > MIN_NATS:
            found[language] = nats
    return found


def _script_rows(model: Mapping[str, float], main_labels: Mapping[str, str]) -> Iterator[str]:
    """Yield what letters of a script say for languages outside the model that are written in it."""
    folded = labels.folded_codes()
    seen = set()
    for code, _, script, _ in sorted(read_rows("labels.tsv"), key=lambda row: (row[2], row[0])):
        language = folded[code]
        if script != "Latn" and language not in model and language in main_labels and language not in seen:
            seen.add(language)
            nats = math.log(LETTERS_RATE / MODEL_SCRIPTS.get(script, UNSEEN_SCRIPT))
            if nats > MIN_NATS and web_share(language) > UNLISTED:
                yield f"{script}\tscript\t{main_labels[language]}\t{round(100 * min(nats, MAX_NATS))}"
