"""Measures of the quality of a text, as filters of text corpora use them. They are columns first; thresholds are the caller's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from webtongue.content.blocks import ContentBlock
from webtongue.files import DATA

__all__ = ["NO_LIMITS", "WORD", "Quality", "QualityLimits", "measure_quality", "measure_text"]

STOP_WORDS = DATA / "stop_words.tsv"
# A word is letters with combining marks and apostrophes between them: Indic vowel signs are marks, not letters for Python.
WORD = re.compile(
    r"[^\W_](?:[^\W_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0d7f\u0e31-\u0e4e\u200c\u200d'’])*"
)
SYMBOL = re.compile(
    r"[^\w\s.,;:!?'\"()«»„“”‘’…–—\u0300-\u036f\u0591-\u05c7\u0600-\u06ff\u0900-\u0d7f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u200b-\u200f\u3000-\u303f\uff00-\uff65-]|#"
)
ITEM_START = re.compile(r"\s*(?:[-*•‣·–]|\d{1,3}[.)])\s")


@dataclass(frozen=True, slots=True)
class Quality:
    """Shares are from 0 to 1. ``stop_word_share`` is None for languages without a list of common words."""

    characters: int
    words: int
    symbol_share: float  # characters that are neither letters, digits, space nor punctuation of sentences
    stop_word_share: float | None  # words that are among the commonest of the language
    repeated_line_share: float  # characters in lines that repeat an earlier one
    list_share: float  # characters in items of lists


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """Limits of a corpus for the measures of a text; the defaults exclude nothing."""

    min_characters: int = 1
    max_symbols: float = 1.0
    min_stop_words: float = 0.0
    max_repeated_lines: float = 1.0
    max_lists: float = 1.0

    def accept(self, quality: Quality) -> bool:
        """Return True if a text is within the limits; a language without a list of common words has no limit for them."""
        return (
            quality.characters >= self.min_characters
            and quality.symbol_share <= self.max_symbols
            and (quality.stop_word_share is None or quality.stop_word_share >= self.min_stop_words)
            and quality.repeated_line_share <= self.max_repeated_lines
            and quality.list_share <= self.max_lists
        )


NO_LIMITS = QualityLimits()


def measure_quality(blocks: Sequence[ContentBlock], label: str) -> Quality:
    """Return the measures of a text in a language, by its blocks."""
    return _measure([block.text for block in blocks], [block.kind == "item" for block in blocks], label)


def measure_text(text: str, label: str) -> Quality:
    """Return the measures of a plain text, whose lines are its blocks; items are recognised by a dash, dot or number.

    >>> quality = measure_text("The cat is on the roof.\\n- two\\n- two", "eng_Latn")
    >>> round(quality.stop_word_share, 2), round(quality.repeated_line_share, 2), round(quality.list_share, 2)
    (0.5, 0.15, 0.3)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    return _measure(lines, [ITEM_START.match(line) is not None for line in lines], label)


def _measure(lines: Sequence[str], are_items: Sequence[bool], label: str) -> Quality:
    text = "\n".join(lines)
    characters = sum(map(len, lines))
    words = WORD.findall(text.lower())
    stop_words = _stop_words().get(label)
    seen: set[str] = set()
    repeated = 0
    for line in lines:
        repeated += len(line) * (line in seen)
        seen.add(line)
    size = max(characters, 1)
    return Quality(
        characters,
        len(words),
        round(len(SYMBOL.findall(text)) / size, 4),
        None if stop_words is None else round(sum(word in stop_words for word in words) / max(len(words), 1), 4),
        round(repeated / size, 4),
        round(sum(len(line) for line, is_item in zip(lines, are_items, strict=True) if is_item) / size, 4),
    )


@cache
def _stop_words() -> dict[str, frozenset[str]]:
    rows = (line.split("\t") for line in STOP_WORDS.read_text("utf-8").splitlines())
    return {label: frozenset(words.split(" ")) for label, words in rows}
