"""How a Verdict explains itself: guesses, segments, evidence and declarations, worked out when they are asked for."""

from __future__ import annotations

from webtongue import _kernel
from webtongue.encodings.decoding import Decoding
from webtongue.encodings.offsets import to_page
from webtongue.hints.declared import Declared
from webtongue.text import TextReader, why
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Segment

__all__ = ["no_text", "page", "segments_of", "text"]

SHOWN = 5  # guesses of a verdict
NAMED = 3  # guesses that the evidence of a text names


def page(
    raw: bytes,
    transcoded: str,
    decoding: Decoding,
    reading: _kernel.Reading,
    said: Declared,
    reason: Reason,
    reader: TextReader,
) -> Explanation:
    """Of a page that was read. ``transcoded``: the encoding it was in before it was scanned as UTF-8, if it was; ``reason``: why
    it has no language, where it has none."""
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    label, confidence, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    sentence = _sentence(reason, script, guesses, languages, reading, reader)
    segments = segments_of(raw, transcoded, reading, reader)
    words = _of_text(reading, guesses, sentence, label, confidence)
    evidence = (
        words, *_of_scripts(reading), Evidence("bytes", f"{decoding.encoding}: {decoding.how}"), *said.evidence,
    )  # fmt: skip
    found = tuple(map(Guess._make, guesses))
    return Explanation(sentence, languages, found, segments, evidence, said.language, said.encoding.best)


def segments_of(raw: bytes, transcoded: str, reading: _kernel.Reading, reader: TextReader) -> tuple[Segment, ...]:
    """The segments of a page alone."""
    label = reader.kernel.answer(reading)[0]
    return () if label in ("und", "zxx") else _segments(raw, transcoded, reader.kernel.segments(reading), label)


def text(string: str, font: str, reading: _kernel.Reading, reason: Reason, reader: TextReader) -> Explanation:
    """Of a short text as it was given: one segment, unless its sentences are in several languages; none if nothing is said."""
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    label, confidence, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    sentence = _sentence(reason, script, guesses, languages, reading, reader)
    drawn = (Evidence("bytes", f"{font}: drawn by a font, converted"),) if font else ()
    raw = string.encode("utf-8", "replace")
    found = _stretched(kernel.segments(reading), len(raw))
    segments = () if label in ("und", "zxx") else _segments(raw, "", found, label)
    evidence = (_of_text(reading, guesses, sentence, label, confidence), *_of_scripts(reading), *drawn)
    return Explanation(sentence, languages, tuple(map(Guess._make, guesses)), segments, evidence)


def no_text(sentence: str, said: Declared) -> Explanation:
    """Of a page that holds no text to read."""
    return Explanation(
        sentence,
        evidence=said.evidence,
        declared_language=said.language,
        declared_encoding=said.encoding.best,
    )


def _sentence(
    reason: Reason,
    script: str,
    guesses: list[tuple[str, float]],
    languages: tuple[tuple[str, float], ...],
    reading: _kernel.Reading,
    reader: TextReader,
) -> str:
    if not reason:
        return ""
    nearest = reader.names.labels[reading.unasked] or (guesses[0][0] if guesses else "")
    return why(reason, script, nearest, languages, reading)


def _stretched(found: list[tuple[int, int, str, int]], size: int) -> list[tuple[int, int, str, int]]:
    """The same stretches over a text of another size: what a font drew or was misread was converted before it was read."""
    if not found or found[-1][1] == size:
        return found
    read = found[-1][1]
    return [(begin * size // read, end * size // read, name, weight) for begin, end, name, weight in found]


def _segments(raw: bytes, transcoded: str, found: list[tuple[int, int, str, int]], label: str) -> tuple[Segment, ...]:
    """Stretches of one language, in the order of the page's own bytes, their shares summing to one."""
    if not found:
        return (Segment(0, len(raw), label, 1.0),) if label != "mul" else ()
    marks = [mark for begin, end, *_ in found for mark in (begin, end)]
    if transcoded:
        marks = to_page(raw, transcoded, marks)
    total = sum([weight for _, _, _, weight in found])
    return tuple(
        [
            Segment(marks[2 * i], marks[2 * i + 1], name, round(weight / total, 6))
            for i, (_, _, name, weight) in enumerate(found)
        ]
    )


def _of_text(
    reading: _kernel.Reading, guesses: list[tuple[str, float]], sentence: str, label: str, confidence: float
) -> Evidence:
    said = ", ".join([f"{name} {chance:.3f}" for name, chance in guesses[:NAMED]])
    value = f"{reading.letters} letters read: {said or sentence}"
    if reading.boilerplate:
        value = f"{reading.letters} letters of boilerplate, as servers and tools write it in English: it says nothing of the site"
    return Evidence("text", value, label if reading.label >= 0 else "", confidence)


def _of_scripts(reading: _kernel.Reading) -> tuple[Evidence, ...]:
    """Words that were typed with letters of another script, where there are any."""
    count = reading.mixed_words
    return (Evidence("mixed scripts", f"{count} word{'s' * (count != 1)} typed with letters of two scripts"),) * (
        count > 0
    )
