"""How a Verdict explains itself: guesses, segments, evidence and declarations, worked out when they are asked for."""

from __future__ import annotations

from webtongue import _kernel, labels
from webtongue.encodings.decoding import Decoding
from webtongue.encodings.offsets import to_page
from webtongue.hints.declared import LANGUAGE, Declared
from webtongue.markup import Markup
from webtongue.text import REASONS, TextReader, why
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Segment

__all__ = ["no_text", "page", "text"]

SHOWN = 5  # guesses of a verdict
NAMED = 3  # guesses that the evidence of a text names


def page(
    scanned: Markup, decoding: Decoding, reading: _kernel.Reading, said: Declared, reason: Reason, reader: TextReader
) -> Explanation:
    """Of a page that was read; ``reason`` is why it has no language, where it has none."""
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    label, confidence, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    sentence = _sentence(reason, script, guesses, languages, reading)
    segments = () if label in ("und", "zxx") else _segments(scanned, kernel.segments(reading), label)
    evidence = [
        _of_text(reading, guesses, sentence, label, confidence),
        Evidence("bytes", f"{decoding.encoding}: {decoding.how}"),
        *_of_claims(said),
    ]
    return Explanation(
        sentence, languages, _guesses(guesses), segments, tuple(evidence), said.language, said.encoding.best
    )


def text(string: str, font: str, reading: _kernel.Reading, reader: TextReader) -> Explanation:
    """Of a short text, which is one segment if anything could be said of it."""
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    label, confidence, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    sentence = _sentence(REASONS[reading.reason], script, guesses, languages, reading)
    drawn = (Evidence("bytes", f"{font}: drawn by a font, converted"),) if font else ()
    segments = (Segment(0, len(string.encode("utf-8", "replace")), label, 1.0),) if reading.label >= 0 else ()
    evidence = (_of_text(reading, guesses, sentence, label, confidence), *drawn)
    return Explanation(sentence, languages, _guesses(guesses), segments, evidence)


def no_text(sentence: str, said: Declared) -> Explanation:
    """Of a page that holds no text to read."""
    return Explanation(
        sentence,
        evidence=_of_claims(said),
        declared_language=said.language,
        declared_encoding=said.encoding.best,
    )


def _sentence(
    reason: Reason,
    script: str,
    guesses: list[tuple[str, float]],
    languages: tuple[tuple[str, float], ...],
    reading: _kernel.Reading,
) -> str:
    return why(reason, script, guesses[0][0] if guesses else "", languages, reading) if reason else ""


def _guesses(found: list[tuple[str, float]]) -> tuple[Guess, ...]:
    return tuple(map(Guess._make, found))


def _segments(scanned: Markup, found: list[tuple[int, int, str, int]], label: str) -> tuple[Segment, ...]:
    """Stretches of one language, in the order of the page's own bytes, their shares summing to one."""
    size = len(scanned.page.raw)
    if not found:
        return (Segment(0, size, label, 1.0),) if label != "mul" else ()
    if scanned.transcoded:
        found = _in_page(scanned, found)
    if len(found) == 1:
        begin, end, name, _ = found[0]
        return (Segment(begin, end, name, 1.0),)
    total = sum(weight for _, _, _, weight in found)
    return tuple(Segment(begin, end, name, round(weight / total, 6)) for begin, end, name, weight in found)


def _in_page(scanned: Markup, found: list[tuple[int, int, str, int]]) -> list[tuple[int, int, str, int]]:
    """The same with offsets into the page, where it was transcoded before it was scanned."""
    marks = to_page(scanned.page.raw, scanned.transcoded, [mark for begin, end, *_ in found for mark in (begin, end)])
    pairs = zip(marks[::2], marks[1::2], found, strict=True)
    return [(begin, end, name, weight) for begin, end, (_, _, name, weight) in pairs]


def _of_text(
    reading: _kernel.Reading, guesses: list[tuple[str, float]], sentence: str, label: str, confidence: float
) -> Evidence:
    said = ", ".join([f"{name} {chance:.3f}" for name, chance in guesses[:NAMED]])
    value = f"{reading.letters} letters read: {said or sentence}"
    return Evidence("text", value, label if reading.label >= 0 else "", confidence)


def _of_claims(said: Declared) -> tuple[Evidence, ...]:
    """Every claim on language or encoding; claims are heard, not yet weighed."""
    return tuple(
        [
            Evidence(claim.kind, claim.value, _label(claim.value) if claim.kind in LANGUAGE else "")
            for claim in said.claims
        ]
    )


def _label(value: str) -> str:
    return next(iter(labels.declared(value).labels), "")
