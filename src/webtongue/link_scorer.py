"""Link scores for a crawler's queue: the probability of wanted languages for pages before they are fetched.

URL, linking pages, anchor text and host are combined by the evidence combiner, as for URL-only answers. Only the wanted languages
are computed: a link costs tens of microseconds, a Verdict hundreds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from webtongue.evidence.anchor import anchor_guesses, anchor_nats
from webtongue.evidence.combine import hint_rows
from webtongue.evidence.hint import Hint
from webtongue.evidence.host import host_hint
from webtongue.evidence.links import links_hint
from webtongue.page import Inlink, Page
from webtongue.reference.domains import site_of
from webtongue.url_only import UrlConfig, url_nats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LinkScorer", "link_scorer"]

MAX_ANCHOR_CHARS = 200  # as in evidence/link_votes.py
MAX_CACHE_ENTRIES = 1 << 13  # of each cache: anchor texts, and single links
OWN_SITE, OTHER_SITE = "https://example.org/", "https://example.com/"  # placeholders in the cache of single links
NO_ANCHOR: Mapping[int, float] = {}


@dataclass(frozen=True, slots=True)
class LinkScorer:
    """Scores pages by their URLs, links and hosts for some wanted languages."""

    config: UrlConfig
    sources: frozenset[str]  # names of the sources in use
    languages: tuple[str, ...]  # the caller's names of the wanted languages
    groups: list[list[int]]  # the label numbers of each language
    log_priors: NDArray[np.float64]  # used beside links, anchors and hosts
    url_only_priors: NDArray[np.float64]  # used if the URL is the only evidence
    outside: tuple[str, ...]  # wanted languages that the URL model does not have
    # Zero for each language that is always considered: those of the URL model and the wanted ones.
    no_evidence: dict[str, float]
    anchors: dict[str, Mapping[int, float]] = field(default_factory=dict, repr=False, compare=False)  # a cache

    def score(self, pages: Sequence[Page], anchors: Sequence[str] | None = None) -> list[dict[str, float]]:
        """Return, for each page, the probability of every wanted language; ``anchors`` are anchor texts of links to the pages.

        >>> from webtongue import Identifier, Inlink
        >>> page = Page(b"", "https://example.com/4711", inlinks=(Inlink("https://example.is/", "is"),))
        >>> Identifier().link_scorer(["is"]).score([page])[0]["is"] > 0.1
        True
        """
        config, kernel = self.config.evidence, self.config.evidence.kernel
        hosts: dict[int, Hint | None] = {}  # by the identity of `Page.host`, which lives as long as this call
        scores_by_page = []
        for page, anchor in zip(pages, anchors if anchors is not None else [""] * len(pages), strict=True):
            hints = [_links_hint(page)] if page.inlinks and "links" in self.sources else []
            if page.host and "host" in self.sources:
                if id(page.host) not in hosts:
                    hosts[id(page.host)] = host_hint(page.host, config.weights.host)
                host = hosts[id(page.host)]
                hints += [host] if host is not None else []
            by_anchor = self._anchor_nats(anchor) if anchor else NO_ANCHOR
            is_url_only = not hints and not by_anchor
            base = self._url_nats(page.url, is_url_only) if page.url and "url" in self.sources else self.no_evidence
            priors = self.url_only_priors if is_url_only else self.log_priors
            scores = kernel.group_probabilities(hint_rows(hints, config), base, dict(by_anchor), priors, self.groups)
            scores_by_page.append(dict(zip(self.languages, scores, strict=True)))
        return scores_by_page

    def _url_nats(self, url: str, is_url_only: bool) -> dict[str, float]:
        """Return the nats of a URL by language, also for wanted languages that it is no evidence for."""
        nats = url_nats(url, self.config, is_url_only=is_url_only)
        if not nats:
            return self.no_evidence
        for key in self.outside:
            nats.setdefault(key, 0.0)
        return nats

    def _anchor_nats(self, anchor: str) -> Mapping[int, float]:
        """Return the nats of anchor text by label number. They are cached, since sites repeat the same texts."""
        cached = self.anchors.get(anchor)
        if cached is None:
            text = self.config.evidence.text
            numbers = text.model.numbers
            guesses = anchor_guesses(" ".join(anchor[:MAX_ANCHOR_CHARS].split()), text)
            cached = {numbers[label]: anchor_nats(probability) for label, probability in guesses if label in numbers}
            if len(self.anchors) >= MAX_CACHE_ENTRIES:
                self.anchors.clear()
            self.anchors[anchor] = cached
        return cached


def _links_hint(page: Page) -> Hint:
    """Return the hint of the links to a page; that of a single link is cached by language, confidence, ``hreflang`` and site."""
    if len(page.inlinks) > 1:
        return links_hint(page.inlinks, None, page.url)
    link = page.inlinks[0]
    is_own_site = site_of(link.url)[1] == site_of(page.url or "")[1]
    return _single_link_hint(link.language, round(link.confidence, 2), link.hreflang, is_own_site)


@lru_cache(MAX_CACHE_ENTRIES)
def _single_link_hint(language: str, confidence: float, hreflang: str, is_own_site: bool) -> Hint:
    link = Inlink(OWN_SITE if is_own_site else OTHER_SITE, language, confidence, "", hreflang)
    return links_hint([link], None, f"{OWN_SITE}page")


def link_scorer(config: UrlConfig, sources: frozenset[str], wanted: Mapping[str, Sequence[str]]) -> LinkScorer:
    """Return a scorer; ``wanted`` has the labels of each wanted language, by the name the caller uses."""
    numbers = config.evidence.text.model.numbers
    groups = [[numbers[label] for label in labels] for labels in wanted.values()]
    codes = {label[:3] for labels in wanted.values() for label in labels}
    outside = tuple(sorted(codes - set(config.label_of)))
    no_evidence = dict.fromkeys([*config.label_of, *outside], 0.0)
    priors = _share_scripts(config.log_priors, config), _share_scripts(config.url_only_priors, config)
    return LinkScorer(config, sources, tuple(wanted), groups, *priors, outside, no_evidence)


def _share_scripts(priors: NDArray[np.float64], config: UrlConfig) -> NDArray[np.float64]:
    """Return log priors of all labels: the scripts of one of the URL model's languages share its prior."""
    import numpy as np

    labels = config.evidence.text.model.labels
    logs = priors.copy()
    for language, own in config.label_of.items():
        ids = [number for number, label in enumerate(labels) if label[:3] == language]
        prior = priors[config.evidence.text.model.numbers[own]]
        logs[ids] += prior - np.logaddexp.reduce(logs[ids])
    return logs
