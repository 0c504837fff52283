"""Votes of the links to a page, added one at a time in bounded memory.

A link gives a distribution over languages: a mixture of the rates of links from pages in the linking page's language, of its anchor
text and of its ``hreflang``. Pages of a host are averaged, then hosts of a registered domain, so that each domain has one vote
however many pages it has. :mod:`webtongue.evidence.links` combines the domains.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from webtongue import labels
from webtongue.evidence.bounded_map import BoundedMap
from webtongue.evidence.link_rates import ENGLISH, FOREIGN, OWN, Rate, Rates
from webtongue.labels import MAX_TAG_CHARS
from webtongue.page import Inlink, parse_probability
from webtongue.reference.domains import site_of
from webtongue.verdict import Guess

__all__ = [
    "Classifier",
    "Distribution",
    "LinkStore",
    "LinkVote",
    "SiteVote",
    "anchor_distribution",
    "average",
    "format_counts",
    "link_distribution",
    "mix",
]

# At most 64 x 8 x 16 links are kept for a page. More do not change its language, and a link farm gains nothing by them.
MAX_SITES, MAX_HOSTS_PER_SITE, MAX_PAGES_PER_HOST = 64, 8, 16
MAX_CACHED_TAGS = 1 << 12  # the same few language tags occur again and again
MAX_ANCHOR_CHARS = 200
MAX_SHOWN_LANGUAGES = 4
NO_LANGUAGE = frozenset({"und", "zxx", "mul", "mis"})

Classifier = Callable[[str], Sequence[Guess]]


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution over languages: the mass of each named language, and the free mass, spread by web share."""

    mass: Mapping[str, float]
    free: float


UNINFORMED = Distribution({}, 1.0)


@dataclass(frozen=True, slots=True, order=True)
class LinkVote:
    """The information of one link. Votes are ordered by confidence: of several links of one page the highest counts."""

    confidence: float
    language: str
    hreflang: str
    anchor: str


@dataclass(frozen=True, slots=True)
class SiteVote:
    """The vote of a registered domain that links: its distribution, and the links it was made from."""

    is_own: bool
    distribution: Distribution
    links: tuple[LinkVote, ...]


@dataclass(slots=True)
class _Domain:
    name: str
    hosts: BoundedMap[BoundedMap[LinkVote]] = field(default_factory=lambda: BoundedMap(MAX_HOSTS_PER_SITE))


class LinkStore:
    """The links seen so far, one for each linking page, by registered domain and host; independent of their order."""

    __slots__ = ("_domain", "_domains", "_page")

    def __init__(self, url: str | None = None) -> None:
        url = url if isinstance(url, str) else ""
        self._page = _normalise_url(url)
        self._domain = site_of(url)[1]
        self._domains: BoundedMap[_Domain] = BoundedMap(MAX_SITES)

    def add(self, link: Inlink) -> None:
        """Add a link, unless it comes from the page itself or carries no information."""
        url = link.url if isinstance(link.url, str) else ""
        page = _normalise_url(url)
        vote = _parse_link(link)
        if vote is None or (page and page == self._page):
            return
        host, name = site_of(url)
        domain = self._domains.get_or_add(name, lambda: _Domain(name))
        pages = domain.hosts.get_or_add(host, lambda: BoundedMap(MAX_PAGES_PER_HOST)) if domain else None
        if pages is None:
            return
        key = page or repr(vote)  # pages of unknown URL are told apart by their votes
        previous = pages.get_or_add(key, lambda: vote)
        if previous is not None and previous < vote:
            pages.replace(key, vote)

    def sites(self, rates: Rates, classify: Classifier | None) -> Iterator[SiteVote]:
        """Yield the vote of each registered domain."""
        for domain in self._domains.values():
            kind = OWN if domain.name and domain.name == self._domain else FOREIGN
            hosts = []
            all_links: list[LinkVote] = []
            for pages in domain.hosts.values():
                links = list(pages.values())
                hosts.append(average([_distribution(vote, kind, rates, classify) for vote in links]))
                all_links += links
            yield SiteVote(kind == OWN, average(hosts), tuple(all_links))


