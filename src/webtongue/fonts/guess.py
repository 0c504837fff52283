"""Which font a text was written for: suspected from pairs of bytes, confirmed by the language model on the converted text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from webtongue import _kernel, files
from webtongue.errors import ModelError
from webtongue.fonts.tables import Font, named
from webtongue.text import TextReader

__all__ = ["Found", "find", "fonts_named_in", "load"]

DEFAULT = files.MODELS / "fonts.wtf"
SAMPLE = 1 << 15  # bytes of text that the font is found on
CONFIRM = 3000  # bytes of the font's lines that are converted for the language model to read
LIKELY = 120  # tenths of a nat by which a font's lines together must read better as the font's than as ordinary text
TRIED = 3  # fonts that are converted and read
LETTERS = 12  # converted letters that are enough to be sure of
DISTINCT = 10  # different characters that they must have: fewer are a pattern, not a text
WORD = 3  # characters: what stands between spaces must be so long to be a word; a letter and its sign are none
WORDS = 0.5  # share of a font's text that must be in words: 0.54 and more of all but one in a hundred texts of 30 bytes
# Shares of the commonest sign of ASCII and of the three commonest: fonts draw letters with signs, Bamini a quarter of them; in
# "B[ki];W[kg];" three are half of the text, in "do;re;mi;" one is more than a quarter.
SIGN, SIGNS = 0.2, 0.37
SEPARATOR = (
    0.45  # share of a text that no character may have: in Shusha one has up to 0.42, in "A-B-C" the hyphen has half
)
ROW = 4  # different words in a row that are enough of any text
LETTERS_A_WORD = (
    20  # converted letters that must have another word in a row, up to four: text of a font is as any other text
)
NAMED = 0.5  # share of LIKELY, LETTERS and DISTINCT that is enough where the page names the font
DECLARED = (
    3.0  # times as much where the text is ASCII and a language in Latin letters is declared, which it may well be in
)
SHARE = 0.2  # share of a text that must be in a font: less is an example, a name or an accident
SURE = 0.99  # the font was right in all of 584 texts made from lines held out of training; real text is less regular
FACES = re.compile(rb"(?:\bface\s*=|\bfont-family\s*:|\bfont\s*:)\s*([^;>}]{1,200})", re.IGNORECASE)
PLAIN = re.compile(r"[^a-z0-9,]")


@dataclass(frozen=True, slots=True)
class Found:
    """A font, its number in the model, how sure it is, and the label that its text reads as."""

    font: Font
    number: int
    confidence: float
    label: str
    hinted: bool  # the page names the font


@cache
def load(path: Path = DEFAULT) -> _kernel.FontGuess:
    """Map the font model."""
    try:
        return _kernel.FontGuess(files.contents(path))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a font model that can be used: {error}") from error


def find(text: bytes, reader: TextReader, source: bytes = b"", declared: str = "") -> Found | None:
    """The font of a suspected text in UTF-8, a line a block; None where no font makes it read like a language.

    ``source`` is the page with its markup: a font that it names is tried first, and less text is enough for it. ``declared`` is the
    label of the language that the page declares, if it does.
    """
    guess = load()
    lines = list(dict.fromkeys(text[:SAMPLE].split(b"\n")))  # repeated lines count once
    sample = b"\n".join(lines)
    weight: dict[int, int] = {}
    total: dict[int, int] = {}
    for line, number, margin in zip(lines, *guess.lines(sample, 0), strict=True):
        if number:
            weight[number] = weight.get(number, 0) + len(line)
            total[number] = total.get(number, 0) + margin
    least = SHARE * len(sample)
    if sum(weight.values()) < least:
        return None
    hints = fonts_named_in(source)
    unnamed = DECLARED if declared.endswith("_Latn") and sample.isascii() else 1.0
    enough = [NAMED if name in hints else unnamed for name in guess.names]
    weight = {font: size for font, size in weight.items() if total[font] >= LIKELY * enough[font]}
    if sum(weight.values()) < least:
        return None
    ranked = sorted(weight, key=lambda number: (guess.names[number] not in hints, -weight[number]))
    for number in ranked[:TRIED]:
        margins = guess.lines(sample, number)[1]
        own = b"\n".join(line for line, margin in zip(lines, margins, strict=True) if margin > 0)[:CONFIRM]
        font = named()[guess.names[number]]
        if label := _reads_as(font, own, reader, enough[number]):
            return Found(font, number, SURE, label, font.name in hints)
    return None


def fonts_named_in(source: bytes) -> frozenset[str]:
    """Fonts of the tables that a page names in its markup or styles.

    >>> sorted(fonts_named_in(b"<font face='Arial, Kruti Dev 010'>x</font><p style='font-family:SutonnyMJ'>"))
    ['krutidev', 'sutonnymj']
    """
    faces = ",".join(match[1].decode("latin-1").lower() for match in FACES.finditer(source))
    plain = PLAIN.sub("", faces).split(",")
    return frozenset(
        name for name, font in named().items() if any(face.startswith(font.names) for face in plain if face)
    )


def _has_words(text: str) -> bool:
    """Whether a text has words and not letters one by one, whatever stands between them.

    >>> _has_words("Hkkjr ljdkj"), _has_words("A B C D E F"), _has_words("A-B-C-D-E-F"), _has_words(";B[ki];W[kg];B[pr]")
    (True, False, False, False)
    """
    tokens = text.split()
    characters = Counter("".join(tokens))
    size = characters.total()
    words = sum(len(token) for token in tokens if len(token) >= WORD)
    signs = sorted(count for char, count in characters.items() if char < "\x80" and not char.isalnum())
    if sum(signs[-1:]) > SIGN * size or sum(signs[-3:]) > SIGNS * size:
        return False
    return words >= WORDS * size > 0 and max(characters.values()) <= SEPARATOR * size


def _reads_as(font: Font, text: bytes, reader: TextReader, enough: float) -> str:
    """The label that converted text reads as, empty if it is in another script or like no text of its language."""
    if not _has_words(text.decode("utf-8", "replace")):
        return ""
    converted = font.convert_utf8(text).decode()
    found = reader.read_text(converted)
    best = found.guesses(1)
    if not best or found.letters < LETTERS * enough or len(set(converted)) < DISTINCT * enough:
        return ""
    if found.poor_fit or found.unknown > 0 or found.running_words < min(found.letters // LETTERS_A_WORD * enough, ROW):
        return ""
    name: str = reader.model.labels[best[0][0]]
    return name if name.partition("_")[2] == font.script else ""
