"""Evidence from the links to a page, as a :class:`webtongue.evidence.hint.Hint`.

Linking domains are not independent: *n* of them count as *n* to a measured power. The result is mixed with the probability that
a page's links carry no information about it (portals, link farms, wrong labels), measured on pages that are in another language
than all pages that link to them. The nats of all links together are at most MAX_NATS. The kernel computes them
(native/url/link_votes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webtongue import _kernel
from webtongue.evidence.anchor import anchor_guesses
from webtongue.evidence.hint import EvidenceContext, Hint
from webtongue.evidence.link_votes import Classifier, Distribution, anchor_distribution, format_counts, link_reader
from webtongue.page import Inlink
from webtongue.text import TextReader

__all__ = ["LinkVotes", "collect", "links_hint", "weigh"]

SOURCE = "links"


class LinkVotes:
    """The links to a page as a crawler finds them: ``add`` each link, read ``hint`` at any time.

    Every link costs the same, memory is bounded, and the hint does not depend on the order of the links.

    >>> votes = LinkVotes("https://example.org/mynd")
    >>> votes.add(Inlink("https://example.is/", "is"))
    >>> votes.add(Inlink("https://example.com/", "en", confidence=0.6))
    >>> votes.hint().label, votes.hint().value
    ('isl', '2 links from 2 sites: eng 1, isl 1')
    """

    __slots__ = ("_classify", "_votes")

    def __init__(
        self,
        url: str | None = None,
        classify_anchor: Classifier | None = None,
        reader: _kernel.LinkReader | None = None,
    ) -> None:
        self._votes = _kernel.PageVotes(reader or link_reader(), url)
        self._classify = classify_anchor

    def add(self, link: Inlink) -> None:
        """Add a link. A page that links twice counts once; links of the page to itself do not count."""
        self._votes.add(link)

    def hint(self) -> Hint:
        """Return the hint of all links so far, without nats if they carry no information."""
        classify = self._classify
        nats = self._votes.nats(None if classify is None else lambda text: anchor_distribution(text, classify))
        best = max(nats, key=lambda name: (nats[name], name), default="")
        return Hint(SOURCE, _describe(*self._votes.counts()), best if nats and nats[best] > 0 else "", nats)


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of the links to a page."""
    page, text = context.page, context.config.text
    if not page.inlinks:
        return None
    return links_hint(page.inlinks, lambda anchor: anchor_guesses(anchor, text), page.url or "")


def weigh(context: EvidenceContext, limits: tuple[float, float, bool]) -> _kernel.SourceHint | None:
    """Return the same hint for the combiner."""
    page, config = context.page, context.config
    if not page.inlinks:
        return None
    return link_reader().hint(page.inlinks, page.url, _anchor_reader(config.text), config.kernel, *limits)


def _anchor_reader(text: TextReader) -> Callable[[str], Distribution]:
    return lambda anchor: anchor_distribution(anchor, lambda string: anchor_guesses(string, text))


def links_hint(
    inlinks: Iterable[Inlink],
    classify_anchor: Classifier | None = None,
    url: str | None = None,
    reader: _kernel.LinkReader | None = None,
) -> Hint:
    """Return the hint of the links to a page; ``url`` is the page's own, by which links of its own site are recognised.

    ``classify_anchor`` returns guesses for anchor text; with None anchor text is ignored. ``reader`` has other rates than those
    that ship.

    >>> links_hint([Inlink("https://example.is/", "isl_Latn")]).label
    'isl'
    """
    votes = LinkVotes(url, classify_anchor, reader)
    for link in inlinks:
        votes.add(link)
    return votes.hint()


def _describe(link_count: int, site_count: int, languages: dict[str, int], hreflangs: dict[str, int]) -> str:
    if not link_count:
        return ""
    links = f"{link_count} link{'s' * (link_count > 1)}"
    sites = f"{site_count} site{'s' * (site_count > 1)}"
    parts = [f"{links} from {sites}: {format_counts(languages) or 'unknown'}"]
    if hreflangs:
        parts.append(f"hreflang {format_counts(hreflangs)}")
    return "; ".join(parts)
