"""Link scores for a crawler's queue: the probability of wanted languages for pages before they are fetched.

URL, linking pages, anchor text and host are combined by the evidence combiner, as for URL-only answers. Only the wanted languages
are computed, for all links of a page in one call of the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from webtongue import _kernel
from webtongue.evidence.anchor import anchor_guesses, anchor_nats
from webtongue.evidence.host import host_nats
from webtongue.evidence.links import links_hint
from webtongue.evidence.url import MAX_HOST_NATS, MIN_TRUSTED_PROBABILITY
from webtongue.page import Inlink, Page
from webtongue.records import dataclass, field
from webtongue.reference.domains import site_of
from webtongue.url_only import UrlConfig

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LinkScorer", "link_scorer", "share_scripts"]

MAX_ANCHOR_CHARS = 200  # as in evidence/link_votes.py
MAX_CACHE_ENTRIES = 1 << 13  # each of the two caches, anchor texts and single links, has this limit
OWN_SITE, OTHER_SITE = "https://example.org/", "https://example.com/"  # placeholders in the cache of single links
NO_ANCHOR: dict[int, float] = {}


@dataclass(frozen=True, slots=True)
class LinkScorer:
    """Scores pages by their URLs, links and hosts for some wanted languages."""

    config: UrlConfig
    sources: frozenset[str]  # names of the sources in use
    languages: tuple[str, ...]  # the caller's names of the wanted languages
    kernel: _kernel.LinkScores
    anchors: dict[str, dict[int, float]] = field(default_factory=dict, repr=False, compare=False)  # a cache

    def score(self, pages: Sequence[Page], anchors: Sequence[str] | None = None) -> list[dict[str, float]]:
        """Return, for each page, the probability of every wanted language; ``anchors`` are anchor texts of links to the pages.

        >>> from webtongue import Identifier, Inlink
        >>> page = Page(b"", "https://example.com/4711", inlinks=(Inlink("https://example.is/", "is"),))
        >>> Identifier().link_scorer(["is"]).score([page])[0]["is"] > 0.1
        True
        """
        urls = [page.url or None for page in pages] if "url" in self.sources else [None] * len(pages)
        links_limits, host_limits = (self.config.evidence.limits[source] for source in ("links", "host"))
        trust = self.config.evidence.weights.host
        combiner = self.config.evidence.kernel
        hosts: dict[
            int, list[_kernel.SourceHint]
        ] = {}  # by the identity of `Page.host`, which lives as long as this call
        hints: list[list[_kernel.SourceHint]] = []
        for page in pages:
            rows: list[_kernel.SourceHint] = []
            if page.inlinks and "links" in self.sources:
                rows.append(combiner.hint(_links_nats(page), *links_limits))
            if page.host and "host" in self.sources:
                key = id(page.host)
                if key not in hosts:
                    nats = host_nats(page.host, trust)
                    hosts[key] = [combiner.hint(nats, *host_limits)] if nats else []
                rows += hosts[key]
            hints.append(rows)
        words = [self._anchor_nats(anchor) if anchor else NO_ANCHOR for anchor in anchors or [""] * len(pages)]
        return [dict(zip(self.languages, row, strict=True)) for row in self.kernel.score(urls, hints, words).tolist()]

    def _anchor_nats(self, anchor: str) -> dict[int, float]:
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


def _links_nats(page: Page) -> dict[str, float]:
    """Return the nats of the links to a page; those of a single link are cached by language, confidence, ``hreflang`` and site."""
    if len(page.inlinks) > 1:
        return dict(links_hint(page.inlinks, None, page.url).nats)
    link = page.inlinks[0]
    is_own_site = _linking_domain(link.url) == site_of(page.url or "")[1]
    return _single_link_nats(link.language, round(link.confidence, 2), link.hreflang, is_own_site)


@lru_cache(MAX_CACHE_ENTRIES)
def _linking_domain(url: str) -> str:
    """Return the registered domain of a linking page, which has many links."""
    return site_of(url)[1]


@lru_cache(MAX_CACHE_ENTRIES)
def _single_link_nats(language: str, confidence: float, hreflang: str, is_own_site: bool) -> dict[str, float]:
    link = Inlink(OWN_SITE if is_own_site else OTHER_SITE, language, confidence, "", hreflang)
    return dict(links_hint([link], None, f"{OWN_SITE}page").nats)


def link_scorer(config: UrlConfig, sources: frozenset[str], wanted: Mapping[str, Sequence[str]]) -> LinkScorer:
    """Return a scorer; ``wanted`` has the labels of each wanted language, by the name the caller uses."""
    numbers = config.evidence.text.model.numbers
    groups = [[numbers[label] for label in labels] for labels in wanted.values()]
    codes = {label[:3] for labels in wanted.values() for label in labels}
    outside = sorted(codes - set(config.label_of))  # the URL model does not have them
    priors, url_only = (share_scripts(logs, config).tolist() for logs in (config.log_priors, config.url_only_priors))
    kernel = _kernel.LinkScores(
        config.reader.model.kernel,
        config.evidence.kernel,
        priors,
        url_only,
        groups,
        outside,
        MIN_TRUSTED_PROBABILITY,
        MAX_HOST_NATS,
    )
    return LinkScorer(config, sources, tuple(wanted), kernel)


def share_scripts(priors: NDArray[np.float64], config: UrlConfig) -> NDArray[np.float64]:
    """Return log priors of all labels: the scripts of one of the URL model's languages share its prior."""
    import numpy as np

    labels = config.evidence.text.model.labels
    logs = priors.copy()
    for language, own in config.label_of.items():
        ids = [number for number, label in enumerate(labels) if label[:3] == language]
        prior = priors[config.evidence.text.model.numbers[own]]
        logs[ids] += prior - np.logaddexp.reduce(logs[ids])
    return logs
