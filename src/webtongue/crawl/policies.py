"""Policies: how links are scored, from 0 to 1, before their pages are fetched.

``random`` is that of Baykan 2013, section 5.2. ``cctld`` and ``svm`` are close to theirs: ``cctld`` has the main language of every
country, where their table I has the countries of five languages; the shipped SVM keeps 40,000 n-grams, where theirs keeps all. The
experiment `baykan2013-crawl` uses table I and all n-grams. ``url`` uses the URL alone, with webtongue's own model.
``fused`` uses all evidence: the URL, the anchor text, the linking page's language, ``hreflang`` and the host's other pages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from webtongue import Identifier, Page, labels
from webtongue.crawl.config import CCTLD, FUSED, RANDOM, SVM, Config
from webtongue.errors import UsageError
from webtongue.link_scorer import LinkScorer
from webtongue.url.tld import by_main_language

__all__ = ["NEUTRAL_SCORE", "LinkScore", "Policy", "Scorer", "Scorers", "build_policy", "build_scorer"]

# A published method: takes URLs and languages, and returns a decision value by language for each URL, above 0 for yes.
Scorer = Callable[[Sequence[str], Sequence[str]], Sequence[Mapping[str, float]]]
Scorers = Mapping[str, Callable[[], Scorer]]  # factories by name: a journal names a method, and never a place in code
NEUTRAL_SCORE = 0.5  # the score of all links under a policy that makes no difference between them
MAX_DECISION_VALUE = 50.0  # keeps math.exp within range


@dataclass(frozen=True, slots=True)
class LinkScore:
    """The probability that a link leads to a wanted page, and the most likely of the wanted languages."""

    score: float
    language: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy. ``score`` takes unfetched pages, anchor texts of links to them, and the languages still wanted."""

    name: str
    score: Callable[[Sequence[Page], Sequence[str], Sequence[str]], list[LinkScore]]
    is_random: bool = False  # whether links with enough score are chosen at random instead of best first
    is_adaptive: bool = False  # whether new links and pages change the scores of queued URLs


def build_policy(config: Config, identifier: Identifier, scorer: Scorer | None = None) -> Policy:
    """Return the policy that the settings name."""
    if config.policy == RANDOM:
        return Policy(RANDOM, _score_neutral, is_random=True)
    if config.policy == CCTLD:
        return Policy(CCTLD, _score_by_tld, is_random=True)
    if config.policy == SVM:
        if scorer is None:
            raise UsageError("the policy svm needs a method: give its name in WEBTONGUE_SCORER")
        return Policy(SVM, lambda pages, _, wanted: _score_by_method(pages, wanted, scorer))
    links = identifier.link_scorer(config.languages)
    if config.policy == FUSED:
        return Policy(FUSED, lambda pages, anchors, wanted: _score(links, pages, anchors, wanted), is_adaptive=True)
    return Policy(
        config.policy,
        lambda pages, _, wanted: _score(links, [replace(page, inlinks=(), host=None) for page in pages], None, wanted),
    )


def build_scorer(name: str, scorers: Scorers) -> Scorer | None:
    """Return the method of a name, ready to score; None for no name."""
    if not name:
        return None
    if name not in scorers:
        available = f"the methods are {', '.join(sorted(scorers))}" if scorers else "there are none"
        raise UsageError(f"no scoring method is called {name!r}: {available}")
    return scorers[name]()


def _score(
    scorer: LinkScorer, pages: Sequence[Page], anchors: Sequence[str] | None, wanted: Sequence[str]
) -> list[LinkScore]:
    return [_combine(probabilities, wanted) for probabilities in scorer.score(pages, anchors)]


def _combine(probabilities: Mapping[str, float], wanted: Sequence[str]) -> LinkScore:
    """Return the sum over the wanted languages, which exclude each other, and the most likely of them."""
    if not wanted:
        return LinkScore(0.0, "")
    total = sum([probabilities[name] for name in wanted])
    return LinkScore(min(1.0, total), max(wanted, key=lambda name: probabilities[name]))


def _score_neutral(pages: Sequence[Page], _: Sequence[str], wanted: Sequence[str]) -> list[LinkScore]:
    return [LinkScore(NEUTRAL_SCORE, wanted[0] if wanted else "")] * len(pages)


def _score_by_tld(pages: Sequence[Page], _: Sequence[str], wanted: Sequence[str]) -> list[LinkScore]:
    """Return 1 for top-level domains of countries whose main language is wanted and 0 for others."""
    names = {_parse_language(name): name for name in wanted}
    matches = [names.get(by_main_language(page.url or ""), "") for page in pages]
    return [LinkScore(1.0, name) if name else LinkScore(0.0, wanted[0] if wanted else "") for name in matches]


def _parse_language(name: str) -> str:
    """Return the ISO 639-3 code of a tag or label, or "" if it is not one."""
    label = labels.parse(name)
    return labels.fold(label).language if label is not None else ""


def _score_by_method(pages: Sequence[Page], wanted: Sequence[str], scorer: Scorer) -> list[LinkScore]:
    """Return decision values squeezed into 0 to 1: only their order matters, and that 0.5 is the border."""
    rows = scorer([page.url or "" for page in pages], wanted)
    return [_combine({name: _sigmoid(value) for name, value in row.items()}, wanted) for row in rows]


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-max(-MAX_DECISION_VALUE, min(MAX_DECISION_VALUE, value))))
