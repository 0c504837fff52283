"""How a Verdict explains itself: guesses, segments, evidence and declarations, worked out when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webtongue import _kernel
from webtongue.encodings.decoding import Decoding
from webtongue.encodings.offsets import to_page
from webtongue.fuse import BITS, Fusion, bits, hear, locate
from webtongue.hints.declared import Declared
from webtongue.hints.geo import Located
from webtongue.hints.hint import Hint
from webtongue.page import Page
from webtongue.text import TextReader, why
from webtongue.text.thresholds import NATS
from webtongue.url import of_prior
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Segment

__all__ = [
    "Heard",
    "Telling",
    "no_text",
    "of_address",
    "page",
    "rival_of",
    "segments_of",
    "sentence",
    "telling",
    "text",
]

SHOWN = 5  # guesses of a verdict
NAMED = 3  # guesses that the evidence of a text names
SHOWN_IP = 64  # characters of what was given as an address
SHORTER = (
    400,
    120,
    40,
    20,
    10,
    5,
)  # characters of the beginnings that are asked for a rival, where the whole text leaves none
READ = 1 << 17  # bytes of a text whose n-grams are looked at


@dataclass(frozen=True, slots=True)
class Heard:
    """A page, how it was decoded, and what was said of its language beside its text, None where nobody asked yet.

    ``transcoded``: the encoding it was in before it was scanned as UTF-8, if it was.
    """

    page: Page
    transcoded: str
    decoding: Decoding
    said: Declared
    hints: Sequence[Hint] | None
    factor: float  # that hints were weighed with
    fusion: Fusion


def page(heard: Heard, reading: _kernel.Reading, reason: Reason) -> Explanation:
    """Of a page that was read; ``reason``: why it has no language, where it has none."""
    reader, said, decoding = heard.fusion.text, heard.said, heard.decoding
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    script = kernel.answer(reading)[2]
    languages = kernel.languages(reading)
    why_not = _sentence(reason, script, guesses, languages, reading, reader)
    segments = segments_of(heard, reading, reason)
    hints = hear(heard.page, said, decoding.encoding, heard.fusion) if heard.hints is None else heard.hints
    worth = bits(reading, hints, heard.fusion, heard.factor)
    country = locate(heard.page, heard.fusion)
    evidence = (
        _of_text(reading, reader, why_not, worth.get("text", 0.0)),
        *_of_prior(reading, reader, worth),
        *(Evidence(hint.source, hint.value, hint.label, round(worth.get(hint.source, 0.0), 3)) for hint in hints),
        *_of_scripts(reading), Evidence("bytes", f"{decoding.encoding}: {decoding.how}"), *said.evidence,
        *of_address(heard.page, country),
    )  # fmt: skip
    found = tuple(map(Guess._make, guesses))
    return Explanation(
        why_not, languages, found, segments, evidence, said.language, said.encoding.best, country.country
    )


def segments_of(heard: Heard, reading: _kernel.Reading, _: Reason) -> tuple[Segment, ...]:
    """The segments of a page alone."""
    kernel = heard.fusion.text.kernel
    label = kernel.answer(reading)[0]
    if label in ("und", "zxx"):
        return ()
    held = kernel.languages(reading)
    return _segments(heard.page.raw, heard.transcoded, kernel.segments(reading), held[0][0] if held else label)


def text(string: str, font: str, reading: _kernel.Reading, reason: Reason, reader: TextReader) -> Explanation:
    """Of a short text as it was given: one segment, unless its sentences are in several languages; none if nothing is said."""
    kernel = reader.kernel
    guesses = kernel.guesses(reading, SHOWN)
    label, _, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    why_not = _sentence(reason, script, guesses, languages, reading, reader)
    drawn = (Evidence("bytes", f"{font}: drawn by a font, converted"),) if font else ()
    raw = string.encode("utf-8", "replace")
    found = _stretched(kernel.segments(reading), len(raw))
    segments = () if label in ("und", "zxx") else _segments(raw, "", found, label)
    worth = bits(reading, (), reader)
    evidence = (
        _of_text(reading, reader, why_not, worth.get("text", 0.0)),
        *_of_prior(reading, reader, worth), *_of_scripts(reading), *drawn,
    )  # fmt: skip
    return Explanation(why_not, languages, tuple(map(Guess._make, guesses)), segments, evidence)


class Telling(NamedTuple):
    """A word or n-gram, a space for each end of a word (" the ", "ing "), and what it says for a label against another, in bits."""

    gram: str
    bits: float

    @property
    def is_word(self) -> bool:
        """Whether it is a word, or two, and not a part of one."""
        return self.gram[0] == self.gram[-1] == " "


def telling(string: str, label: str, rival: str, most: int, reader: TextReader) -> tuple[Telling, ...]:
    """The words and n-grams that tell a text's label from a rival, the loudest first: for the one, or for the other."""
    numbers, raw = reader.model.numbers, string.encode("utf-8", "replace")[:READ]
    found = _kernel.telling_features(reader.kernel, raw, numbers[label], numbers[rival], most)
    return tuple(Telling(gram, round(nats / NATS * BITS, 3)) for gram, nats in found)


