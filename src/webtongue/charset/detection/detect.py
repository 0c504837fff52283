"""Detect the legacy encoding of a text by its bytes, with declared encodings as further evidence."""

from __future__ import annotations

import math

from webtongue import _kernel
from webtongue.charset.codecs import undecodable_share
from webtongue.charset.decoding import ASCII, VALID_UTF8, Decoding
from webtongue.charset.detection import byte_model
from webtongue.charset.names import resolve
from webtongue.policy import LOG_SCALE, PAGE
from webtongue.records import replace

__all__ = ["FALLBACK", "MAX_CONFIDENCE", "decide_utf8", "detect_legacy", "discount_random_bytes"]

FALLBACK = "windows-1252"  # the standard's default for most of the world
# Maximal ill-formed sequences per well-formed one in a page in UTF-8; legacy encodings have two or more. A page that declares
# another encoding may quote a few words of UTF-8.
MAX_ERROR_RATE = 0.5
MAX_ERROR_RATE_IF_DECLARED, MAX_ERROR_RATE_IF_OTHER_DECLARED = 1.0, 0.25
MAX_CHANCE_SEQUENCES = 2  # this many well-formed sequences may occur by chance if UTF-8 is not declared
SAMPLE_BYTES = 1 << 16  # bytes of a page on which a declared encoding is tried
MAX_UNDECODABLE_SHARE = 0.05  # with a larger share of the bytes beyond ASCII, a declared encoding is wrong
MAX_GUESSES = 8  # encodings that decode the text alike count as one
MAX_RANDOM_NATS = 30.0  # log-odds of random bytes; larger ones are the same
MAX_CONFIDENCE = 0.999  # bytes never make a legacy encoding certain


def decide_utf8(errors: int, multibyte: int, declared: str = "") -> Decoding | None:
    """Return the decoding of a page that is UTF-8, with or without errors, else None.

    ``multibyte`` counts the well-formed sequences beyond ASCII and ``errors`` the ill-formed ones.

    >>> decide_utf8(0, 12).reason, decide_utf8(12, 0), decide_utf8(2, 2, "utf-8").encoding
    ('valid UTF-8', None, 'utf-8')
    """
    if not errors:
        return VALID_UTF8 if multibyte else ASCII
    is_declared = declared == "utf-8"
    rate = (
        MAX_ERROR_RATE_IF_DECLARED if is_declared else MAX_ERROR_RATE_IF_OTHER_DECLARED if declared else MAX_ERROR_RATE
    )
    if multibyte > (0 if is_declared else MAX_CHANCE_SEQUENCES) and errors <= rate * multibyte:
        return Decoding("utf-8", 0.95, "UTF-8 with errors")
    return None


def detect_legacy(text: bytes | _kernel.Scan, declared: tuple[str, ...] = (), language: str = "") -> Decoding:
    """Return the legacy encoding of bytes, or of a scanned page whose character references are held back.

    ``declared`` has declared encodings by falling reliability, ``language`` is the main language of the country in the page's URL.

    >>> detect_legacy("Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250")).encoding
    'windows-1250'
    """
    model = byte_model.load()
    offsets = byte_model.offsets_for(declared, language)
    guesses, ngrams, _, has_four_bytes = model.kernel.detect(text, offsets, MAX_GUESSES)
    unmodelled = next((name for name in declared if name and not _is_class(name)), "")
    is_sure = bool(guesses) and math.exp(guesses[0][1] / LOG_SCALE) >= MAX_CONFIDENCE
    if unmodelled and not is_sure and _is_decodable(text, unmodelled):
        return Decoding(unmodelled, 0.9, "declared, and the bytes allow it")
    if not guesses or not ngrams:
        return Decoding(FALLBACK, 0.3, "bytes of no encoding known here")
    ranked = [(model.classes[number], min(MAX_CONFIDENCE, math.exp(log / LOG_SCALE))) for number, log in guesses]
    name, probability = ranked[0]
    name = _common_name(name, has_four_bytes, declared)
    reason = "declared, and the bytes agree" if name in declared else "bytes"
    return Decoding(name, probability, reason, tuple(ranked[1:]))


def discount_random_bytes(
    decoding: Decoding, text: bytes | _kernel.Scan, declared: tuple[str, ...] = (), language: str = ""
) -> Decoding:
    """Return a decoding and a text that are no more likely than that the bytes are text in its encoding and not random.

    The prior of the encoding counts more than between encodings: random bytes resemble text best in one of the many rare ones.

    >>> discount_random_bytes(Decoding("tam", 0.99, "bytes"), bytes(range(0x80, 0x100))).confidence < 0.001
    True
    """
    number = _class_number(decoding.encoding)
    if number is None:
        return decoding
    model = byte_model.load()
    more_prior = PAGE.random_prior_weight * byte_model.offsets_for(())[number]
    prior = byte_model.offsets_for(declared, language)[number] + more_prior
    log_odds = (model.kernel.text_log_odds(text, number) + prior) / LOG_SCALE
    probability = 1 / (1 + math.exp(-max(log_odds, -MAX_RANDOM_NATS)))
    if probability >= MAX_CONFIDENCE:
        return decoding
    confidence, text_confidence = min(decoding.confidence, probability), min(decoding.text_confidence, probability)
    reason = f"{decoding.reason}, little likelier than random bytes"
    return replace(decoding, confidence=confidence, reason=reason, text_confidence=text_confidence)


def _class_number(name: str) -> int | None:
    """Return the model's number of an encoding; None if it has no class for it."""
    return byte_model.load().numbers.get(byte_model.SAME_DECODER.get(name, name))


def _is_class(name: str) -> bool:
    """Return True if the model has a class for an encoding, or the encoding is one of Unicode."""
    return name.startswith(("utf", "replacement")) or _class_number(name) is not None


def _is_decodable(text: bytes | _kernel.Scan, name: str) -> bool:
    raw = text[:SAMPLE_BYTES] if isinstance(text, bytes) else text.slice(0, SAMPLE_BYTES)
    return resolve(name) is not None and undecodable_share(raw, name) <= MAX_UNDECODABLE_SHARE


def _common_name(name: str, has_four_bytes: bool, declared: tuple[str, ...]) -> str:
    """Return the declared one of several names of an encoding; GBK is GB 18030 without sequences of four bytes."""
    for other in declared:
        if byte_model.SAME_DECODER.get(other) == name:
            return other
    return "gbk" if name == "gb18030" and name not in declared and not has_four_bytes else name
