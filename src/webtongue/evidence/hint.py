"""The types of evidence: a source, the context it collects from, and its hint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webtongue.evidence.combine import EvidenceConfig
    from webtongue.markup.declarations import Declared
    from webtongue.page import Page

__all__ = ["EvidenceContext", "Hint", "Source"]


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

    ``collect`` returns the source's hint for a page, None without information. ``is_site``: it is evidence about the page's site,
    not about the page itself; all site sources together have one limit. ``weight`` and ``max_nats`` hold where
    ``data/evidence_weights.json`` does not name the source.
    """

    name: str
    collect: Callable[[EvidenceContext], Hint | None]
    is_site: bool = False
    weight: float = 1.0
    max_nats: float = 6.0
