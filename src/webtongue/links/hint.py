"""What the links of one page say of its language, as a :class:`webtongue.hints.hint.Hint`.

Domains are put together as witnesses who talk to each other: *n* of them count as *n* to a measured power. Over all of it lies
the chance that the links of a page are of another kind altogether (portals, farms, wrong labels), measured on pages whose links
are all from one language and which are in another; and no number of links says more than MOST_NATS.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from webtongue.hints.hint import Hint
from webtongue.links.rates import Rates, rates
from webtongue.links.votes import Classifier, Site, Sites, counted
from webtongue.page import Inlink

__all__ = ["MOST_NATS", "LinkVotes", "links_hint", "outlinks_hint"]

# However many links, their word stays below that of a text which is right 2,999 times in 3,000: hostile links turn no such page.
MOST_NATS = 8.0


class LinkVotes:
    """Links to a page as a crawler finds them: ``add`` each, ask for the ``hint`` at any time.

    A link costs the same whether it is the first or the millionth, memory is bounded, and the answer does not depend on the order.

    >>> votes = LinkVotes("https://example.org/mynd")
    >>> votes.add(Inlink("https://example.is/", "is"))
    >>> votes.add(Inlink("https://example.com/", "en", confidence=0.6))
    >>> votes.hint().label, votes.hint().value
    ('isl', '2 links from 2 sites: eng 1, isl 1')
    """

    __slots__ = ("_back", "_classify", "_rates", "_sites")

    def __init__(
        self,
        url: str | None = None,
        classify_anchor: Classifier | None = None,
        *,
        back: bool = False,
        measured: Rates | None = None,
    ) -> None:
        self._sites = Sites(url)
        self._classify = classify_anchor
        self._rates = measured or rates()
        self._back = back

    def add(self, link: Inlink) -> None:
        """Take one more link. A page that links twice counts once, and not at all where it is the page itself."""
        self._sites.add(link)

    def hint(self) -> Hint:
        """What all links so far say together; a silent Hint where they say nothing."""
        source = "outlinks" if self._back else "links"
        sites = list(self._sites.sites(self._rates, self._classify, back=self._back))
        nats = combined(sites, self._rates)
        best = max(nats, key=lambda name: (nats[name], name), default="")
        return Hint(source, _words(sites, self._back), best if nats and nats[best] > 0 else "", nats)


def links_hint(inlinks: Iterable[Inlink], classify_anchor: Classifier | None = None, url: str | None = None) -> Hint:
    """What the links to a page say; ``url`` is the page's own address, by which links of its own site are known.

    ``classify_anchor`` gives guesses for the words of a link; None leaves them out.

    >>> links_hint([Inlink("https://example.is/", "isl_Latn")]).label
    'isl'
    """
    return _hint(LinkVotes(url, classify_anchor), inlinks)


def outlinks_hint(outlinks: Iterable[Inlink], url: str | None = None) -> Hint:
    """What the pages that a page links to say: each as an Inlink with the address and language of the *linked* page.

    Words of a link and ``hreflang`` speak of the linked page, and are left out here.
    """
    return _hint(LinkVotes(url, back=True), (Inlink(link.url, link.language, link.confidence) for link in outlinks))


def _hint(votes: LinkVotes, links: Iterable[Inlink]) -> Hint:
    for link in links:
        votes.add(link)
    return votes.hint()


def combined(sites: Sequence[Site], measured: Rates) -> dict[str, float]:
    """Log-likelihoods in nats of the languages that sites name, against any other."""
    sites = [site for site in sites if site.spread.mass]
    names = sorted({language for site in sites for language in site.spread.mass})
    foreign = sum(not site.own for site in sites)
    worth = foreign ** (measured.settings["power"] - 1) if foreign else 1.0
    logs = dict.fromkeys(names, 0.0)
    other = 0.0
    for site in sites:
        weight = 1.0 if site.own else worth
        free = math.log(site.spread.free)
        other += weight * free
        for name in names:
            mass = site.spread.mass.get(name, 0.0)
            logs[name] += weight * (math.log(mass / measured.share(name) + site.spread.free) if mass else free)
    return _doubted(logs, other, measured) if names else {}


def _doubted(logs: dict[str, float], other: float, measured: Rates) -> dict[str, float]:
    """Likelihoods with the chance mixed in that links say nothing of this page, and kept within bounds."""
    doubt = measured.settings["unlike"]
    shares = {name: measured.share(name) for name in logs}
    rest = max(1 - math.fsum(shares.values()), min(shares.values()))
    top = max(other, *logs.values())
    total = rest * math.exp(other - top) + math.fsum(shares[n] * math.exp(log - top) for n, log in logs.items())
    mixed = {name: math.log(doubt + (1 - doubt) * math.exp(log - top) / total) for name, log in logs.items()}
    base = math.log(doubt + (1 - doubt) * math.exp(other - top) / total)
    nats = {name: log - base for name, log in mixed.items()}
    spread = max(0.0, *nats.values()) - min(0.0, *nats.values())
    scale = min(1.0, MOST_NATS / spread) if spread else 1.0
    return {name: round(scale * value, 6) for name, value in nats.items()}


def _words(sites: Sequence[Site], back: bool) -> str:
    pages = [said for site in sites for said in site.pages]
    if not pages:
        return ""
    links = f"{len(pages)} link{'s' * (len(pages) > 1)} {'to' if back else 'from'}"
    many = f"{len(sites)} site{'s' * (len(sites) > 1)}"
    parts = [f"{links} {many}: {counted(said.language for said in pages) or 'unknown'}"]
    if any(said.hreflang for said in pages):
        parts.append(f"hreflang {counted(said.hreflang for said in pages)}")
    return "; ".join(parts)
