"""Which font a text was written for: suspected from pairs of bytes, confirmed by the language model on the converted text."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from webtongue import _kernel
from webtongue.errors import ModelError
from webtongue.fonts.tables import Font, named
from webtongue.text import unfit
from webtongue.text.model import Reader

__all__ = ["Found", "find", "load"]

DEFAULT = Path(__file__).parent.parent / "models" / "fonts.wtf"
SAMPLE = 1 << 16  # bytes of text that the font is found on
CONFIRM = 3000  # bytes of converted text that the language model reads
LIKELY = 120  # tenths of a nat by which a line must read better as a font's to speak for the font
TRIED = 3  # fonts that are converted and read
LETTERS = 12  # converted letters that are enough to be sure of


@dataclass(frozen=True, slots=True)
class Found:
    """A font, how sure it is, and the label that its text reads as."""

    font: Font
    number: int
    confidence: float
    label: str


@cache
def load(path: Path = DEFAULT) -> Any:
    """Map the font model."""
    try:
        with path.open("rb") as file:
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _kernel.FontGuess(memory)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a font model that can be used: {error}") from error


def find(text: bytes, reader: Reader, hints: tuple[str, ...] = ()) -> Found | None:
    """The font of a suspected text in UTF-8, a line a block; None where no font makes it read like a language."""
    guess = load()
    sample = text[:SAMPLE]
    lines = sample.split(b"\n")
    fonts, margins = guess.lines(sample, 0)
    weight: dict[int, int] = {}
    for line, font, margin in zip(lines, fonts, margins, strict=True):
        if font and margin >= LIKELY:
            weight[font] = weight.get(font, 0) + len(line)
    best: Found | None = None
    for number in sorted(weight, key=lambda n: -weight[n])[:TRIED]:
        font = named()[guess.names[number]]
        found = _confirm(font, number, _lines_of(lines, guess.lines(sample, number)[1]), reader)
        if found and (best is None or found.confidence > best.confidence):
            best = found
    return best


def _lines_of(lines: list[bytes], margins: list[int]) -> bytes:
    return b"\n".join(line for line, margin in zip(lines, margins, strict=True) if margin > 0)[:CONFIRM]


def _confirm(font: Font, number: int, text: bytes, reader: Reader) -> Found | None:
    """Whether converted text reads like one of the font's languages."""
    converted = font.convert_utf8(text)
    found = reader.read_text(converted)
    best = found.guesses(1)
    if not best or found.letters < LETTERS:
        return None
    label, log = best[0]
    name = reader.model.labels[label]
    if name.partition("_")[2] != font.script or unfit(reader.model, label, found):
        return None
    return Found(font, number, 0.9, name)
