"""What else is known of a page's host: pages of one host, and of one registered domain, are mostly in one language.

A hierarchy of counts: those of the host, over those of its domain, over those of its top level domain, over the web's. Each level
is worth a number of pages to the one below it (``Trust``), so that one page says little and a thousand say nearly all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from webtongue import labels
from webtongue.hints.domain import site_of
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_share

__all__ = ["HostCounts", "Trust", "blended", "host_hint"]

SOURCE = "host"
MOST_PAGES = 1e15  # of a host: more is no count
KEYS = 4096  # names of languages that are remembered
SHOWN = 3  # languages that the value of a hint names
MOST_HOSTS = (
    1 << 20
)  # and as many domains: of further ones only the top level domain is counted, so that memory is bounded
MOST_TOPS = 1 << 13  # top level domains: there are some 1,500
MOST_NAMED = 1000  # languages of a host that are looked at
MOST_LANGUAGES = 32  # of a host or domain: further ones are not counted


@dataclass(frozen=True, slots=True)
class Trust:
    """What the level above is worth, in pages: fitted to pages left out of their host's counts (tools/weights/fit_hosts.py)."""

    web: float = 14.0
    top: float = 0.74
    domain: float = 0.54


def host_hint(counts: Mapping[str, float], trust: Trust) -> Hint | None:
    """How much likelier languages are on a host with these counts than on the web; None where nothing is known of it.

    Languages are labels or tags of any form; what is none, or no count, is left out.

    >>> hint = host_hint({"isl": 40, "eng": 2}, Trust(1.0, 1.0, 1.0))
    >>> hint.label, hint.value, hint.nats["isl"] > hint.nats["eng"]
    ('isl', '42 other pages: isl 40, eng 2', True)
    """
    good: dict[str, float] = {}
    for name, value in islice(counts.items(), MOST_NAMED):
        count = _count_of(value)
        if count and isinstance(name, str) and (key := _key(name)):
            good[key] = good.get(key, 0.0) + count
    total = sum(good.values())
    if not total > 0:
        return None
    nats = {key: _nats(count, total, web_share(key[:3]), trust.domain) for key, count in good.items()}
    ranked = sorted(good, key=lambda key: (-good[key], key))
    said = ", ".join([f"{key} {good[key]:.3g}" for key in ranked[:SHOWN]])
    return Hint(SOURCE, f"{total:.3g} other page{'s' * (total != 1)}: {said}", ranked[0], nats)


def _count_of(value: object) -> float:
    """A number of pages, of any kind of number; 0 for what is none."""
    try:
        found = float(value) if not isinstance(value, str | bytes | bool) else 0.0  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return found if 0 < found <= MOST_PAGES else 0.0


@lru_cache(maxsize=KEYS)
def _key(name: str) -> str:
    """A language as hints name it, with its script where the name has more than the language; empty where it names none."""
    found = labels.parse(name)
    if found is None or found.language in labels.SPECIAL:
        return ""
    folded = labels.fold(found)
    return str(folded) if "_" in name or "-" in name else folded.language


def _nats(count: float, total: float, share: float, trust: float) -> float:
    """What the host makes of a language beside what the web makes of it."""
    return math.log((count + trust * share) / (total + trust) / share)


Counts = dict[str, float]


class HostCounts:
    """Languages of the pages of hosts, as a crawl finds them: ``add`` each page, ask ``of`` an address what is known of its host.

    >>> known = HostCounts()
    >>> for page in range(20):
    ...     known.add(f"https://blog.example.is/{page}", "isl_Latn")
    >>> host_hint(known.of("https://www.example.is/"), known.trust).label
    'isl'
    """

    __slots__ = ("_domains", "_hosts", "_tops", "trust")

    def __init__(self, trust: Trust | None = None) -> None:
        self.trust = trust or Trust()
        self._hosts: dict[str, Counts] = {}
        self._domains: dict[str, Counts] = {}
        self._tops: dict[str, Counts] = {}

    def add(self, url: str, label: str, count: float = 1.0) -> None:
        """One more page, or so many; what is no language is not counted."""
        language = _key(label)[:3] if isinstance(url, str) and isinstance(label, str) else ""
        count = _count_of(count)
        if not language or not count:
            return
        host, domain = site_of(url)
        for known, name in ((self._hosts, host), (self._domains, domain)):
            if name and (name in known or len(known) < MOST_HOSTS):
                _count(known.setdefault(name, {}), language, count)
        top = _top(host)
        if top and (top in self._tops or len(self._tops) < MOST_TOPS):
            _count(self._tops.setdefault(top, {}), language, count)

    def of(self, url: str) -> Counts:
        """What is known of an address's host, its domain and its top level domain with it, as ``host_hint`` takes it."""
        host, domain = site_of(url)
        return blended(
            self._hosts.get(host, {}), self._domains.get(domain, {}), self._tops.get(_top(host), {}), self.trust
        )


def blended(host: Mapping[str, float], domain: Mapping[str, float], top: Mapping[str, float], trust: Trust) -> Counts:
    """Counts of a host with what is known of its domain and its top level domain, as ``host_hint`` takes them; those of a domain
    have its hosts' in them, and those of a top level domain its domains'."""
    levels = (top, domain, host)
    named = sorted(
        {language for counts in levels for language in counts}
    )  # in one order: sums are the same on every run
    strength = sum(host.values()) + (trust.domain if domain or top else 0.0)
    shares = {language: web_share(language) for language in named}
    for counts, worth in zip(levels, (trust.web, trust.top, trust.domain), strict=True):
        total = sum(counts.values())
        shares = {one: (counts.get(one, 0.0) + worth * share) / (total + worth) for one, share in shares.items()}
    own = trust.domain
    found = {one: share * (strength + own) - own * web_share(one) for one, share in shares.items()}
    return {one: count for one, count in found.items() if count > 0}


def _count(counts: Counts, language: str, count: float) -> None:
    if language in counts or len(counts) < MOST_LANGUAGES:
        counts[language] = counts.get(language, 0.0) + count


def _top(host: str) -> str:
    """The top level domain; an address in numbers has none."""
    top = host.rpartition(".")[2]
    return "" if top.isdigit() or ":" in top else top
