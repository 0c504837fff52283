"""URL-only answers: the language of a page by its URL and other evidence that is available before it is fetched.

The URL is used instead of the text. The evidence combiner (evidence/combine.py) adds links, country and host, as for pages with
text. Labels that the URL is no evidence for are candidates if another source supports them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from webtongue import url
from webtongue.evidence.anchor import anchor_nats
from webtongue.evidence.combine import EvidenceConfig, collect_hints, hint_rows, source_bits, weighed_hints
from webtongue.evidence.country import locate
from webtongue.evidence.hint import Hint
from webtongue.evidence.url import MAX_HOST_NATS, MIN_TRUSTED_PROBABILITY
from webtongue.explain import unused_location
from webtongue.markup.declarations import UNDECLARED
from webtongue.page import Page
from webtongue.policy import EVIDENCE, LOG_SCALE, URL
from webtongue.records import dataclass, replace
from webtongue.text import model as text_model
from webtongue.url import model as url_model
from webtongue.url.explain import part_evidence, printable
from webtongue.url.model import NOT_ALLOWED, REASONS, UNKNOWN_TIER, UrlReader
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["UrlConfig", "identify_url_with_evidence", "url_config", "url_nats"]

OPEN_REASONS = (
    Reason.NONE,
    Reason.SAYS_NOTHING,
    Reason.IPV6_HOST,
)  # with these, other sources may still give an answer
UNSUPPORTED = "other evidence decides: the URL alone has another answer, or none"  # such an answer is not reliable
TOO_LITTLE = Reason.SAYS_NOTHING, "the URL and all other evidence say too little"


@dataclass(frozen=True, slots=True)
class UrlConfig:
    """The settings of URL-only answers: the URL model, and the priors of the text model, which has more languages."""

    reader: UrlReader
    unlimited: UrlReader  # the same reader, without an allowlist that has no label of the URL model
    evidence: EvidenceConfig  # without the source `url`, which is always used
    label_of: Mapping[str, str]  # the URL model's label of each of its languages
    log_priors: NDArray[np.float64]  # used beside other sources; by the text model's label numbers
    url_only_priors: NDArray[np.float64]  # used if the URL is the only evidence; by the same numbers
    tiers: Mapping[str, int]
    allowed: frozenset[str] | None  # labels that may be answered; None for all


def url_config(reader: UrlReader, evidence: EvidenceConfig, priors: str | Mapping[str, float]) -> UrlConfig:
    """Return the settings of URL-only answers.

    Beside other sources the prior of a label is at least that of the text model: lists of URLs have few URLs in small languages.
    """
    import numpy as np

    text = evidence.text.model
    unlimited = (
        reader if reader.allowed is None or any(reader.allowed) else url_model.reader(reader.model, priors, None)
    )
    allowed = None
    if reader.allowed is not None and evidence.text.allowed is not None:
        masks = (reader.labels, reader.allowed), (text.labels, evidence.text.allowed)
        allowed = frozenset(
            label for labels, mask in masks for label, is_allowed in zip(labels, mask, strict=True) if is_allowed
        )
    text_priors = text_model.reader(text, priors, None).log_priors
    log_priors = np.array(
        [
            log / LOG_SCALE - (URL.outside_nats if allowed is not None and label not in allowed else 0.0)
            for label, log in zip(text.labels, text_priors, strict=True)
        ]
    )
    log_priors -= _log_sum(log_priors)
    url_priors = np.array([unlimited.log_prior(number) / LOG_SCALE for number in range(len(unlimited.labels))])
    url_priors -= _log_sum(url_priors[: reader.model.kernel.model_labels])
    url_only_priors = log_priors.copy()
    for label, prior in zip(unlimited.labels, url_priors, strict=True):
        if label in text.numbers:
            url_only_priors[text.numbers[label]] = prior
    log_priors = np.maximum(log_priors, url_only_priors)
    other_sources = tuple(source for source in evidence.sources if source.name != "url")
    return UrlConfig(
        reader, unlimited, replace(evidence, sources=other_sources),
        {label[:3]: label for label in unlimited.labels[: reader.model.kernel.model_labels]}, log_priors, url_only_priors,
        dict(zip(reader.labels, reader.tiers, strict=True)) | dict(zip(text.labels, text.tiers, strict=True)), allowed,
    )  # fmt: skip


def identify_url_with_evidence(page: Page, anchor: str, anchor_guesses: Sequence[Guess], config: UrlConfig) -> Verdict:
    """Return the verdict on a page by its URL, other sources, and the anchor text of a link to it."""
    url_only = url.identify_url(page.url or "", config.reader)
    hints = collect_hints(page, UNDECLARED, "", config.evidence)
    located = locate(page, config.evidence)
    unused = unused_location(page, located)
    if url_only.reason not in OPEN_REASONS or not (hints or anchor_guesses):
        details = url_only.explanation
        evidence = (*details.evidence, *unused)
        return replace(url_only, details=replace(details, evidence=evidence, country=located.country))
    combined = _combine(page.url or "", hints, (anchor, anchor_guesses), config)
    reason, why = _reason(combined.guesses[0], config)
    guesses = tuple(guess for guess in combined.guesses if config.allowed is None or guess.label in config.allowed)[
        : url.MAX_GUESSES
    ]
    first, *others = combined.evidence(guesses, hints, config)
    evidence = (first, *part_evidence(page.url, config.unlimited), *others, *unused)
    has_support = not reason and url_only.label == guesses[0].label
    if not reason:
        why = url.why_unreliable(guesses[0].probability) if has_support else UNSUPPORTED
    details = Explanation(
        why, () if reason else url.single_language(guesses), guesses, (), evidence, country=located.country
    )
    if reason:
        return Verdict("und", 0.0, reason=reason, details=details)
    verdict = url.make_verdict(*guesses[0], config.tiers.get(guesses[0].label, UNKNOWN_TIER), details)
    return verdict if has_support else replace(verdict, reliable=False)


def _reason(best: Guess, config: UrlConfig) -> tuple[Reason, str]:
    """Return why there is no answer, as a code and in words; both are empty if there is one."""
    if best.probability < URL.min_probability:
        return TOO_LITTLE
    return REASONS[NOT_ALLOWED if config.allowed is not None and best.label not in config.allowed else 0]


@dataclass(frozen=True, slots=True)
class _Combined:
    """The posterior of a page without text, and what URL, prior and anchor text contribute to it."""

    url: str
    anchor: str
    guesses: tuple[Guess, ...]
    supported: str  # the label that the URL supports most
    url_nats: Mapping[str, float]
    prior: Mapping[str, float]
    anchor_nats: Mapping[str, float]
    anchor_label: str

    def evidence(self, guesses: Sequence[Guess], hints: Sequence[Hint], config: UrlConfig) -> list[Evidence]:
        """Return the bits of each source for the likeliest label against the next; they sum to the log odds."""
        best, runner_up = (guesses[0].label if guesses else ""), (guesses[1].label if len(guesses) > 1 else "")
        numbers = config.evidence.text.model.numbers
        by_source = source_bits(
            weighed_hints(hints, config.evidence), numbers.get(best, -1), numbers.get(runner_up, -1), config.evidence
        )
        rows = [Evidence(hint.source, hint.value, hint.label, round(by_source[hint.source], 3)) for hint in hints]
        if self.anchor_nats:
            weight = _difference(self.anchor_nats, best, runner_up)
            rows.append(Evidence("anchor", printable(self.anchor), self.anchor_label, round(weight, 3)))
        prior = _difference(self.prior, best, runner_up) if runner_up else 0.0
        url_bits = _difference(self.url_nats, best, runner_up)
        if not runner_up and guesses:  # against all other labels
            url_bits = url.log_odds_bits(guesses[0].probability) - sum(row.weight for row in rows)
        first = Evidence("url", printable(self.url), self.supported, round(url_bits, 3))
        return [first, *([url.prior_evidence(best, runner_up, prior)] if prior else []), *rows]


def _difference(nats: Mapping[str, float], best: str, runner_up: str) -> float:
    return (nats.get(best, 0.0) - nats.get(runner_up, 0.0)) / math.log(2)


def _combine(page_url: str, hints: Sequence[Hint], anchor: tuple[str, Sequence[Guess]], config: UrlConfig) -> _Combined:
    """Return the posterior over the labels that the URL model has or that some source supports."""
    import numpy as np

    nats = url_nats(page_url, config, is_url_only=False)
    anchor_text, guesses = anchor
    is_anchor_only = bool(guesses) and not nats  # then no prior is added: guesses by anchor text include it
    by_anchor = _anchor_nats(guesses, 1.0 if is_anchor_only else EVIDENCE.anchor_weight, config)
    candidates = _candidates(nats, hints, by_anchor, config)
    by_url = {label: nats.get(label, nats.get(label[:3], 0.0)) for label in candidates}
    priors = np.zeros(len(config.log_priors)) if is_anchor_only else _log_priors(candidates, config)
    numbers = config.evidence.text.model.numbers
    labels = [label for label in candidates if label in numbers]
    ids = [numbers[label] for label in labels]
    base = {label: by_url[label] + by_anchor.get(label, 0.0) for label in labels}
    logs = config.evidence.kernel.posterior(hint_rows(hints, config.evidence), base, priors, ids)
    ranked = sorted(zip(labels, logs, strict=True), key=lambda pair: (-pair[1], pair[0]))
    prior = {label: float(priors[number]) for label, number in zip(labels, ids, strict=True)}
    best = max(labels, key=lambda label: prior[label] + by_url[label])
    return _Combined(
        page_url, anchor_text, tuple(Guess(label, round(math.exp(log), 6)) for label, log in ranked),
        best if nats else "", by_url, prior, by_anchor, guesses[0].label if guesses else "",
    )  # fmt: skip


def _anchor_nats(guesses: Sequence[Guess], weight: float, config: UrlConfig) -> dict[str, float]:
    """Return the nats of anchor text, for the URL model's label of a language or else the text model's own."""
    probabilities: dict[str, float] = {}
    for guess in guesses:
        label = config.label_of.get(guess.label[:3], guess.label)
        probabilities[label] = probabilities.get(label, 0.0) + guess.probability
    return {label: anchor_nats(probability, weight) for label, probability in probabilities.items()}


def _candidates(
    url: Mapping[str, float], hints: Sequence[Hint], anchor: Mapping[str, float], config: UrlConfig
) -> list[str]:
    """Return the URL model's labels, and others that a source supports more than these."""
    numbers_by_key, labels, label_of = config.evidence.labels_by_key, config.evidence.text.model.labels, config.label_of
    candidates = dict.fromkeys(label_of.values())
    known = config.unlimited.label_by_language
    for key, nats in url.items():
        if nats > 0 and key not in label_of:
            candidates[known.get(key, key)] = None
    for source_nats in (*(other.nats for other in hints), anchor):
        by_label = {labels[number]: nats for key, nats in source_nats.items() for number in numbers_by_key.get(key, ())}
        # Another script of one of the URL model's languages is a candidate if it is likelier than the script of the model.
        for label, nats in by_label.items():
            if nats - max(0.0, by_label.get(label_of.get(label[:3], ""), 0.0)) > 0:
                candidates[label] = None
    return list(candidates)


