"""Evidence from the links to a page, as a :class:`webtongue.evidence.hint.Hint`.

Linking domains are not independent: *n* of them count as *n* to a measured power. The result is mixed with the probability that
a page's links carry no information about it (portals, link farms, wrong labels), measured on pages that are in another language
than all pages that link to them. The nats of all links together are at most MAX_NATS.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from webtongue.evidence.anchor import anchor_guesses
from webtongue.evidence.hint import EvidenceContext, Hint
from webtongue.evidence.link_rates import Rates, rates
from webtongue.evidence.link_votes import Classifier, LinkStore, SiteVote, format_counts
from webtongue.page import Inlink

__all__ = ["MAX_NATS", "LinkVotes", "collect", "links_hint", "site_nats"]

SOURCE = "links"
# Below the log odds of a text that is right 2,999 times in 3,000, so that hostile links never override such a page.
MAX_NATS = 8.0


class LinkVotes:
    """The links to a page as a crawler finds them: ``add`` each link, read ``hint`` at any time.

    Every link costs the same, memory is bounded, and the hint does not depend on the order of the links.

    >>> votes = LinkVotes("https://example.org/mynd")
    >>> votes.add(Inlink("https://example.is/", "is"))
    >>> votes.add(Inlink("https://example.com/", "en", confidence=0.6))
    >>> votes.hint().label, votes.hint().value
    ('isl', '2 links from 2 sites: eng 1, isl 1')
    """

    __slots__ = ("_classify", "_rates", "_store")

    def __init__(self, url: str | None = None, classify_anchor: Classifier | None = None) -> None:
        self._store = LinkStore(url)
        self._classify = classify_anchor
        self._rates = rates()

    def add(self, link: Inlink) -> None:
        """Add a link. A page that links twice counts once; links of the page to itself do not count."""
        self._store.add(link)

    def hint(self) -> Hint:
        """Return the hint of all links so far, without nats if they carry no information."""
        sites = list(self._store.sites(self._rates, self._classify))
        nats = site_nats(sites, self._rates)
        best = max(nats, key=lambda name: (nats[name], name), default="")
        return Hint(SOURCE, _describe(sites), best if nats and nats[best] > 0 else "", nats)


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of the links to a page."""
    page, text = context.page, context.config.text
    if not page.inlinks:
        return None
    return links_hint(page.inlinks, lambda anchor: anchor_guesses(anchor, text), page.url or "")


def links_hint(inlinks: Iterable[Inlink], classify_anchor: Classifier | None = None, url: str | None = None) -> Hint:
    """Return the hint of the links to a page; ``url`` is the page's own, by which links of its own site are recognised.

    ``classify_anchor`` returns guesses for anchor text; with None anchor text is ignored.

    >>> links_hint([Inlink("https://example.is/", "isl_Latn")]).label
    'isl'
    """
    votes = LinkVotes(url, classify_anchor)
    for link in inlinks:
        votes.add(link)
    return votes.hint()


def site_nats(sites: Sequence[SiteVote], link_rates: Rates) -> dict[str, float]:
    """Return the nats of the languages that sites name, against any other language."""
    sites = [site for site in sites if site.distribution.mass]
    names = sorted({language for site in sites for language in site.distribution.mass})
    foreign = sum(not site.is_own for site in sites)
    foreign_weight = foreign ** (link_rates.settings["power"] - 1) if foreign else 1.0
    logs = dict.fromkeys(names, 0.0)
    other = 0.0
    for site in sites:
        weight = 1.0 if site.is_own else foreign_weight
        free = math.log(site.distribution.free)
        other += weight * free
        for name in names:
            mass = site.distribution.mass.get(name, 0.0)
            logs[name] += weight * (math.log(mass / link_rates.share(name) + site.distribution.free) if mass else free)
    return _limit(logs, other, link_rates) if names else {}


def _limit(logs: dict[str, float], other: float, link_rates: Rates) -> dict[str, float]:
    """Return nats with the probability of uninformative links mixed in, scaled to at most MAX_NATS."""
    uninformative = link_rates.settings["unlike"]
    shares = {name: link_rates.share(name) for name in logs}
    rest = max(1 - math.fsum(shares.values()), min(shares.values()))
    top = max(other, *logs.values())
    total = rest * math.exp(other - top) + math.fsum(shares[n] * math.exp(log - top) for n, log in logs.items())
    mixed = {
        name: math.log(uninformative + (1 - uninformative) * math.exp(log - top) / total) for name, log in logs.items()
    }
    base = math.log(uninformative + (1 - uninformative) * math.exp(other - top) / total)
    nats = {name: log - base for name, log in mixed.items()}
    spread = max(0.0, *nats.values()) - min(0.0, *nats.values())
    scale = min(1.0, MAX_NATS / spread) if spread else 1.0
    return {name: round(scale * value, 6) for name, value in nats.items()}


def _describe(sites: Sequence[SiteVote]) -> str:
    votes = [vote for site in sites for vote in site.links]
    if not votes:
        return ""
    links = f"{len(votes)} link{'s' * (len(votes) > 1)}"
    site_count = f"{len(sites)} site{'s' * (len(sites) > 1)}"
    parts = [f"{links} from {site_count}: {format_counts(vote.language for vote in votes) or 'unknown'}"]
    if any(vote.hreflang for vote in votes):
        parts.append(f"hreflang {format_counts(vote.hreflang for vote in votes)}")
    return "; ".join(parts)
