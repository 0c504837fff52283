"""The types of evidence: a source, the context it collects from, and its hint."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING

from webtongue.records import dataclass

if TYPE_CHECKING:
    from webtongue import _kernel
    from webtongue.evidence.combine import EvidenceConfig
    from webtongue.markup.declarations import Declared
    from webtongue.page import Page

__all__ = ["EvidenceContext", "Hint", "Limits", "Source", "Weigh"]

MAX_CACHED_HINTS = 1 << 9  # the pages of a crawl share a few declarations, encodings and countries
Limits = tuple[float, float, bool]  # weight and limit of a source, and whether it is about the site
Weigh = Callable[["EvidenceContext", Limits], "_kernel.SourceHint | None"]


@dataclass(frozen=True, slots=True)
class Hint:
    """The log-likelihoods of one source, in nats, for the languages it mentions; 0 for all others.

    A key of ``nats`` is a label (``srp_Latn``), or a language (``srp``) that stands for all of its scripts. No prior is included:
    a language is not likelier here because it is common. ``value`` quotes the source, and ``label`` is the language or label
    that it supports most, empty for none.
    """

    source: str
    value: str
    label: str
    nats: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvidenceContext:
    """The input of a source: a page, its declarations, its encoding, and the identifier's settings."""

    page: Page
    declared: Declared
    encoding: str
    config: EvidenceConfig


@dataclass(frozen=True, slots=True)
class Source:
    """A source of evidence beside the text; ``registry.SOURCES`` lists them all.

    ``collect`` returns the source's hint for a page, None without information. The nats of some sources depend on a few values
    that recur: ``key`` returns them, None without information, and the hint of each key is cached. ``weigh_fast`` returns the hint
    in the form of the combiner, for sources that compute it without names and words.

    ``is_site``: it is evidence about the page's site, not about the page itself; all site sources together have one limit.
    ``weight`` and ``max_nats`` hold where ``data/evidence_weights.json`` does not name the source.
    """

    name: str
    collect: Callable[[EvidenceContext], Hint | None]
    is_site: bool = False
    weight: float = 1.0
    max_nats: float = 6.0
    key: Callable[[EvidenceContext], Hashable] | None = None
    weigh_fast: Weigh | None = None

    def weigh(self, context: EvidenceContext, limits: Limits) -> _kernel.SourceHint | None:
        """Return the source's hint in the form of the combiner, None without information."""
        if self.weigh_fast is not None:
            return self.weigh_fast(context, limits)
        if self.key is None:
            return self._weigh(context, limits)
        value = self.key(context)
        if value is None:
            return None
        cache, key = context.config.cache, (self.name, value)
        if key not in cache:
            if len(cache) >= MAX_CACHED_HINTS:
                cache.clear()
            cache[key] = self._weigh(context, limits)
        return cache[key]

    def _weigh(self, context: EvidenceContext, limits: Limits) -> _kernel.SourceHint | None:
        hint = self.collect(context)
        return context.config.kernel.hint(dict(hint.nats), *limits) if hint is not None and hint.nats else None
