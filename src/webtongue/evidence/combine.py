"""The evidence combiner: one posterior from the text, the prior and the hints of all sources.

Every source gives log-likelihoods over languages without a prior (:class:`Hint`). The kernel adds them up, each with its weight and
its limit (native/evidence/combine), scales the sum by the amount and the clarity of the text, and adds it to the text's
log-probabilities, which include the prior (native/text/apply_hints). The decision is then that of text without hints
(native/text/decide). URL-only answers, link scores and the second pass use the same sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict

from webtongue import _kernel
from webtongue.evidence import registry
from webtongue.evidence.geo import Geo
from webtongue.evidence.hint import EvidenceContext, Hint, Source
from webtongue.evidence.host import blend_counts
from webtongue.evidence.url import UrlEvidence
from webtongue.evidence.weights import Weights, load
from webtongue.markup.declarations import Declared
from webtongue.page import Page
from webtongue.policy import EVIDENCE, LOG_SCALE, TEXT
from webtongue.records import dataclass, field
from webtongue.text import TextReader

__all__ = [
    "BITS_PER_NAT",
    "EvidenceConfig",
    "WeighedHints",
    "apply_hints",
    "bits",
    "collect_hints",
    "evidence_config",
    "hint_rows",
    "host_counts",
    "main_language",
    "source_bits",
    "sum_hints",
    "weigh_hints",
    "weighed_hints",
]

BITS_PER_NAT = 1 / math.log(2)
MIN_REST = 1e-6  # minimum probability of all labels other than the best
MAX_LOG_ODDS = -math.log(MIN_REST) - 0.1  # higher log-odds were limited by MIN_REST
MAX_TEXT_GUESSES = 8  # guesses of the text that are searched for the runner-up

WeighedHints = Mapping[str, _kernel.SourceHint]  # by source, in the order of the registry
Reread = Callable[[int, list[int]], _kernel.Reading]


@dataclass(frozen=True, slots=True)
class EvidenceConfig:
    """The settings of an Identifier for collecting and combining hints."""

    text: TextReader
    labels_by_key: dict[str, tuple[int, ...]]  # numbers of the model's labels, by label and by language
    weights: Weights
    sources: tuple[Source, ...]
    url_evidence: Callable[[], UrlEvidence]  # loaded when first needed
    geo: Callable[[], Geo]
    kernel: _kernel.Combiner
    limits: Mapping[str, tuple[float, float, bool]] = field(repr=False)  # weight, limit and scope of each source
    cache: dict[Hashable, _kernel.SourceHint | None] = field(default_factory=dict, repr=False, compare=False)
    # Declarations and hints of pages without other hints, by packed declarations, byte order mark and encoding.
    declarations_cache: dict[tuple[bytes, str, str], tuple[Declared, WeighedHints]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def source_names(self) -> frozenset[str]:
        """The names of the sources in use."""
        return frozenset(source.name for source in self.sources)


def evidence_config(
    text: TextReader,
    sources: tuple[Source, ...],
    url_evidence: Callable[[], UrlEvidence],
    geo: Callable[[], Geo],
    weights: Weights | None = None,
) -> EvidenceConfig:
    """Return the combiner's settings for a text model and some sources."""
    weights = load() if weights is None else weights
    keys: dict[str, tuple[int, ...]] = {}
    for number, label in enumerate(text.model.labels):
        keys[label] = (number,)
        keys[label[:3]] = (*keys.get(label[:3], ()), number)
    limits = {
        source.name: (
            weights.weights.get(source.name, source.weight),
            weights.max_site_nats if source.is_site else weights.max_nats.get(source.name, source.max_nats),
            source.is_site,
        )
        for source in registry.SOURCES
    }
    scaling = _kernel.HintScaling(**asdict(weights.scaling))
    kernel = _kernel.Combiner(keys, len(text.model.labels), weights.max_site_nats, scaling)
    return EvidenceConfig(text, keys, weights, sources, url_evidence, geo, kernel, limits)