def rival_of(string: str, label: str, reader: TextReader) -> str:
    """What a text might be in beside its label: by its beginning, where all of it leaves no doubt; empty where nothing is near."""
    for size in SHORTER:
        reading = reader.kernel.read(string[:size].encode("utf-8", "replace"))
        others = [name for name, _ in reader.kernel.guesses(reading, SHOWN) if name != label]
        if others:
            return others[0]
    return ""


def no_text(sentence: str, said: Declared) -> Explanation:
    """Of a page that holds no text to read."""
    return Explanation(
        sentence,
        evidence=said.evidence,
        declared_language=said.language,
        declared_encoding=said.encoding.best,
    )


def sentence(reason: Reason, reading: _kernel.Reading, reader: TextReader) -> str:
    """Why a reading has no language, in words; empty where it has one."""
    if not reason:
        return ""
    kernel = reader.kernel
    return _sentence(
        reason, kernel.answer(reading)[2], kernel.guesses(reading, SHOWN), kernel.languages(reading), reading, reader
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


def _of_text(reading: _kernel.Reading, reader: TextReader, sentence: str, worth: float) -> Evidence:
    names = reader.names.labels
    said = ", ".join([f"{names[i]} {_kernel.chance_of(log):.3f}" for i, log in reading.by_text(NAMED)])
    value = f"{reading.letters} letters read: {said or sentence}"
    if reading.boilerplate:
        value = f"{reading.letters} letters of boilerplate, as servers and tools write it in English: it says nothing of the site"
    best = names[reading.by_text(1)[0][0]] if reading.label >= 0 and reading.by_text(1) else ""
    return Evidence("text", value, best, round(worth, 3))


def _of_prior(reading: _kernel.Reading, reader: TextReader, worth: Mapping[str, float]) -> tuple[Evidence, ...]:
    """How common languages are, where that told the label from its rival."""
    if not worth.get("prior"):
        return ()
    label, rival = (reader.names.labels[number] for number, _ in reading.guesses(2))
    return (of_prior(label, rival, worth["prior"]),)


def of_address(page: Page, country: Located) -> tuple[Evidence, ...]:
    """Why what is known of a server says nothing, where it does not."""
    if page.country:
        return (Evidence("country", country.reason),) if country.reason else ()
    if not page.ip or country.country:
        return ()
    shown = page.ip[:SHOWN_IP].encode("utf-8", "replace").decode()
    return (Evidence("ip", f"{shown}: {country.reason or 'no table of addresses is installed'}"),)


def _of_scripts(reading: _kernel.Reading) -> tuple[Evidence, ...]:
    """Words that were typed with letters of another script, where there are any."""
    count = reading.mixed_words
    return (Evidence("mixed scripts", f"{count} word{'s' * (count != 1)} typed with letters of two scripts"),) * (
        count > 0
    )
