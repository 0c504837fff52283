"""Evidence from other pages of the same host: pages of a host, and of a registered domain, are mostly in one language.

Counts have four levels: host, registered domain, top-level domain, web. Each level is smoothed by the level above it, which counts
as a number of pseudo-pages (``HostTrust``), so that one page has little effect and a thousand pages decide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from webtongue import _kernel, labels
from webtongue.evidence.hint import EvidenceContext, Hint, Limits
from webtongue.records import dataclass
from webtongue.reference.domains import site_of
from webtongue.reference.web_shares import web_share

__all__ = ["HostCounts", "HostTrust", "blend_counts", "collect", "host_hint", "host_nats", "weigh"]

SOURCE = "host"
MAX_COUNT = 1e15  # a larger number is not a valid count of pages
MAX_CACHED_NAMES = 4096
MAX_SHOWN_LANGUAGES = 3
# Hosts, and as many domains. Pages of further ones count only for their top-level domain, which bounds memory.
MAX_HOSTS = 1 << 20
MAX_TLDS = 1 << 13  # some 1,500 exist
MAX_GIVEN_LANGUAGES = 1000  # languages of a caller's counts that are read
MAX_LANGUAGES_PER_HOST = 32  # further languages of a host or domain are not counted


@dataclass(frozen=True, slots=True)
class HostTrust:
    """The number of pseudo-pages of each level in the level below it, fitted on held-out pages (tools/weights/fit_hosts.py)."""

    web: float = 14.0
    top: float = 0.74
    domain: float = 0.54


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of the other pages of a page's host."""
    counts = context.page.host
    return host_hint(counts, context.config.weights.host) if counts else None


def host_hint(counts: Mapping[str, float], trust: HostTrust) -> Hint | None:
    """Return the log-likelihood ratio of each language on this host against the whole web, or None for an unknown host.

    Languages are labels or tags in any form; entries with another name, or without a valid count, are ignored.

    >>> hint = host_hint({"isl": 40, "eng": 2}, HostTrust(1.0, 1.0, 1.0))
    >>> hint.label, hint.value, hint.nats["isl"] > hint.nats["eng"]
    ('isl', '42 other pages: isl 40, eng 2', True)
    """
    valid = _parse_counts(counts)
    nats = _counts_nats(valid, trust)
    if not nats:
        return None
    total = sum(valid.values())
    ranked = sorted(valid, key=lambda key: (-valid[key], key))
    shown = ", ".join([f"{key} {valid[key]:.3g}" for key in ranked[:MAX_SHOWN_LANGUAGES]])
    return Hint(SOURCE, f"{total:.3g} other page{'s' * (total != 1)}: {shown}", ranked[0], nats)


def weigh(context: EvidenceContext, limits: Limits) -> _kernel.SourceHint | None:
    """Return the same hint in the form of the combiner."""
    counts, config = context.page.host, context.config
    nats = host_nats(counts, config.weights.host) if counts else None
    return config.kernel.hint(nats, *limits) if nats else None


def host_nats(counts: Mapping[str, float], trust: HostTrust) -> dict[str, float]:
    """Return the nats of `host_hint` alone; empty for an unknown host."""
    return _counts_nats(_parse_counts(counts), trust)


def _parse_counts(counts: Mapping[str, float]) -> dict[str, float]:
    """Return the pages of each language of a caller's counts."""
    valid: dict[str, float] = {}
    for name, value in islice(counts.items(), MAX_GIVEN_LANGUAGES):
        count = _parse_count(value)
        if count and isinstance(name, str) and (key := _parse_language(name)):
            valid[key] = valid.get(key, 0.0) + count
    return valid


def _counts_nats(counts: Mapping[str, float], trust: HostTrust) -> dict[str, float]:
    total = sum(counts.values())
    if not total > 0:
        return {}
    return {key: _nats(count, total, web_share(key[:3]), trust.domain) for key, count in counts.items()}


