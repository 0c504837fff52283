"""How likely pages that nobody has fetched yet are in wanted languages: many at once, for the queue of a crawler.

What an address, the pages that link there, the words of the link and the rest of the host say is the evidence of fuse.py, with its
weights and bounds; the words of a link weigh as in address.py, and how common languages are enters once. Only the chances of the
wanted languages are worked out, so that a link costs some tens of microseconds, where a Verdict costs most of a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import fuse
from webtongue.address import ANCHOR_WEIGHT, LEAST
from webtongue.hints.domain import site_of
from webtongue.hints.hint import Hint
from webtongue.hints.host import host_hint
from webtongue.links import links_hint
from webtongue.page import Inlink, Page
from webtongue.text.thresholds import NATS
from webtongue.url.hint import url_hint

__all__ = ["Chances", "chances"]

LONGEST_ANCHOR = 200  # characters of the words of a link that are read, as in links/votes.py
NOTHING: Mapping[int, float] = {}
SILENT: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Chances:
    """Wanted languages, by the names they were asked for with, and how common each label is."""

    fusion: fuse.Fusion
    names: tuple[str, ...]
    wanted: list[list[int]]  # the model's numbers of the labels of each
    priors: NDArray[np.float64]

    def of(self, pages: Sequence[Page], anchors: Sequence[str] | None = None) -> list[dict[str, float]]:
        """For each page, by its URL, its links and its host, the chance of every wanted language; ``anchors`` are words of links.

        >>> from webtongue import Identifier, Inlink
        >>> page = Page(b"", "https://example.com/4711", inlinks=(Inlink("https://example.is/", "is"),))
        >>> Identifier().chances(["is"]).of([page])[0]["is"] > 0.9
        True
        """
        heard = _Heard(self.fusion)
        words = [""] * len(pages) if anchors is None else anchors
        out = []
        for page, anchor in zip(pages, words, strict=True):
            said = heard.words(anchor) if anchor else NOTHING
            found = fuse.chances(heard.address(page), heard.hints(page), said, self.priors, self.wanted, self.fusion)
            out.append(dict(zip(self.names, found, strict=True)))
        return out


class _Heard:
    """What sources say of the pages of one call; what is the same for many of them is worked out once."""

    __slots__ = ("_anchors", "_by", "_domains", "_hosts", "_links")

    def __init__(self, by: fuse.Fusion) -> None:
        self._by = by
        self._links: dict[tuple[object, ...], Hint] = {}
        self._domains: dict[str, str] = {}
        self._hosts: dict[int, Hint | None] = {}
        self._anchors: dict[str, dict[int, float]] = {}

    def address(self, page: Page) -> Mapping[str, float]:
        """What its address says, in nats by language."""
        return url_hint(page.url, self._by.addresses()).nats if page.url and "url" in self._by.sources else SILENT

    def hints(self, page: Page) -> list[Hint]:
        """What else is said of a page's site."""
        sources = self._by.sources
        out: list[Hint] = []
        if page.inlinks and "links" in sources:
            out.append(self._linked(page))
        if page.host and "host" in sources and (hint := self._of_host(page.host)) is not None:
            out.append(hint)
        return out

    def _linked(self, page: Page) -> Hint:
        """Links of one page say the same of all addresses of a site that they lead to."""
        if len(page.inlinks) > 1:
            return links_hint(page.inlinks, None, page.url)
        link = page.inlinks[0]
        if link.url not in self._domains:
            self._domains[link.url] = site_of(link.url)[1]
        own = self._domains[link.url] == site_of(page.url or "")[1]
        key = (link.url, link.language, link.confidence, link.hreflang, own)
        if key not in self._links:
            self._links[key] = links_hint(
                [Inlink(link.url, link.language, link.confidence, "", link.hreflang)], None, page.url
            )
        return self._links[key]

    def _of_host(self, counts: Mapping[str, float]) -> Hint | None:
        if id(counts) not in self._hosts:  # the caller holds them while this call lasts
            self._hosts[id(counts)] = host_hint(counts, self._by.by.host)
        return self._hosts[id(counts)]

    def words(self, anchor: str) -> dict[int, float]:
        """What the words of a link say, in nats by the model's labels."""
        if anchor not in self._anchors:
            words = " ".join(anchor[:LONGEST_ANCHOR].split())
            numbers = self._by.text.model.numbers
            self._anchors[anchor] = {
                numbers[label]: ANCHOR_WEIGHT * math.log(max(chance, LEAST) / LEAST)
                for label, chance in fuse.guesses_of(words, self._by.text)
                if label in numbers
            }
        return self._anchors[anchor]


def chances(fusion: fuse.Fusion, wanted: Mapping[str, Sequence[str]]) -> Chances:
    """Made ready; ``wanted`` has labels by the names that they are asked for with."""
    logs = np.asarray(fusion.text.log_priors, np.float64) / NATS
    weights = np.exp(logs - logs.max())
    numbers = fusion.text.model.numbers
    groups = [[numbers[label] for label in labels] for labels in wanted.values()]
    return Chances(fusion, tuple(wanted), groups, weights / weights.sum())
