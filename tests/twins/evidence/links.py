"""Combine the links of one page in plain probabilities, as a reference for evidence/links.py."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from webtongue import labels
from webtongue.evidence.link_rates import Rates
from webtongue.page import Inlink
from webtongue.reference.domains import host_of, registered_domain

OTHER = "other"  # any language that no link speaks of
MOST = 8.0


def language_of(tag: str) -> str:
    parsed = labels.parse(tag) if tag else None
    language = labels.fold(parsed).language if parsed else ""
    return "" if language in ("und", "zxx", "mul", "mis") else language


def language_ratios(link: Inlink, kind: str, rates: Rates, classify: Callable | None) -> dict[str, float] | None:
    """Return the likelihood ratio of each language by one link, or None for a link without evidence."""
    language, hreflang = language_of(link.language), language_of(link.hreflang)
    known = bool(language and link.confidence)
    ratio: defaultdict[str, float] = defaultdict(lambda: 0.0)
    free = 1.0
    if known:
        rate = rates.get(language, kind)
        ratio[language] += link.confidence * rate.keep / rates.share(language)
        ratio["eng"] += link.confidence * rate.english / rates.share("eng")
        free = 1 - link.confidence + link.confidence * rate.free
    guesses = classify(link.anchor) if classify and link.anchor and not known else []
    if guesses:
        weight = rates.settings["anchor alone"]
        total = sum(probability for _, probability in guesses)
        for name in ratio:
            ratio[name] *= 1 - weight
        for label, probability in guesses:
            ratio[label[:3]] += weight * probability / rates.share(label[:3])
        free = (1 - weight) * free + weight * (1 - total)
    if hreflang:
        weight = rates.settings["hreflang"]
        for name in ratio:
            ratio[name] *= 1 - weight
        ratio[hreflang] += weight / rates.share(hreflang)
        free *= 1 - weight
    if not any(ratio.values()):
        return None
    return {name: value + free for name, value in ratio.items() if value} | {OTHER: free}


def average(tables: Sequence[dict[str, float]]) -> dict[str, float]:
    names = {name for table in tables for name in table}
    return {name: sum(table.get(name, table[OTHER]) for table in tables) / len(tables) for name in names}


def nats(links: Sequence[Inlink], url: str, rates: Rates, classify: Callable | None = None) -> dict[str, float]:
    """Links of different pages, none of them the page itself."""
    domain = registered_domain(url) or host_of(url)
    sites: defaultdict[str, defaultdict[str, list]] = defaultdict(lambda: defaultdict(list))
    for link in links:
        name = registered_domain(link.url) or host_of(link.url)
        ratios = language_ratios(link, "own" if name and name == domain else "foreign", rates, classify)
        if ratios:
            sites[name][host_of(link.url)].append(ratios)
    tables = {name: average([average(pages) for pages in hosts.values()]) for name, hosts in sites.items()}
    if not tables:
        return {}
    foreign = sum(name != domain or not name for name in tables)
    names = sorted({name for table in tables.values() for name in table})
    logs = dict.fromkeys(names, 0.0)
    for site, table in tables.items():
        weight = 1.0 if site and site == domain else foreign ** rates.settings["power"] / foreign
        for name in names:
            logs[name] += weight * math.log(table.get(name, table[OTHER]))
    return doubted(logs, rates)


def doubted(logs: dict[str, float], rates: Rates) -> dict[str, float]:
    shares = {name: rates.share(name) for name in logs if name != OTHER}
    shares[OTHER] = max(1 - sum(shares.values()), min(shares.values()))
    total = sum(shares[name] * math.exp(log) for name, log in logs.items())
    doubt = rates.settings["unlike"]
    mixed = {name: math.log(doubt + (1 - doubt) * math.exp(log) / total) for name, log in logs.items()}
    against = {name: log - mixed[OTHER] for name, log in mixed.items() if name != OTHER}
    spread = max(0, *against.values()) - min(0, *against.values())
    return {name: value * min(1, MOST / spread) for name, value in against.items()}