def _parse_count(value: object) -> float:
    """Return a number of pages from any type of number; 0 for a value that is no count."""
    try:
        count = float(value) if not isinstance(value, str | bytes | bool) else 0.0  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return count if 0 < count <= MAX_COUNT else 0.0


@lru_cache(maxsize=MAX_CACHED_NAMES)
def _parse_language(name: str) -> str:
    """Return the key of a language in hints, with its script if the name has more than the language; empty for no language."""
    label = labels.parse(name)
    if label is None or label.language in labels.SPECIAL:
        return ""
    folded = labels.fold(label)
    return str(folded) if "_" in name or "-" in name else folded.language


def _nats(count: float, total: float, share: float, trust: float) -> float:
    """Return the log ratio of a language's share on the host to its share of the web."""
    return math.log((count + trust * share) / (total + trust) / share)


Counts = dict[str, float]


class HostCounts:
    """Pages by language of the hosts of a crawl: ``add`` each page, and ``get`` the counts for a URL's host.

    >>> counts = HostCounts()
    >>> for page in range(20):
    ...     counts.add(f"https://blog.example.is/{page}", "isl_Latn")
    >>> host_hint(counts.get("https://www.example.is/"), counts.trust).label
    'isl'
    """

    __slots__ = ("_domains", "_hosts", "_tlds", "trust")

    def __init__(self, trust: HostTrust | None = None) -> None:
        self.trust = trust or HostTrust()
        self._hosts: dict[str, Counts] = {}
        self._domains: dict[str, Counts] = {}
        self._tlds: dict[str, Counts] = {}

    def add(self, url: str, label: str, count: float = 1.0) -> None:
        """Add a page, or ``count`` pages; labels that name no language are not counted."""
        language = _parse_language(label)[:3] if isinstance(url, str) and isinstance(label, str) else ""
        count = _parse_count(count)
        if not language or not count:
            return
        host, domain = site_of(url)
        for level, name in ((self._hosts, host), (self._domains, domain)):
            if name and (name in level or len(level) < MAX_HOSTS):
                _add_count(level.setdefault(name, {}), language, count)
        tld = _tld(host)
        if tld and (tld in self._tlds or len(self._tlds) < MAX_TLDS):
            _add_count(self._tlds.setdefault(tld, {}), language, count)

    def get(self, url: str) -> Counts:
        """Return the counts for a URL's host, blended with its domain and top-level domain, as ``Page.host`` takes them."""
        host, domain = site_of(url)
        return blend_counts(
            self._hosts.get(host, {}), self._domains.get(domain, {}), self._tlds.get(_tld(host), {}), self.trust
        )


def blend_counts(
    host: Mapping[str, float], domain: Mapping[str, float], tld: Mapping[str, float], trust: HostTrust
) -> Counts:
    """Return counts of a host blended with those of its domain and top-level domain, as ``host_hint`` takes them.

    Counts of a domain include those of its hosts, and counts of a top-level domain those of its domains.
    """
    levels = (tld, domain, host)
    languages = sorted({language for counts in levels for language in counts})  # sorted, so that sums are reproducible
    strength = sum(host.values()) + (trust.domain if domain or tld else 0.0)
    shares = {language: web_share(language) for language in languages}
    for counts, weight in zip(levels, (trust.web, trust.top, trust.domain), strict=True):
        total = sum(counts.values())
        shares = {
            language: (counts.get(language, 0.0) + weight * share) / (total + weight)
            for language, share in shares.items()
        }
    pages = {
        language: share * (strength + trust.domain) - trust.domain * web_share(language)
        for language, share in shares.items()
    }
    return {language: count for language, count in pages.items() if count > 0}


def _add_count(counts: Counts, language: str, count: float) -> None:
    if language in counts or len(counts) < MAX_LANGUAGES_PER_HOST:
        counts[language] = counts.get(language, 0.0) + count


def _tld(host: str) -> str:
    """Return the top-level domain of a host; empty for an IP address."""
    tld = host.rpartition(".")[2]
    return "" if tld.isdigit() or ":" in tld else tld
