"""Explanations of verdicts, computed on demand: guesses, segments, evidence and declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from webtongue import _kernel
from webtongue.charset.decoding import DECODED_BY_CALLER, Decoding
from webtongue.evidence.combine import BITS_PER_NAT, bits
from webtongue.evidence.country import locate
from webtongue.evidence.geo import Located
from webtongue.labels import WITHOUT_TEXT
from webtongue.markup.declarations import Declared
from webtongue.page import Page
from webtongue.policy import LOG_SCALE
from webtongue.read_page import ReadPage
from webtongue.reference.ip import MAX_IP_CHARS
from webtongue.text import TextReader, why, why_unreliable
from webtongue.url import prior_evidence
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Segment

__all__ = [
    "Feature",
    "no_text",
    "page",
    "runner_up",
    "segments_of",
    "sentence",
    "text",
    "top_features",
    "unused_location",
]

MAX_GUESSES = 5  # guesses of a verdict
MAX_TEXT_GUESSES = 3  # guesses that the evidence of the text names
PREFIX_CHARS = (400, 120, 40, 20, 10, 5)  # lengths of the beginning of a text that is searched for a runner-up
MAX_FEATURE_BYTES = 1 << 17  # bytes of a text whose n-grams are explained


Span = tuple[int, int, str, int]  # begin, end, label, letters


def page(state: ReadPage) -> Explanation:
    """Return the explanation of a page that was read."""
    reading, declared, decoding = _reading(state), state.declared, state.decoding
    evidence_config = state.models.evidence
    reader = evidence_config.text
    kernel = reader.kernel
    label, _, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    guesses = _guesses(label, languages, reading, kernel)
    why_not = _sentence(state.reason, script, guesses, languages, reading, reader)
    hints = state.hints
    source_bits = bits(reading, state.weighed, evidence_config)
    located = locate(state.page, evidence_config)
    evidence = (
        _text_evidence(reading, reader, why_not, source_bits.get("text", 0.0)),
        *_prior_evidence(reading, reader, source_bits),
        *(Evidence(hint.source, hint.value, hint.label, round(source_bits.get(hint.source, 0.0), 3)) for hint in hints),
        *_script_evidence(reading), Evidence("bytes", f"{decoding.encoding}: {decoding.reason}"), *declared.evidence,
        *unused_location(state.page, located),
    )  # fmt: skip
    return Explanation(
        why_not, languages, tuple(map(Guess._make, guesses)), segments_of(state), evidence, declared.language,
        declared.encoding.best, located.country,
    )  # fmt: skip


def segments_of(state: ReadPage) -> tuple[Segment, ...]:
    """Return the segments of a page without the rest of its explanation."""
    kernel, reading, raw = state.models.text.kernel, _reading(state), state.page.raw
    label = kernel.answer(reading)[0]
    if label in WITHOUT_TEXT:
        return ()
    languages, spans = kernel.languages(reading), kernel.segments(reading)
    if state.is_inner:
        spans = _rescale(spans, len(raw))
    return _segments(raw, state.transcoded, spans, languages[0][0] if languages else label)


def _reading(state: ReadPage) -> _kernel.Reading:
    assert state.reading is not None, "only a page that was read has an explanation"
    return state.reading


def text(string: str, decoding: Decoding, reading: _kernel.Reading, reason: Reason, reader: TextReader) -> Explanation:
    """Return the explanation of a short text: one segment, unless its sentences are in several languages."""
    kernel = reader.kernel
    label, _, script, *_ = kernel.answer(reading)
    languages = kernel.languages(reading)
    guesses = _guesses(label, languages, reading, kernel)
    why_not = _sentence(reason, script, guesses, languages, reading, reader)
    name = f"{decoding.encoding}: " if decoding.encoding else ""
    conversion = () if decoding is DECODED_BY_CALLER else (Evidence("bytes", f"{name}{decoding.reason}"),)
    raw = string.encode("utf-8", "replace")
    spans = _rescale(kernel.segments(reading), len(raw))
    segments = () if label in WITHOUT_TEXT else _segments(raw, "", spans, label)
    source_bits = bits(reading, {}, reader)
    evidence = (
        _text_evidence(reading, reader, why_not, source_bits.get("text", 0.0)),
        *_prior_evidence(reading, reader, source_bits), *_script_evidence(reading), *conversion,
    )  # fmt: skip
    return Explanation(why_not, languages, tuple(map(Guess._make, guesses)), segments, evidence)


def _guesses(
    label: str, languages: Sequence[tuple[str, float]], reading: _kernel.Reading, kernel: _kernel.TextReader
) -> list[tuple[str, float]]:
    """Return the guesses of a verdict with their probabilities; for ``mul``, the languages of the page with their shares."""
    return list(languages[:MAX_GUESSES]) if label == "mul" else kernel.guesses(reading, MAX_GUESSES)


class Feature(NamedTuple):
    """A word or n-gram, with a space at each end of a word (" the ", "ing "), and its weight for a label against another."""

    gram: str
    bits: float

    @property
    def is_word(self) -> bool:
        """Whether the feature is one or two whole words."""
        return self.gram[0] == self.gram[-1] == " "


def top_features(string: str, label: str, runner_up: str, limit: int, reader: TextReader) -> tuple[Feature, ...]:
    """Return the words and n-grams that separate two labels of a text, in favour of either, the strongest first."""
    numbers, raw = reader.model.numbers, string.encode("utf-8", "replace")[:MAX_FEATURE_BYTES]
    features = _kernel.top_features(reader.kernel, raw, numbers[label], numbers[runner_up], limit)
    return tuple(Feature(gram, round(nats / LOG_SCALE * BITS_PER_NAT, 3)) for gram, nats in features)


def runner_up(string: str, label: str, reader: TextReader) -> str:
    """Return the likeliest label other than ``label``, by shorter and shorter beginnings of a text; empty if there is none."""
    for size in PREFIX_CHARS:
        reading = reader.kernel.read(string[:size].encode("utf-8", "replace"))
        guesses = [name for name, _ in reader.kernel.guesses(reading, MAX_GUESSES) if name != label]
        if guesses:
            return guesses[0]
    return ""


def no_text(why: str, declared: Declared) -> Explanation:
    """Return the explanation of a page without text."""
    return Explanation(
        why,
        evidence=declared.evidence,
        declared_language=declared.language,
        declared_encoding=declared.encoding.best,
    )


def sentence(reason: Reason, reading: _kernel.Reading, reader: TextReader) -> str:
    """Return a sentence that says why a reading has no language or no reliable one; empty if it has a reliable one."""
    if not reason:
        return why_unreliable(reading, reader.names.labels)
    kernel = reader.kernel
    return _sentence(
        reason,
        kernel.answer(reading)[2],
        kernel.guesses(reading, MAX_GUESSES),
        kernel.languages(reading),
        reading,
        reader,
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
        return why_unreliable(reading, reader.names.labels)
    nearest = reader.names.labels[reading.outside_allowlist] or (guesses[0][0] if guesses else "")
    return why(reason, script, nearest, languages, reading)


def _rescale(spans: list[Span], size: int) -> list[Span]:
    """Return spans of a converted or repaired text, scaled to the size of the original."""
    if not spans or spans[-1][1] == size:
        return spans
    read_size = spans[-1][1]
    return [(begin * size // read_size, end * size // read_size, name, weight) for begin, end, name, weight in spans]


def _segments(raw: bytes, transcoded: str, spans: list[Span], label: str) -> tuple[Segment, ...]:
    """Return spans of one language as segments in the order of the page's own bytes; their shares sum to one."""
    if not spans:
        return (Segment(0, len(raw), label, 1.0),) if label != "mul" else ()
    marks = [mark for begin, end, *_ in spans for mark in (begin, end)]
    if transcoded:
        from webtongue.charset.offsets import to_source_offsets  # imports NumPy, which few pages need

        marks = to_source_offsets(raw, transcoded, marks)
    total = sum([weight for _, _, _, weight in spans])
    return tuple(
        [
            Segment(marks[2 * i], marks[2 * i + 1], name, round(weight / total, 6))
            for i, (_, _, name, weight) in enumerate(spans)
        ]
    )


