"""Read the links to a page: the kernel's reader with the measured rates, and the functions that read tags and anchor text.

The kernel (native/url/link_votes) stores the links in bounded memory and computes their nats.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from webtongue import _kernel, labels
from webtongue.evidence.link_rates import FALSE_SHARE, OWN, Rates, rates
from webtongue.labels import MAX_TAG_CHARS
from webtongue.page import parse_probability
from webtongue.reference.domains import suffixes
from webtongue.verdict import Guess

__all__ = [
    "MAX_NATS",
    "Classifier",
    "Distribution",
    "anchor_distribution",
    "format_counts",
    "link_reader",
    "make_reader",
]

# Below the log odds of a text that is right 2,999 times in 3,000, so that hostile links never override such a page.
MAX_NATS = 8.0
MAX_CACHED_TAGS = 1 << 12  # the same few language tags occur again and again
MAX_ANCHOR_CHARS = 200
MAX_SHOWN_LANGUAGES = 4
NO_LANGUAGE = frozenset({"und", "zxx", "mul", "mis"})

Classifier = Callable[[str], Sequence[Guess]]


class Distribution(NamedTuple):
    """A distribution over languages: the mass of each named language in their order, and the free mass, spread by web share."""

    mass: dict[str, float]
    free: float


@cache
def link_reader() -> _kernel.LinkReader:
    """Return the reader of links with the shipped rates."""
    return make_reader(rates())


def make_reader(link_rates: Rates) -> _kernel.LinkReader:
    """Return the kernel's reader of links with these rates."""
    table = [
        (kind == OWN, language, rate.keep, rate.english, rate.free)
        for (kind, language), rate in link_rates.table.items()
    ]
    settings = link_rates.settings
    return _kernel.LinkReader(
        suffixes(),
        table,
        dict(link_rates.shares),
        min_share=FALSE_SHARE,
        power=settings["power"],
        uninformative=settings["unlike"],
        anchor=settings.get("anchor alone", 0.0),
        hreflang=settings["hreflang"],
        max_nats=MAX_NATS,
        language=_parse_language,
        probability=parse_probability,
        anchor_text=_clean_anchor,
    )


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


@lru_cache(MAX_CACHED_TAGS)
def _parse_language(text: str) -> str:
    """Return the folded language of a label or tag in any form; empty if it does not name one language."""
    parsed = labels.parse(text) if 0 < len(text) <= MAX_TAG_CHARS else None
    language = labels.fold(parsed).language if parsed else ""
    return "" if language in NO_LANGUAGE else language


def _clean_anchor(anchor: str) -> str:
    """Return anchor text with its spaces normalised and lone surrogates replaced."""
    return " ".join(anchor[:MAX_ANCHOR_CHARS].split()).encode("utf-8", "replace").decode()


def format_counts(counts: Mapping[str, int], limit: int = MAX_SHOWN_LANGUAGES) -> str:
    """Return languages and how often each occurs, the commonest first."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    more = ["..."] if len(ranked) > limit else []
    return ", ".join([f"{name} {count}" for name, count in ranked[:limit]] + more)