def collect_hints(page: Page, declared: Declared, encoding: str, config: EvidenceConfig) -> list[Hint]:
    """Return the hints of all sources in use that have information about a page."""
    context = EvidenceContext(page, declared, encoding, config)
    hints = [source.collect(context) for source in config.sources]
    return [hint for hint in hints if hint is not None and hint.nats]


def weigh_hints(page: Page, declared: Declared, encoding: str, config: EvidenceConfig) -> WeighedHints:
    """Return the same hints in the form of the combiner, without the words and labels that only explanations need."""
    context = EvidenceContext(page, declared, encoding, config)
    weighed = {}
    for source in config.sources:
        hint = source.weigh(context, config.limits[source.name])
        if hint is not None:
            weighed[source.name] = hint
    return weighed


def hint_rows(hints: Sequence[Hint], config: EvidenceConfig) -> list[_kernel.SourceHint]:
    """Return hints in the form that the kernel takes, each with its weight, limit and scope."""
    return list(weighed_hints(hints, config).values())


def weighed_hints(hints: Sequence[Hint], config: EvidenceConfig) -> WeighedHints:
    """Return hints in the form of the combiner by their sources."""
    return {hint.source: config.kernel.hint(_dict(hint.nats), *config.limits[hint.source]) for hint in hints}


def sum_hints(hints: Sequence[Hint], config: EvidenceConfig) -> dict[int, float]:
    """Return the sum of all hints, in nats and as they count without text, for each label of the model that they mention."""
    return config.kernel.sum(hint_rows(hints, config))


def _dict(nats: Mapping[str, float]) -> dict[str, float]:
    return nats if type(nats) is dict else dict(nats)


def host_counts(
    host: Mapping[str, float], domain: Mapping[str, float], tld: Mapping[str, float], config: EvidenceConfig
) -> dict[str, float]:
    """Return pages by language of a host, blended with its domain and top-level domain, as ``Page.host`` takes them."""
    return blend_counts(host, domain, tld, config.weights.host)


def apply_hints(
    reading: _kernel.Reading,
    hints: WeighedHints,
    flow: _kernel.Flow,
    config: EvidenceConfig,
    reread: Reread | None,
) -> _kernel.Reading:
    """Return a reading with hints applied.

    ``reread`` reads the page once more, for another main language or for labels that only hints support. Without it, as in the
    second pass of a long page, labels that the text did not consider stay unconsidered.
    """
    if reading.settled:
        return reading
    rows = list(hints.values())
    main = -1
    if reread is not None and len(reading.shares) > 1:
        main = main_language(reading, config.kernel.sum(rows), config)
    unread = flow.apply_hints(reading, config.kernel, rows)
    if reread is not None and (main >= 0 or unread):
        reading = reread(main, unread)
        flow.apply_hints(reading, config.kernel, rows)
    return reading


def main_language(reading: _kernel.Reading, sums: Mapping[int, float], config: EvidenceConfig) -> int:
    """Return the main language of a page in several languages, by shares and hints; -1 if hints do not change it.

    Example: a page with a translated menu around English text is in the language of the menu if its URL or declaration names that.
    """
    return main_of_shares(reading.shares, reading.preferred, sums, config)


