"""Find out how text became mojibake, step by step, since it may have been decoded wrongly several times."""

from __future__ import annotations

from functools import reduce

from webtongue import _kernel
from webtongue.charset.codecs import decode
from webtongue.charset.detection.detect import FALLBACK, detect_legacy, discount_random_bytes
from webtongue.charset.detection.rerank import RERANK_BELOW, rerank
from webtongue.charset.mojibake import COMMON, HIGH_CONFIDENCE, Mojibake, detect_utf8_mojibake, find_mojibake_lines
from webtongue.records import dataclass
from webtongue.text import REASONS, TextReader
from webtongue.verdict import Reason

__all__ = ["Repair", "find_repair", "may_be_mojibake"]

SAMPLE_CHARS = 1 << 12  # characters of a text that are searched for a repair
MAX_STEPS = 4
MIN_HIGH_BYTES = 6  # bytes beyond ASCII from which a legacy encoding is detected
# Reasons for the lack of a language that mojibake may have.
MOJIBAKE_REASONS = {
    REASONS.index(reason)
    for reason in (Reason.MISREAD, Reason.UNKNOWN_LANGUAGE, Reason.UNKNOWN_SCRIPT, Reason.TOO_RARE, Reason.NOT_LANGUAGE)
}
# Words in a row that are enough for a repair; a shorter text needs one such word for this many letters, else it is a pattern.
RUNNING_WORDS, LETTERS_PER_WORD = 3, 20
MIN_CONFIDENCE = 0.6  # confidence of an encoding from which text is repaired
# Share of the score that nearly all text of a language has, and share of unknown n-grams above that of the language. A list
# of signs that is decoded in an East Asian encoding consists of characters that nobody combines.
MIN_SCORE_SHARE, MAX_EXTRA_UNSEEN = 0.6, 0.1
MAX_LOST_SHARE = 0.02  # share of the characters that a repair may lose


@dataclass(frozen=True, slots=True)
class Repair:
    """The wrong decodings of a text, the last one first; calling it repairs text."""

    steps: tuple[Mojibake, ...]

    @property
    def confidence(self) -> float:
        """The confidence of the least certain step."""
        return min(step.confidence for step in self.steps)

    def __call__(self, text: str) -> str:
        """Return the repaired text."""
        return reduce(lambda result, step: step.undo(result), self.steps, text)

    def __str__(self) -> str:
        """Name the encodings."""
        return ", ".join(f"{step.encoding} decoded as {step.decoded_as}" for step in self.steps)


def may_be_mojibake(reading: _kernel.Reading) -> bool:
    """Return True if text has no language for a reason that mojibake may explain."""
    return reading.reason in MOJIBAKE_REASONS


def find_repair(text: str, reader: TextReader) -> Repair | None:
    """Return the repair of a text, or None if it is no mojibake of a known kind."""
    lines = (line for line in text.split("\n") if not line.isascii())
    sample = "\n".join(dict.fromkeys(lines))[:SAMPLE_CHARS]
    steps: list[Mojibake] = []
    legacy = None
    while sample and len(steps) < MAX_STEPS and (step := detect_utf8_mojibake(sample)):
        if step.confidence < HIGH_CONFIDENCE and (legacy := _detect_legacy_mojibake(sample, reader)):
            break
        steps.append(step)
        sample = step.undo(sample)
    if legacy or (legacy := _detect_legacy_mojibake(sample, reader)):
        steps.append(legacy)
    elif not all(step.decoded_as in COMMON for step in steps) and reader.read_text(sample).label < 0:
        return None
    return Repair(tuple(steps)) if steps else None


def _detect_legacy_mojibake(text: str, reader: TextReader) -> Mojibake | None:
    """Return the legacy encoding of a text whose bytes were decoded as windows-1252."""
    raw = b"\n".join(find_mojibake_lines(text))
    if len(raw) - len(raw.decode("ascii", "ignore")) < MIN_HIGH_BYTES:
        return None
    decoding = detect_legacy(raw)
    if decoding.confidence < RERANK_BELOW:
        decoding = rerank(decoding, raw, reader)
    decoding = discount_random_bytes(decoding, raw)
    repaired = decode(raw, decoding.encoding)
    is_lossy = repaired.count("\ufffd") > MAX_LOST_SHARE * len(repaired)
    if decoding.encoding == FALLBACK or decoding.confidence < MIN_CONFIDENCE or is_lossy:
        return None
    reading = reader.read_text(repaired)
    min_words = min(RUNNING_WORDS, reading.letters // LETTERS_PER_WORD)
    if not _fits(reading, reader) or reading.running_words < min_words:
        return None
    return Mojibake(decoding.encoding, FALLBACK, decoding.confidence)


def _fits(reading: _kernel.Reading, reader: TextReader) -> bool:
    """Return True if text is typical of its best language, and not only closer to it than to others."""
    if reading.label < 0 or reading.misread:
        return False
    kernel = reader.model.kernel
    low, unseen = kernel.low_scores[reading.label] / 16, kernel.high_unseen[reading.label] / 0xFFFF
    return (
        reading.score >= MIN_SCORE_SHARE * low * reading.features
        and reading.unseen <= (unseen + MAX_EXTRA_UNSEEN) * reading.features
    )
