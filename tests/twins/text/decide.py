"""Turn a reading into an answer: the readable twin of native/text/decide.cpp."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from webtongue.policy import LOG_SCALE, TextPolicy


@dataclass(frozen=True)
class Facts:
    """The input of the decision; labels are numbers, logs are in 1/1024 nats."""

    guesses: list[tuple[int, int]]
    shares: list[tuple[int, int]]
    letters: int
    features: int
    preferred: int
    junk_score: int
    placeholder_score: int
    misread: bool
    poor_fit: bool
    unknown_score: int
    log_known: int
    outside_allowlist: int
    words: int
    word_letters: int
    letter_weight: float  # letters of an alphabet that one letter of the text is worth
    boilerplate: bool
    hints: Mapping[int, int] = field(default_factory=dict)
    filed_by_hints: bool = False
    text_guesses: Mapping[int, int] = field(default_factory=dict)  # guesses before hints were applied


@dataclass(frozen=True)
class Setting:
    """Log priors relative to the highest, groups (-1 for none), clusters and tiers of the labels, and the thresholds."""

    priors: list[int]
    clusters: list[int]
    groups: list[int]
    tiers: list[int]
    at: TextPolicy

    def are_look_alikes(self, one: int, other: int) -> bool:
        return one == other or (self.groups[one] >= 0 and self.groups[one] == self.groups[other])


@dataclass(frozen=True)
class Answer:
    label: int
    reason: str
    confidence: float
    reliable: bool = False
    tier: int = 0
    group_confidence: float = 0.0
    languages: tuple[tuple[int, float], ...] = ()


def to_probability(log: int) -> float:
    return math.floor(math.exp(log / LOG_SCALE) * 1e6) / 1e6


def round_to_micros(value: float) -> float:
    """Return the value rounded half up to six decimals."""
    return math.floor(value * 1e6 + 0.5) / 1e6


def decide(facts: Facts, setting: Setting) -> Answer:
    at = setting.at
    if facts.junk_score > 0:
        return Answer(-1, "not_language", round(1 / (1 + math.exp(-facts.junk_score / 100)), 6))
    if facts.placeholder_score > 0:
        return Answer(-1, "placeholder_text", round(1 / (1 + math.exp(-facts.placeholder_score / 100)), 6))
    if facts.misread:
        return Answer(-1, "misread", 0.0)
    if not facts.letters:
        return Answer(-1, "no_letters", 0.0)
    if facts.letters < at.min_letters:
        return Answer(-1, "too_short", 0.0)
    if facts.outside_allowlist >= 0:
        return Answer(-1, "not_asked", 0.0)
    if not facts.guesses:
        return Answer(-1, "unknown_script", 0.0)
    best, log = facts.guesses[0]
    log_by_text = next(iter(facts.text_guesses.values()), log)
    if log_by_text < round(math.log(at.min_probability) * LOG_SCALE):
        return Answer(-1, "unknown_language", 0.0)
    informative_letters = min(facts.letters, facts.features // 2)
    rarity = setting.priors[best] + facts.hints.get(best, 0)
    too_little = rarity < round(at.rare_log_prior * LOG_SCALE) and informative_letters < at.rare_letters
    needed = 1 - math.exp(min(0, rarity) / (at.rare_scale_nats * LOG_SCALE))
    if too_little or rare_probability(facts, setting) < needed:
        return Answer(-1, "too_rare", 0.0)
    languages = sum_languages(facts.shares, setting)
    if reason := mixed_page_reason(languages, facts.preferred, at):
        shown = tuple(pair for pair in languages if pair[1] >= at.min_share)
        return Answer(-1, reason, to_probability(facts.log_known), languages=shown)
    if facts.unknown_score > 0 or (facts.poor_fit and not facts.shares):
        return Answer(-1, "unknown_language", 0.0)
    very_sure = log >= round(math.log(at.very_sure_probability) * LOG_SCALE)
    enough_letters = at.reliable_letters_very_sure if very_sure else at.reliable_letters
    enough_words = facts.words >= at.reliable_words or (
        facts.words >= at.reliable_long_words and facts.word_letters >= at.long_words_letters
    )
    enough = int(informative_letters * facts.letter_weight) >= enough_letters and enough_words and not facts.boilerplate
    foreign_text = bool(facts.text_guesses) and not any(
        other >= -6 * LOG_SCALE and setting.are_look_alikes(label, best) for label, other in facts.text_guesses.items()
    )
    overridden = bool(facts.text_guesses) and facts.text_guesses.get(best, -(10**6)) < -1420  # ln(1/4)
    reliable = (
        enough
        and not overridden
        and not facts.filed_by_hints
        and log >= round(math.log(at.reliable_probability) * LOG_SCALE)
    )
    are_look_alikes = sum(
        to_probability(other) for label, other in facts.guesses if setting.are_look_alikes(label, best)
    )
    if foreign_text:  # the shares describe the text, which is not in the language of the page
        shown = tuple(pair for pair in languages or [(next(iter(facts.text_guesses)), 1.0)] if pair[1] >= at.min_share)
    else:
        shown = name_languages(languages, best, setting)
    return Answer(
        best, "", to_probability(log), reliable, setting.tiers[best], min(1.0, round(are_look_alikes, 6)), shown
    )


def rare_probability(facts: Facts, setting: Setting) -> float:
    """Return the probability of the best label and of the rare labels in its cluster."""
    best = facts.guesses[0][0]
    bound = round(setting.at.rare_neighbour_log_prior * LOG_SCALE)
    return sum(
        to_probability(log)
        for label, log in facts.guesses
        if label == best or (setting.clusters[label] == setting.clusters[best] and setting.priors[label] < bound)
    )


def sum_languages(shares: list[tuple[int, int]], setting: Setting) -> list[tuple[int, float]]:
    """Return the languages by their share of the running text, look-alikes as one under the label of the largest."""
    merged: list[tuple[int, int]] = []
    for label, size in shares:
        for i, (other, languages) in enumerate(merged):
            if setting.are_look_alikes(label, other):
                merged[i] = (other, languages + size)
                break
        else:
            merged.append((label, size))
    total_letters = sum(size for _, size in shares)
    return sorted(((label, round_to_micros(size / total_letters)) for label, size in merged), key=lambda pair: -pair[1])


def mixed_page_reason(languages: list[tuple[int, float]], preferred: int, at: TextPolicy) -> str:
    if len(languages) < 2 or languages[1][1] < at.min_share:
        return ""
    if languages[0][1] < at.main_share:
        return "several_languages"
    return "two_languages" if languages[0][1] - languages[1][1] <= at.level_share and preferred < 0 else ""


def name_languages(languages: list[tuple[int, float]], label: int, setting: Setting) -> tuple[tuple[int, float], ...]:
    """Return the languages of a page, the main one under the label of the answer."""
    if not languages:
        return ((label, 1.0),)
    main = next((i for i, (other, _) in enumerate(languages) if setting.are_look_alikes(other, label)), 0)
    renamed = [(label if i == main else other, share) for i, (other, share) in enumerate(languages)]
    return tuple(pair for pair in renamed if pair[1] >= setting.at.min_share)
