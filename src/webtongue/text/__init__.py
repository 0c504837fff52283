"""The text stage: the language of the text itself, by the language model."""

from __future__ import annotations

from webtongue.text.model import TextModel, TextReader, load, reader
from webtongue.text.reasons import REASONS, UNANSWERED, describe_low_probability, why, why_unreliable

__all__ = [
    "REASONS",
    "UNANSWERED",
    "TextModel",
    "TextReader",
    "describe_low_probability",
    "load",
    "reader",
    "why",
    "why_unreliable",
]