def main_of_shares(
    shares: Sequence[tuple[int, int]], preferred: int, sums: Mapping[int, float], config: EvidenceConfig
) -> int:
    """Return the main language by letters of each label, the label that title and headings prefer (-1: none), and hints."""
    groups, labels = config.text.model.groups, config.text.model.labels
    merged: dict[str, list[float]] = {}  # by group or label: letters, nats
    first: dict[str, int] = {}
    for label, letters in shares:
        key = groups[label] or labels[label]
        entry = merged.setdefault(key, [0.0, -math.inf])
        first.setdefault(key, label)
        entry[0] += letters
        entry[1] = max(entry[1], sums.get(label, 0.0))
    if preferred >= 0 and (key := groups[preferred] or labels[preferred]) in merged:
        merged[key][1] += EVIDENCE.heading_nats
    total = sum(letters for letters, _ in merged.values())
    lowest = min(nats for _, nats in merged.values())
    scores = {
        key: EVIDENCE.share_weight * math.log(letters / total) + min(nats - lowest, EVIDENCE.max_main_nats)
        for key, (letters, nats) in merged.items()
        if letters / total >= TEXT.min_share
    }
    if len(scores) < 2:
        return -1
    largest, second = sorted(merged, key=lambda key: -merged[key][0])[:2]
    best = max(scores, key=lambda key: scores[key])
    is_level = preferred < 0 and merged[largest][0] - merged[second][0] <= TEXT.level_share * total
    lead = merged[best][1] - max(nats for key, (_, nats) in merged.items() if key != best)
    if is_level and lead < EVIDENCE.level_lead_nats:
        return -1
    return first[best] if best != largest or is_level else -1


def source_bits(
    hints: WeighedHints, best: int, runner_up: int, config: EvidenceConfig, scales: tuple[float, float] = (1.0, 1.0)
) -> dict[str, float]:
    """Return the bits of each hint for label ``best`` against ``runner_up``, -1 for all others; ``scales`` are those of the two."""
    parts = config.kernel.parts(list(hints.values()), [best, runner_up])
    return {
        source: (first * scales[0] - second * scales[1]) * BITS_PER_NAT
        for source, (first, second) in zip(hints, parts, strict=True)
    }


def bits(reading: _kernel.Reading, hints: WeighedHints, config: EvidenceConfig | TextReader) -> dict[str, float]:
    """Return the bits of prior, text and each hint for the likeliest label against the next; they sum to the log odds.

    If the sum exceeds the log-odds that MIN_REST allows, the bits of the sources that support the label are scaled down.
    """
    ranked = reading.guesses(2)
    if not ranked:
        return {}
    best = ranked[0][0]
    runner_up = ranked[1][0] if len(ranked) > 1 else -1
    parts: dict[str, float] = {}
    if isinstance(config, EvidenceConfig) and reading.has_hints:
        kernel = config.text.kernel
        scales = kernel.hint_scale(reading, best), kernel.hint_scale(reading, runner_up) if runner_up >= 0 else 1.0
        parts = source_bits(hints, best, runner_up, config, scales)
    text = config.text if isinstance(config, EvidenceConfig) else config
    prior_nats = text.prior_nats(best, reading) - text.prior_nats(runner_up, reading) if runner_up >= 0 else 0.0
    parts["prior"] = prior_nats * BITS_PER_NAT
    log = ranked[0][1] / LOG_SCALE
    odds = log - ranked[1][1] / LOG_SCALE if runner_up >= 0 else log - math.log(max(-math.expm1(log), MIN_REST))
    parts["text"] = odds * BITS_PER_NAT - sum(parts.values())
    text_bits = _text_log_odds(reading, best, runner_up) * BITS_PER_NAT - parts["prior"]
    if odds >= MAX_LOG_ODDS and text_bits > parts["text"]:
        return _rescale(parts | {"text": text_bits}, odds * BITS_PER_NAT)
    return parts


def _text_log_odds(reading: _kernel.Reading, best: int, runner_up: int) -> float:
    """Return the log odds of a label against another, or against all others, by text and prior alone."""
    logs = {label: log / LOG_SCALE for label, log in reading.text_guesses(MAX_TEXT_GUESSES)}
    if best not in logs:
        return -math.inf
    return logs[best] - logs.get(runner_up, math.log(max(-math.expm1(min(logs[best], 0.0)), MIN_REST)))


def _rescale(parts: dict[str, float], total: float) -> dict[str, float]:
    """Return bits that sum to ``total``, with the positive ones scaled by one factor."""
    positive = sum(value for value in parts.values() if value > 0)
    negative = sum(value for value in parts.values() if value <= 0)
    return {source: value * (total - negative) / positive if value > 0 else value for source, value in parts.items()}
