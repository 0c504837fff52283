"""How links are chosen: a score for each, from 0 to 1, by what is known before a page is fetched.

``random``, ``cctld`` and ``svm`` are those of Baykan 2013, section 5.2; ``url`` hears the address alone, by webtongue's own
model, and ``fused`` everything: the address, the words of the link, the linking page's language, ``hreflang``, and the host.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from webtongue import Identifier, Page, labels
from webtongue.chances import Chances
from webtongue.crawl.config import CCTLD, FUSED, RANDOM, SVM, Config
from webtongue.errors import UsageError
from webtongue.url.baselines import by_main_language

__all__ = ["ANY", "Policy", "Scored", "Scorer", "code_of", "policy"]

# A published method: for each URL, by language, how far it is on the language's side (above 0) or on the other.
Scorer = Callable[[Sequence[str], Sequence[str]], Sequence[Mapping[str, float]]]
ANY = 0.5  # the score of links that are all alike


@dataclass(frozen=True, slots=True)
class Scored:
    """The chance that a link is worth following, and the wanted language that it is likeliest in."""

    score: float
    language: str


@dataclass(frozen=True, slots=True)
class Policy:
    """``score`` takes pages that were not fetched, the words of links to them, and the languages that are still wanted."""

    name: str
    score: Callable[[Sequence[Page], Sequence[str], Sequence[str]], list[Scored]]
    drawn: bool = False  # whether links of a score are drawn by chance, all alike
    learns: bool = False  # whether links and hosts change the scores of what is queued


def policy(config: Config, identifier: Identifier, scorer: Scorer | None = None) -> Policy:
    """Made ready."""
    if config.policy == RANDOM:
        return Policy(
            RANDOM, lambda pages, _, wanted: [Scored(ANY, wanted[0] if wanted else "")] * len(pages), drawn=True
        )
    if config.policy == CCTLD:
        return Policy(CCTLD, _by_domain, drawn=True)
    if config.policy == SVM:
        if scorer is None:
            raise UsageError(
                "the policy svm needs a published method: WEBTONGUE_SCORER names it, as `webtongue crawl` does"
            )
        return Policy(SVM, lambda pages, _, wanted: _by_method(pages, wanted, scorer))
    chances = identifier.chances(config.languages)
    if config.policy == FUSED:
        return Policy(FUSED, lambda pages, words, wanted: _by_chances(chances, pages, words, wanted), learns=True)
    return Policy(
        config.policy, lambda pages, _, wanted: _by_chances(chances, [_bare(page) for page in pages], None, wanted)
    )


def _bare(page: Page) -> Page:
    return replace(page, inlinks=(), host=None)


def _by_chances(
    chances: Chances, pages: Sequence[Page], words: Sequence[str] | None, wanted: Sequence[str]
) -> list[Scored]:
    return [_best(found, wanted) for found in chances.of(pages, words)]


def _best(found: Mapping[str, float], wanted: Sequence[str]) -> Scored:
    """Languages that share a page's chance are wanted together; the likeliest is named."""
    if not wanted:
        return Scored(0.0, "")
    return Scored(min(1.0, sum([found[name] for name in wanted])), max(wanted, key=lambda name: found[name]))


def _by_domain(pages: Sequence[Page], _: Sequence[str], wanted: Sequence[str]) -> list[Scored]:
    """1 where the top level domain is of a country in which a wanted language is the main one, as in Baykan 2013, table I."""
    asked = {code_of(name): name for name in wanted}
    names = [asked.get(by_main_language(page.url or ""), "") for page in pages]
    return [Scored(1.0, name) if name else Scored(0.0, wanted[0] if wanted else "") for name in names]


def code_of(name: str) -> str:
    """The language that a tag or label names, as our codes have it."""
    parsed = labels.parse(name)
    return labels.fold(parsed).language if parsed is not None else ""


def _by_method(pages: Sequence[Page], wanted: Sequence[str], scorer: Scorer) -> list[Scored]:
    """The distance from the border, squeezed into a chance: only the order matters, and that 0.5 is the border."""
    rows = scorer([page.url or "" for page in pages], wanted)
    return [
        _best({name: 1 / (1 + math.exp(-max(-50.0, min(50.0, value)))) for name, value in row.items()}, wanted)
        for row in rows
    ]
