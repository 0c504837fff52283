"""Detect the legacy font of a text: suspected by byte pairs, confirmed by the language model on the converted text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from webtongue import _kernel, files
from webtongue.errors import ModelError
from webtongue.fonts.tables import Font, all_fonts
from webtongue.policy import FONTS
from webtongue.records import dataclass
from webtongue.text import TextReader

__all__ = ["FontCandidate", "FontMatch", "detect_font", "find_font_names", "load", "rank_candidates"]

DEFAULT = files.MODELS / "fonts.wtf"
SAMPLE_BYTES = 1 << 15  # bytes of text by which the font is detected
MAX_CONVERTED_BYTES = 3000  # bytes of the font's lines that are converted for the language model
MIN_MARGIN = 120  # tenths of a nat by which all lines of a font must be likelier than as ordinary text
MAX_CANDIDATES = 3  # fonts that are converted and read
MIN_LETTERS = 30  # converted letters; any dozen of letters is the beginning of some word
MIN_DISTINCT_CHARS = 10  # fewer are a pattern, not a text
MIN_WORD_CHARS = 3  # a letter and its sign are not a word
MIN_WORD_SHARE = 0.5  # share of the text in words: at least 0.54 in 99% of texts of 30 bytes
# Maximal shares of the most frequent ASCII sign, and of the three most frequent. Fonts draw letters with signs, Bamini a quarter of
# them; in "B[ki];W[kg];" three signs are half of the text, in "do;re;mi;" one is more than a quarter.
MAX_SIGN_SHARE, MAX_THREE_SIGNS_SHARE = 0.2, 0.37
MAX_CHAR_SHARE = 0.45  # share of a single character: up to 0.42 in Shusha, half in "A-B-C"
ENOUGH_RUNNING_WORDS = 4  # different words in a row that are enough for any text
LETTERS_PER_WORD = 20  # converted letters for each word in a row that a shorter text needs
MIN_SAME_SCRIPT_LETTERS = 12  # for a font over letters of its own script, since the script is certain
MIN_NAMED_LETTERS = 6  # for a font that the page names
NAMED_FACTOR = 0.5  # factor of MIN_MARGIN and MIN_DISTINCT_CHARS for a font that the page names
LATIN_FACTOR = 3.0  # factor of minima for ASCII text if a language in Latin script is declared
MIN_FONT_SHARE = 0.2  # share of a text that must be in a font; less is an example, a name or an accident
MAX_CONFIDENCE = 0.99  # the font was right in all of 584 texts of held-out lines; real text is less regular
TENTHS, THOUSANDTHS = 0.1, 0.001  # units of the kernel's numbers, in nats
FONT_FACES = re.compile(rb"(?:\bface\s*=|\bfont-family\s*:|\bfont\s*:)\s*([^;>}]{1,200})", re.IGNORECASE)
NOT_IN_NAMES = re.compile(r"[^a-z0-9,]")


@dataclass(frozen=True, slots=True)
class FontMatch:
    """A detected font, its confidence, and the label of its text.

    ``is_named`` is True if the page names the font. ``byte_encoding`` is the encoding of the page's bytes if they are not UTF-8.
    """

    font: Font
    confidence: float
    label: str
    is_named: bool
    byte_encoding: str = ""


@cache
def load(path: Path = DEFAULT) -> _kernel.FontDetector:
    """Map the font model."""
    try:
        return _kernel.FontDetector(files.map_model(path))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a usable font model: {error}") from error


def detect_font(text: bytes, reader: TextReader, source: bytes = b"", declared: str = "") -> FontMatch | None:
    """Return the font of a suspected text in UTF-8, one line per block; None if it reads like a language in no font.

    ``source`` is the page with its markup: fonts that it names are tried first and need less text. ``declared`` is the declared
    label, if there is one.
    """
    for candidate in rank_candidates(text, find_font_names(source), declared):
        probability = candidate.probability
        if probability < FONTS.min_probability:
            continue
        if label := _label_of_converted(candidate, reader):
            return FontMatch(candidate.font, min(MAX_CONFIDENCE, probability), label, candidate.is_named)
    return None


@dataclass(frozen=True, slots=True)
class FontCandidate:
    """A font that a text may be for, and the lines that are likelier in it; ``factor`` multiplies the minima of text."""

    number: int
    text: bytes
    is_named: bool
    factor: float

    @property
    def font(self) -> Font:
        """The font by its number in the model."""
        return all_fonts()[load().names[self.number]]

    @property
    def is_zawgyi(self) -> bool:
        """True for the font over letters of its own script."""
        return self.number + 1 == len(load().names)

    @property
    def probability(self) -> float:
        """The probability that the font explains the text."""
        if self.is_zawgyi:  # the text is Burmese in any case
            return MAX_CONFIDENCE
        characters, own, font, ordinary = load().fit(self.text, self.number)
        if not own:
            return 0.0
        fit = TENTHS * font / own - THOUSANDTHS * load().typical[self.number]
        log_odds = FONTS.log_odds(fit, TENTHS * (font - ordinary) / own, own / characters, own)
        return 1 / (1 + math.exp(-log_odds - FONTS.named_nats * self.is_named))


def rank_candidates(text: bytes, named: frozenset[str] = frozenset(), declared: str = "") -> Iterator[FontCandidate]:
    """Yield the fonts that a text may be for, the likeliest first, those that the page names before others."""
    detector = load()
    lines = list(dict.fromkeys(text[:SAMPLE_BYTES].split(b"\n")))  # repeated lines count once
    sample = b"\n".join(lines)
    sizes: Counter[int] = Counter()
    margins: Counter[int] = Counter()
    for line, number, margin in zip(lines, *detector.lines(sample, 0), strict=True):
        if number:
            sizes[number] += len(line)
            margins[number] += margin
    unnamed_factor = LATIN_FACTOR if declared.endswith("_Latn") and sample.isascii() else 1.0
    factors = [NAMED_FACTOR if name in named else unnamed_factor for name in detector.names]
    likely = [number for number in sizes if margins[number] >= MIN_MARGIN * factors[number]]
    if sum(sizes[number] for number in likely) < MIN_FONT_SHARE * len(sample):
        return
    likely.sort(key=lambda number: (detector.names[number] not in named, -sizes[number]))
    for number in likely[:MAX_CANDIDATES]:
        own = zip(lines, detector.lines(sample, number)[1], strict=True)
        own_text = b"\n".join(line for line, margin in own if margin > 0)[:MAX_CONVERTED_BYTES]
        yield FontCandidate(number, own_text, detector.names[number] in named, factors[number])


def find_font_names(source: bytes) -> frozenset[str]:
    """Return the known fonts that a page names in its markup or styles.

    >>> sorted(find_font_names(b"<font face='Arial, Kruti Dev 010'>x</font><p style='font-family:SutonnyMJ'>"))
    ['krutidev', 'sutonnymj']
    """
    values = ",".join(match[1].decode("latin-1").lower() for match in FONT_FACES.finditer(source))
    faces = [face for face in NOT_IN_NAMES.sub("", values).split(",") if face]
    return frozenset(name for name, font in all_fonts().items() if any(face.startswith(font.names) for face in faces))


def _has_words(text: str) -> bool:
    """Return True if a text has words, and not single letters with separators.

    >>> _has_words("Hkkjr ljdkj"), _has_words("A B C D E F"), _has_words("A-B-C-D-E-F"), _has_words(";B[ki];W[kg];B[pr]")
    (True, False, False, False)
    """
    tokens = text.split()
    characters = Counter("".join(tokens))
    size = characters.total()
    in_words = sum(len(token) for token in tokens if len(token) >= MIN_WORD_CHARS)
    signs = sorted(count for char, count in characters.items() if char < "\x80" and not char.isalnum())
    if sum(signs[-1:]) > MAX_SIGN_SHARE * size or sum(signs[-3:]) > MAX_THREE_SIGNS_SHARE * size:
        return False
    return in_words >= MIN_WORD_SHARE * size > 0 and max(characters.values()) <= MAX_CHAR_SHARE * size


def _label_of_converted(candidate: FontCandidate, reader: TextReader) -> str:
    """Return the label of the converted text; empty if it has another script or is unlike its language."""
    if not _has_words(candidate.text.decode("utf-8", "replace")):
        return ""
    converted = candidate.font.convert_utf8(candidate.text).decode()
    reading = reader.read_text(converted)
    best = reading.guesses(1)
    factor = candidate.factor
    min_letters = (MIN_SAME_SCRIPT_LETTERS if candidate.is_zawgyi else MIN_LETTERS) * factor
    if candidate.is_named:
        min_letters = MIN_NAMED_LETTERS
    if not best or reading.letters < min_letters or len(set(converted)) < MIN_DISTINCT_CHARS * factor:
        return ""
    min_words = min(reading.letters // LETTERS_PER_WORD * factor, ENOUGH_RUNNING_WORDS)
    if reading.poor_fit or reading.unknown_score > 0 or reading.running_words < min_words:
        return ""
    label: str = reader.model.labels[best[0][0]]
    return label if label.partition("_")[2] == candidate.font.script else ""
