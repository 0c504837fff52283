"""The tables of fonts: which glyphs a font draws for which characters, and text converted by them.

>>> font("krutidev").convert("Hkkjr")
'भारत'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from webtongue import _kernel
from webtongue.files import DATA, rows
from webtongue.fonts.scripts import Script, script

__all__ = ["PREFIX", "Font", "Glyph", "font", "named"]

TABLES = DATA / "fonts"
FIXES = TABLES / "fixes.tsv"
PREFIX = "x-font-"  # what the name of a font begins with where it stands for an encoding
KINDS = ("", "pre", "reph", "sub")  # kinds of glyphs, by the kernel's numbers
ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sequence of a font, the characters it stands for, and how it stands to its syllable.

    ``kind``: "pre" is drawn before the syllable and written after it, "reph" the other way round, "sub" is drawn after the
    vowel signs and written before them. ``after`` is what a moved glyph leaves where it was drawn.
    """

    sequence: str
    text: str
    kind: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Font:
    """A font whose text is in another script than its characters say."""

    name: str
    script: str
    languages: tuple[str, ...]
    names: tuple[str, ...]  # how pages name it: the beginnings of font names in small letters, letters and digits only
    glyphs: tuple[Glyph, ...] = field(repr=False)
    fixes: tuple[tuple[str, str], ...] = field(repr=False)
    kernel: _kernel.Font = field(repr=False, compare=False)

    @property
    def encoding(self) -> str:
        """The name of the font as an encoding."""
        return PREFIX + self.name

    @property
    def places(self) -> Script:
        """What the code points of its script are to a syllable."""
        return script(self.script)

    def convert(self, text: str) -> str:
        """Text in the font as the characters it shows; what the font does not have stays.

        >>> font("bamini").convert("jkpo;"), font("nudi").convert("PÀ£ÀßqÀ")
        ('தமிழ்', 'ಕನ್ನಡ')
        """
        return self.convert_utf8(text.encode("utf-8", "replace")).decode()

    def convert_utf8(self, text: bytes) -> bytes:
        """The same for UTF-8; line feeds stay where they are."""
        out: bytes = self.kernel.convert(text)
        return out


@cache
def named() -> dict[str, Font]:
    """Every font by name."""
    return {path.stem: font(path.stem) for path in sorted(TABLES.glob("*.tsv")) if path != FIXES}


@cache
def font(name: str) -> Font:
    """A font by its name, without the prefix of an encoding."""
    head: dict[str, tuple[str, ...]] = {}
    glyphs = []
    for line in (TABLES / f"{name}.tsv").read_text("utf-8").splitlines():
        if line.startswith("#: "):
            key, *values = line[3:].split()
            head[key] = tuple(values)
        elif "\t" in line:
            glyphs.append(Glyph(*(ESCAPE.sub(lambda m: chr(int(m[1], 16)), cell) for cell in line.split("\t"))))
    of = head["script"][0]
    fixes = _fixes(of)
    places = script(of)
    kernel = _kernel.Font(
        [(g.sequence, g.text, KINDS.index(g.kind), g.after) for g in glyphs],
        [(pieces, whole, 0, "") for pieces, whole in fixes],
        places.base,
        places.places,
        places.low,
    )
    return Font(name, of, head["languages"], head["names"], tuple(glyphs), fixes, kernel)


@cache
def _fixes(of: str) -> tuple[tuple[str, str], ...]:
    return tuple((pieces, whole) for name, pieces, whole in rows(FIXES) if name == of)