def _log_priors(labels: Sequence[str], config: UrlConfig) -> NDArray[np.float64]:
    """Return log priors for candidate labels: the scripts of one of the URL model's languages share its prior."""
    log_priors = config.log_priors.copy()
    numbers = config.evidence.text.model.numbers
    by_language: dict[str, list[int]] = {}
    for label in labels:
        if label[:3] in config.label_of and label in numbers:
            by_language.setdefault(label[:3], []).append(numbers[label])
    for language, ids in by_language.items():
        own = config.log_priors[numbers[config.label_of[language]]]
        log_priors[ids] += own - _log_sum(log_priors[ids])
    return log_priors


def url_nats(page_url: str, config: UrlConfig, *, is_url_only: bool) -> dict[str, float]:
    """Return the nats of a URL by language, without a prior: 0 for a language without evidence; empty if no language has any.

    If there are other sources, the shape of a URL is no evidence, as in a page with text.
    """
    kernel = config.reader.model.kernel
    return (
        kernel.nats(page_url)[1]
        if is_url_only
        else kernel.hint(page_url, MIN_TRUSTED_PROBABILITY, MAX_HOST_NATS, 1.0, 0.0)[1]
    )


def _log_sum(logs: NDArray[np.float64]) -> float:
    import numpy as np

    return float(np.logaddexp.reduce(logs))