def average(distributions: Sequence[Distribution]) -> Distribution:
    """Return the average of distributions, without those that name no language."""
    informed = [distribution for distribution in distributions if distribution.mass]
    if len(informed) < 2:
        return informed[0] if informed else UNINFORMED
    names = sorted({language for distribution in informed for language in distribution.mass})
    mass = {name: math.fsum(d.mass.get(name, 0.0) for d in informed) / len(informed) for name in names}
    return Distribution(mass, math.fsum(d.free for d in informed) / len(informed))


def _distribution(vote: LinkVote, kind: str, rates: Rates, classify: Classifier | None) -> Distribution:
    """Return the distribution of the page's language by one link."""
    has_language = bool(vote.language)
    distribution = UNINFORMED
    if has_language:
        by_language = link_distribution(vote.language, rates.get(vote.language, kind))
        distribution = mix(UNINFORMED, by_language, vote.confidence)
    # Beside a known language, anchor text would have a twentieth of its weight (docs/links.md), and is not read.
    if vote.anchor and classify and not has_language:
        by_anchor = anchor_distribution(vote.anchor, classify)
        distribution = mix(distribution, by_anchor, rates.settings["anchor alone"]) if by_anchor.mass else distribution
    if vote.hreflang:
        distribution = mix(distribution, Distribution({vote.hreflang: 1.0}, 0.0), rates.settings["hreflang"])
    return distribution


def link_distribution(language: str, rate: Rate) -> Distribution:
    """Return the distribution of the linked page's language by the linking page's."""
    mass = {language: rate.keep}
    if rate.english:
        mass[ENGLISH] = mass.get(ENGLISH, 0.0) + rate.english
    return Distribution(mass, rate.free)


def anchor_distribution(anchor: str, classify: Classifier) -> Distribution:
    """Return the distribution of the language of anchor text."""
    mass: defaultdict[str, float] = defaultdict(float)
    for label, probability in classify(anchor):
        language = _parse_language(label)
        if language and 0 < probability <= 1:
            mass[language] += probability
    total = math.fsum(mass.values())
    divisor = max(total, 1.0)  # a caller's classifier may return probabilities that sum to more
    return Distribution({language: part / divisor for language, part in sorted(mass.items())}, max(0.0, 1 - total))


def mix(first: Distribution, second: Distribution, weight: float) -> Distribution:
    """Return a mixture of two distributions, the second with this weight."""
    names = sorted({*first.mass, *second.mass})
    mass = {n: (1 - weight) * first.mass.get(n, 0.0) + weight * second.mass.get(n, 0.0) for n in names}
    return Distribution(mass, (1 - weight) * first.free + weight * second.free)


def _parse_link(link: Inlink) -> LinkVote | None:
    """Return the vote of a link, None if it carries no information. Bad values are ignored."""
    language, hreflang = _parse_language(link.language), _parse_language(link.hreflang)
    confidence = parse_probability(link.confidence)
    if not language or not confidence:
        language, confidence = "", 0.0
    anchor = " ".join(link.anchor[:MAX_ANCHOR_CHARS].split()) if isinstance(link.anchor, str) else ""
    anchor = anchor.encode("utf-8", "replace").decode()
    return LinkVote(confidence, language, hreflang, anchor) if language or hreflang or anchor else None


def _parse_language(text: object) -> str:
    """Return the folded language of a label or tag in any form; empty if it does not name one language."""
    return _fold_tag(text) if isinstance(text, str) and 0 < len(text) <= MAX_TAG_CHARS else ""


@lru_cache(MAX_CACHED_TAGS)
def _fold_tag(text: str) -> str:
    parsed = labels.parse(text)
    language = labels.fold(parsed).language if parsed else ""
    return "" if language in NO_LANGUAGE else language


def _normalise_url(url: str) -> str:
    """Return a URL for comparison: without scheme, fragment and trailing slashes, and with the host in lower case."""
    before, _, after = url.strip().partition("#")[0].partition("://")
    host, slash, path = (after or before).partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def format_counts(names: Iterable[str], limit: int = MAX_SHOWN_LANGUAGES) -> str:
    """Return languages and how often each occurs, the commonest first."""
    counts = Counter(name for name in names if name)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    more = ["..."] if len(ranked) > limit else []
    return ", ".join([f"{name} {count}" for name, count in ranked[:limit]] + more)
