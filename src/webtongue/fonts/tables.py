"""Tables of legacy fonts: glyph sequences and their characters, and conversion by them.

>>> load_font("krutidev").convert("Hkkjr")
'भारत'
"""

from __future__ import annotations

import re
from functools import cache

from webtongue import _kernel
from webtongue.files import DATA, read_rows
from webtongue.fonts.syllables import SyllableRoles, syllable_roles
from webtongue.records import dataclass, field

__all__ = ["PREFIX", "Font", "Glyph", "all_fonts", "load_font"]

TABLES = DATA / "fonts"
FIXES = TABLES / "fixes.tsv"
PREFIX = "x-font-"  # prefix of the names of fonts as encodings
GLYPH_KINDS = ("", "pre", "reph", "sub")  # by the kernel's numbers
ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sequence of a font, its characters, and its position relative to the syllable.

    ``kind`` "pre" is drawn before the syllable and encoded after it, "reph" the other way round, and "sub" is drawn after the vowel
    signs and encoded before them. ``after`` is text that stays where a moved glyph is drawn.
    """

    sequence: str
    text: str
    kind: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Font:
    """A font that draws characters of one script as another script."""

    name: str
    script: str
    languages: tuple[str, ...]
    names: tuple[str, ...]  # prefixes of its names on pages, in lower case, letters and digits only
    glyphs: tuple[Glyph, ...] = field(repr=False)
    fixes: tuple[tuple[str, str], ...] = field(repr=False)
    kernel: _kernel.Font = field(repr=False, compare=False)

    @property
    def encoding(self) -> str:
        """The name of the font as an encoding."""
        return PREFIX + self.name

    @property
    def roles(self) -> SyllableRoles:
        """The roles of the code points of its script in a syllable."""
        return syllable_roles(self.script)

    def convert(self, text: str) -> str:
        """Return text for the font as Unicode; characters that the font lacks are kept.

        >>> load_font("bamini").convert("jkpo;"), load_font("nudi").convert("PÀ£ÀßqÀ")
        ('தமிழ்', 'ಕನ್ನಡ')
        """
        return self.convert_utf8(text.encode("utf-8", "replace")).decode()

    def convert_utf8(self, text: bytes) -> bytes:
        """Return text for the font in UTF-8 as Unicode in UTF-8; line feeds are kept."""
        return self.kernel.convert(text)


@cache
def all_fonts() -> dict[str, Font]:
    """Return all fonts by name."""
    return {path.stem: load_font(path.stem) for path in sorted(TABLES.glob("*.tsv")) if path != FIXES}


@cache
def load_font(name: str) -> Font:
    """Read a font by its name without the prefix of an encoding."""
    head: dict[str, tuple[str, ...]] = {}
    glyphs = []
    for line in (TABLES / f"{name}.tsv").read_text("utf-8").splitlines():
        if line.startswith("#: "):
            key, *values = line[3:].split()
            head[key] = tuple(values)
        elif "\t" in line:
            glyphs.append(Glyph(*(ESCAPE.sub(lambda m: chr(int(m[1], 16)), cell) for cell in line.split("\t"))))
    script = head["script"][0]
    fixes = tuple((parts, whole) for code, parts, whole in read_rows(FIXES) if code == script)
    roles = syllable_roles(script)
    kernel = _kernel.Font(
        [(g.sequence, g.text, GLYPH_KINDS.index(g.kind), g.after) for g in glyphs],
        [(parts, whole, 0, "") for parts, whole in fixes],
        roles.base,
        roles.codes,
        roles.has_low_subscripts,
    )
    return Font(name, script, head["languages"], head["names"], tuple(glyphs), fixes, kernel)