def _text_evidence(reading: _kernel.Reading, reader: TextReader, sentence: str, text_bits: float) -> Evidence:
    names = reader.names.labels
    guesses = ", ".join(
        [f"{names[i]} {_kernel.to_probability(log):.3f}" for i, log in reading.text_guesses(MAX_TEXT_GUESSES)]
    )
    value = f"{reading.letters} letters read: {guesses or sentence}"
    if reading.boilerplate:
        value = f"{reading.letters} letters of boilerplate in English by servers or tools: no evidence of the site's language"
    best = names[reading.text_guesses(1)[0][0]] if reading.label >= 0 and reading.text_guesses(1) else ""
    return Evidence("text", value, best, round(text_bits, 3))


def _prior_evidence(
    reading: _kernel.Reading, reader: TextReader, source_bits: Mapping[str, float]
) -> tuple[Evidence, ...]:
    """Return the prior as evidence, if it favours one of the two likeliest labels."""
    if not source_bits.get("prior"):
        return ()
    label, runner_up = (reader.names.labels[number] for number, _ in reading.guesses(2))
    return (prior_evidence(label, runner_up, source_bits["prior"]),)


def unused_location(page: Page, located: Located) -> tuple[Evidence, ...]:
    """Return the reason why the IP address or the country of a server is not used; empty if it is used or not given."""
    if page.country:
        return (Evidence("country", located.reason),) if located.reason else ()
    if not page.ip or located.country:
        return ()
    ip = page.ip[:MAX_IP_CHARS].encode("utf-8", "replace").decode()
    return (Evidence("ip", f"{ip}: {located.reason or 'no IP-to-country table is installed'}"),)


def _script_evidence(reading: _kernel.Reading) -> tuple[Evidence, ...]:
    """Return the number of words that mix letters of two scripts, if there are any."""
    count = reading.mixed_words
    if not count:
        return ()
    return (Evidence("mixed scripts", f"{count} word{'s' * (count != 1)} typed with letters of two scripts"),)
