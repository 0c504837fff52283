"""Results of encoding detection and decoding."""

from __future__ import annotations

from webtongue.records import dataclass, shorten

__all__ = ["ASCII", "DECODED_BY_CALLER", "NOT_DECODED", "VALID_UTF8", "Decoded", "Decoding"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """The whole source of a page as text."""

    _FIELD_DOCS = {
        "text": "The source, decoded.",
        "encoding": "The encoding, by its WHATWG name; empty for binary data.",
        "confidence": "The probability that the encoding is right, 0 to 1.",
        "repaired": "The text without mojibake; empty if it has none.",
    }

    text: str
    encoding: str
    confidence: float
    repaired: str = ""

    def __repr__(self) -> str:
        return shorten(self)


@dataclass(frozen=True, slots=True)
class Decoding:
    """The encoding of a page, its probability, the reason for it, and alternatives with probabilities.

    ``text_confidence`` is the probability that text that was converted or repaired by a guess is right. ``legacy`` is the encoding
    of the parts that are not UTF-8 in a page with parts of both.
    """

    encoding: str
    confidence: float
    reason: str
    alternatives: tuple[tuple[str, float], ...] = ()
    text_confidence: float = 1.0
    legacy: str = ""


VALID_UTF8 = Decoding("utf-8", 1.0, "valid UTF-8")
ASCII = Decoding("utf-8", 1.0, "ASCII only")
DECODED_BY_CALLER = Decoding("", 1.0, "decoded by the caller")
NOT_DECODED = Decoding("", 0.0, "no text")
