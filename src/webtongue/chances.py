"""How likely pages that nobody has fetched yet are in wanted languages: many at once, for the queue of a crawler.

What an address, the pages that link there, the words of the link and the rest of the host say is the evidence of fuse.py, with its
weights and bounds; the words of a link weigh as in address.py, and how common languages are enters once. Only the chances of the
wanted languages are worked out, so that a link costs some tens of microseconds, where a Verdict costs most of a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from webtongue import fuse
from webtongue.address import ANCHOR_WEIGHT, FAINT, LEAST, AddressStage, by_model, said_of
from webtongue.hints.domain import site_of
from webtongue.hints.hint import Hint
from webtongue.hints.host import host_hint
from webtongue.links import links_hint
from webtongue.page import Inlink, Page
from webtongue.url.hint import AddressReader, said_beside, url_hint
from webtongue.url.places import places_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Chances", "chances"]

LONGEST_ANCHOR = 200  # characters of the words of a link that are read, as in links/votes.py
REMEMBERED = 1 << 13  # words of links, and links that say the same
OWN_SITE, OTHER_SITE = "https://example.org/", "https://example.com/"  # stand for any
NOTHING: Mapping[int, float] = {}


@dataclass(frozen=True, slots=True)
class Chances:
    """Wanted languages, by the names they were asked for with, and how common each label is."""

    stage: AddressStage
    sources: frozenset[str]  # that are listened to
    names: tuple[str, ...]
    wanted: list[list[int]]  # the model's numbers of the labels of each
    priors: NDArray[np.float64]
    addresses: AddressReader
    outside: tuple[str, ...]  # wanted languages that the URL model does not know
    silence: dict[str, float]  # languages that are always in question: the URL model's, and those that are wanted
    heard: dict[str, Mapping[int, float]] = field(default_factory=dict, repr=False, compare=False)  # words of links

    def of(self, pages: Sequence[Page], anchors: Sequence[str] | None = None) -> list[dict[str, float]]:
        """For each page, by its URL, its links and its host, the chance of every wanted language; ``anchors`` are words of links.

        >>> from webtongue import Identifier, Inlink
        >>> page = Page(b"", "https://example.com/4711", inlinks=(Inlink("https://example.is/", "is"),))
        >>> Identifier().chances(["is"]).of([page])[0]["is"] > 0.1
        True
        """
        by = self.stage.fusion
        sources = self.sources
        hosts: dict[int, Hint | None] = {}  # counts are those of the caller, who holds them while this call lasts
        out = []
        for page, anchor in zip(pages, anchors if anchors is not None else [""] * len(pages), strict=True):
            said = self._address(page.url) if page.url and "url" in sources else self.silence
            hints = [_linked(page)] if page.inlinks and "links" in sources else []
            if page.host and "host" in sources:
                if id(page.host) not in hosts:
                    hosts[id(page.host)] = host_hint(page.host, by.by.host)
                of_host = hosts[id(page.host)]
                hints += [of_host] if of_host is not None else []
            words = self._words(anchor) if anchor else NOTHING
            out.append(
                dict(zip(self.names, fuse.chances(said, hints, words, self.priors, self.wanted, by), strict=True))
            )
        return out

    def _address(self, url: str) -> dict[str, float]:
        """What an address says, in nats by language: of the URL model's languages, and of others that it or a caller speaks for."""
        if not self.outside and not any(
            key[:3] not in self.silence for key in said_beside(places_of(url), self.addresses)
        ):
            return by_model(url, self.stage) or self.silence  # the model's own languages, and nobody speaks for another
        hint = url_hint(url, self.addresses)
        own, behind, _ = said_of(url, hint, self.stage)
        for key, nats in hint.nats.items():
            if nats > 0 and key[:3] not in own:
                own[key] = behind + nats
        for key in self.outside:
            own.setdefault(key, behind)
        return own

    def _words(self, anchor: str) -> Mapping[int, float]:
        """What the words of a link say, in nats by the model's labels; sites say the same words again and again."""
        found = self.heard.get(anchor)
        if found is None:
            numbers = self.stage.fusion.text.model.numbers
            found = {
                numbers[label]: ANCHOR_WEIGHT * math.log(max(chance, LEAST) / LEAST)
                for label, chance in fuse.guesses_of(" ".join(anchor[:LONGEST_ANCHOR].split()), self.stage.fusion.text)
                if label in numbers
            }
            if len(self.heard) >= REMEMBERED:
                self.heard.clear()
            self.heard[anchor] = found
        return found


def _linked(page: Page) -> Hint:
    """What links to a page say. Of one link only the language, how sure that is, and whether it is of the page's own site count."""
    if len(page.inlinks) > 1:
        return links_hint(page.inlinks, None, page.url)
    link = page.inlinks[0]
    own = site_of(link.url)[1] == site_of(page.url or "")[1]
    return _by_one(link.language, round(link.confidence, 2), link.hreflang, own)


@lru_cache(REMEMBERED)
def _by_one(language: str, confidence: float, hreflang: str, own: bool) -> Hint:
    link = Inlink(OWN_SITE if own else OTHER_SITE, language, confidence, "", hreflang)
    return links_hint([link], None, f"{OWN_SITE}page")


def chances(stage: AddressStage, sources: frozenset[str], wanted: Mapping[str, Sequence[str]]) -> Chances:
    """Made ready; ``wanted`` has labels by the names that they are asked for with."""
    numbers = stage.fusion.text.model.numbers
    groups = [[numbers[label] for label in labels] for labels in wanted.values()]
    codes = {label[:3] for labels in wanted.values() for label in labels}
    outside = tuple(sorted(codes - set(stage.own)))
    silence = dict.fromkeys([*stage.own, *outside], 0.0)
    return Chances(stage, sources, tuple(wanted), groups, _priors(stage), stage.fusion.addresses(), outside, silence)


def _priors(stage: AddressStage) -> NDArray[np.float64]:
    """How common labels are, as address.py takes them: scripts of one of the URL model's languages share what it has."""
    import numpy as np

    labels = stage.fusion.text.model.labels
    logs = np.array([stage.priors.get(label, FAINT) for label in labels])
    for language in stage.own:
        of_language = [number for number, label in enumerate(labels) if label[:3] == language]
        shares = np.exp(logs[of_language] - logs[of_language].max())
        logs[of_language] = np.log(shares / shares.sum()) + stage.within[language] + stage.inside
    out: NDArray[np.float64] = np.exp(logs)
    return out
