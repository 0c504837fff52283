"""Choose among likely decodings of a text the one that reads most like a language."""

from __future__ import annotations

import math
from functools import cache, lru_cache

from webtongue import _kernel
from webtongue.charset.codecs import decode
from webtongue.charset.decoding import Decoding
from webtongue.charset.detection.byte_model import web_shares
from webtongue.charset.detection.detect import MAX_CONFIDENCE
from webtongue.charset.detection.reference_letters import PLACEHOLDER, is_alphabetic, reference_letters
from webtongue.charset.languages import is_used_for, language_of_encoding
from webtongue.records import dataclass, replace
from webtongue.text import TextReader

__all__ = ["RERANK_BELOW", "rerank"]

RERANK_BELOW = 0.995  # confidence of an encoding below which the language model reranks
MAX_READ_BYTES = 800  # bytes of a text that the language model reads
SCORE_UNITS_PER_NAT = 48  # scale of the model's scores (docs/encoding.md)
MAX_FEATURE_DIFFERENCE = 0.12  # relative difference in the number of features up to which scores are comparable
# Penalty of an encoding that no crawl statistics name and that was made for one language, if it decodes the text as another
# language and a candidate on the web was used for that one: Russian in KOI8-T is rather Russian in KOI8-R.
OTHER_LANGUAGE_NATS = 4.0
MIN_PROBABILITY = 0.0003  # less likely decodings are not tried
SAMPLE_BYTES = 1 << 14  # bytes of a text that are searched for distinguishing bytes
CONTEXT_BYTES = 60  # on either side of a distinguishing byte
MAX_SPANS_PER_BYTE = 3
COMMA_TO_CEDILLA = str.maketrans("șțȘȚ", "şţŞŢ")  # Romanian letters of today and of legacy pages; neither is evidence


def rerank(decoding: Decoding, text: bytes | _kernel.Scan, reader: TextReader) -> Decoding:
    """Return the decoding after the language model's scores are added to those of the likeliest encodings.

    Only decodings with about as many features are
    compared, and only those of alphabets, since other scripts have other n-grams.
    """
    if not is_alphabetic(decoding.encoding):
        return decoding
    candidates = [(name, p) for name, p in decoding.alternatives if p > MIN_PROBABILITY and is_alphabetic(name)]
    names = [decoding.encoding, *(name for name, _ in candidates)]
    sample = _sample_differences(text, names)
    first = reader.read_text(sample.decode(decoding.encoding).translate(COMMA_TO_CEDILLA))
    weights = [(decoding.encoding, math.log(decoding.confidence) + _weigh(first, decoding.encoding, names, reader))]
    mass = decoding.confidence
    for name, probability in candidates if first.score else ():
        reading = reader.read_text(sample.decode(name).translate(COMMA_TO_CEDILLA))
        if reading.score and abs(reading.features - first.features) <= MAX_FEATURE_DIFFERENCE * first.features:
            weights.append((name, math.log(probability) + _weigh(reading, name, names, reader)))
            mass += probability
    top = max(weight for _, weight in weights)
    shares = {name: math.exp(weight - top) for name, weight in weights}
    scored = [(name, min(MAX_CONFIDENCE, mass * share / sum(shares.values()))) for name, share in shares.items()]
    unscored = [(name, probability) for name, probability in decoding.alternatives if name not in shares]
    ranked = sorted([*scored, *unscored], key=lambda item: -item[1])
    if ranked[0][0] == decoding.encoding:
        return replace(decoding, confidence=ranked[0][1], alternatives=tuple(ranked[1:]))
    return Decoding(*ranked[0], "bytes, and it reads like a language", tuple(ranked[1:]))


def _weigh(reading: _kernel.Reading, name: str, names: list[str], reader: TextReader) -> float:
    """Return how much a decoding reads like a language, in nats, less a penalty if ``names`` has usual encodings of it."""
    nats = reading.score / SCORE_UNITS_PER_NAT
    made_for = language_of_encoding(name)
    if not made_for or name in web_shares() or reading.label < 0:
        return nats
    label = reader.model.labels[reading.label]
    has_usual = any(other in web_shares() and is_used_for(label, other) for other in names)
    return nats - OTHER_LANGUAGE_NATS * (label != made_for and has_usual)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Spans of a text, and the letters of the character references in them."""

    raw: bytes
    references: tuple[str, ...]

    def decode(self, encoding: str) -> str:
        """Return the spans in an encoding, with references in their places: a word may have both kinds of letters."""
        text = decode(self.raw, encoding)
        if not self.references:
            return text
        parts = text.split(PLACEHOLDER)
        return "".join([part for pair in zip(parts, (*self.references, ""), strict=False) for part in pair])


def _sample_differences(text: bytes | _kernel.Scan, names: list[str]) -> _Sample:
    """Return a short text whole, and of a long one spans around bytes that the encodings decode differently."""
    raw: bytes = text[:SAMPLE_BYTES] if isinstance(text, bytes) else text.slice(0, SAMPLE_BYTES)
    letters = [] if isinstance(text, bytes) else reference_letters(text, raw)
    if len(raw) <= MAX_READ_BYTES:
        return _Sample(raw, tuple(letters))
    spans = _find_spans(raw, names) or [(0, MAX_READ_BYTES)]
    sampled: list[str] = []
    for start, end in spans if letters else ():
        before, within = (raw.count(PLACEHOLDER.encode(), 0, offset) for offset in (start, end))
        sampled += letters[before:within]
    return _Sample(b" ".join([raw[start:end] for start, end in spans]), tuple(sampled))


def _find_spans(raw: bytes, names: list[str]) -> list[tuple[int, int]]:
    """Return spans around bytes that the encodings decode differently; rare bytes come first until MAX_READ_BYTES are used."""
    by_count = sorted((raw.count(byte), byte) for byte in _differing_bytes(tuple(names)) if byte in raw)
    spans: list[tuple[int, int]] = []
    last = dict.fromkeys(range(0x100), -1)
    bytes_left = MAX_READ_BYTES
    for _, byte in by_count * MAX_SPANS_PER_BYTE:
        at = last[byte] = raw.find(byte, last[byte] + 1)
        if at < 0 or bytes_left < 0 or any(start <= at < end for start, end in spans):
            continue
        earliest = max(0, at - CONTEXT_BYTES)
        start = raw.find(b" ", earliest, at) + 1 or earliest
        end = raw.rfind(b" ", at, at + CONTEXT_BYTES)
        spans.append((start, end if end > at else at + CONTEXT_BYTES))
        bytes_left -= spans[-1][1] - start
    return sorted(spans)


@lru_cache(256)
def _differing_bytes(names: tuple[str, ...]) -> bytes:
    """Return the bytes that are not the same character in all of these encodings."""
    tables = [_characters(name) for name in names]
    return bytes(byte for byte in range(0x80, 0x100) if len({table[byte - 0x80] for table in tables}) > 1)


@cache
def _characters(name: str) -> tuple[str, ...]:
    return tuple(decode(bytes([byte]), name) for byte in range(0x80, 0x100))
