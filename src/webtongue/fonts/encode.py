"""Unicode text as the glyphs of a font: how text for training and measuring is made.

>>> encode("भारत", font("krutidev")), encode("কৌশল", font("sutonnymj")), encode("中", font("krutidev"))
('Hkkjr', '‡KŠkj', None)
"""

from __future__ import annotations

import random
import re
import unicodedata
from functools import cache

from webtongue.fonts.scripts import CONSONANT, JOINER, MARK, MEDIAL, NUKTA
from webtongue.fonts.tables import Font, font

__all__ = ["encode"]

SECOND = (
    0.1  # how often another than the first sequence of a character is taken, where it has several and variety is asked
)
# Characters that look the same in a font.
SAME = str.maketrans({"\u200b": None, "\u200c": None, "\ufeff": None, "\u00a0": " ", "…": "...", "–": "-", "—": "-"})
SPLIT = ("Beng", "Orya", "Taml", "Knda", "Mlym", "Sinh")  # scripts with vowel signs of several parts
CHILLU = {"ണ്\u200d": "ൺ", "ന്\u200d": "ൻ", "ര്\u200d": "ർ", "ല്\u200d": "ൽ", "ള്\u200d": "ൾ"}


def encode(text: str, of: Font, variety: random.Random | None = None) -> str | None:
    """Text in a font, None where the font cannot draw it. ``variety`` takes other sequences for a character now and then."""
    writer = _writer(of.name)
    text = text.translate(SAME)
    for old, new in CHILLU.items():
        text = text.replace(old, new)
    out = []
    for piece in writer.syllables.findall(text):
        drawn = writer.draw(piece, variety)
        if drawn is None:
            return None
        out.append(drawn)
    return "".join(out)


class _Writer:
    """A font the other way round: from characters to sequences, the longest first."""

    def __init__(self, of: Font) -> None:
        self.low = of.places.low
        self.moved = {kind: _by_text(of, kind) for kind in ("pre", "reph", "sub")}
        for kind, found in self.moved.items():  # the longest are looked for first
            self.moved[kind] = dict(sorted(found.items(), key=lambda item: -len(item[0])))
        self.split = of.script in SPLIT
        self.plain = {_decompose(t) if self.split else t: found for t, found in _by_text(of, "").items()}
        self.longest = max(map(len, self.plain), default=1)
        self.keys = {g.sequence[0] for g in of.glyphs} - {" "}
        self.own = of.script == "Mymr" and "\u1039" in self.keys  # characters of the script itself are glyphs
        self.parts = [(parts, whole) for parts, whole in of.fixes if of.script == "Khmr" and parts.startswith("េ")]
        self.subscripts = re.compile("|".join(map(re.escape, self.moved["sub"])))
        self.syllables = _pattern(of)
        drawn = {text: sequences[0] for text, sequences in self.plain.items() if text.isdecimal() and len(text) == 1}
        self.digits = [next((s for t, s in drawn.items() if t != str(d) and int(t) == d), "") for d in range(10)]

    def draw(self, syllable: str, variety: random.Random | None) -> str | None:
        """The sequences of one syllable, or of a character that is none."""
        if len(syllable) == 1 and syllable not in self.plain:
            return self.write(syllable, variety)
        reph, low = "", ""
        for text, sequences in self.moved["reph"].items():
            if syllable.startswith(text) and len(syllable) > len(text):
                syllable, reph = syllable[len(text) :], _pick(sequences, variety)
        if self.split:
            syllable = _decompose(syllable)
        for parts, whole in self.parts:
            syllable = syllable.replace(whole, parts)
        before = []
        for text, sequences in self.moved["pre"].items():
            if (at := syllable.find(text)) >= 0:
                syllable = syllable[:at] + "\0" * len(text) + syllable[at + len(text) :]
                before.append((at, _pick(sequences, variety)))
        syllable = syllable.replace("\0", "")
        pre = "".join(sequence for _, sequence in sorted(before, reverse=True))  # what is written last is drawn first
        if self.low and (below := self.subscripts.findall(syllable)):
            syllable = self.subscripts.sub("", syllable)
            low = "".join(_pick(self.moved["sub"][text], variety) for text in below)
        body = self.write(syllable, variety)
        return None if body is None else pre + body + low + reph

    def write(self, text: str, variety: random.Random | None) -> str | None:
        """Characters in their order, by the longest sequences that fit."""
        out, at = "", 0
        while at < len(text):
            for length in range(min(self.longest, len(text) - at), 0, -1):
                part = text[at : at + length]
                found = self.plain.get(part) or self.moved["sub"].get(part)
                if found:
                    out += _pick(found, variety)
                    break
            else:
                length = 1
                part = text[at]
                letter = ord(part) > 0xFF and unicodedata.category(part)[0] in "LMN"
                if part in self.keys and part.isdigit() and self.digits[int(part)]:
                    part = self.digits[int(part)]  # the font has no other digits than its script's
                elif part in self.keys or (letter and not self.own):
                    return None
                out += part
            at += length
        return out


@cache
def _writer(name: str) -> _Writer:
    return _Writer(font(name))


def _by_text(of: Font, kind: str) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for glyph in of.glyphs:
        if glyph.kind == kind and not glyph.after and glyph.text:
            out.setdefault(glyph.text, []).append(glyph.sequence)
    return out


def _pick(sequences: list[str], variety: random.Random | None) -> str:
    if variety is None or len(sequences) == 1 or variety.random() >= SECOND:
        return sequences[0]
    return variety.choice(sequences[1:])


def _decompose(syllable: str) -> str:
    """Vowel signs in their parts; letters that have a dot stay composed of letter and dot, as they are."""
    return "".join(unicodedata.normalize("NFD", c) if unicodedata.category(c)[0] == "M" else c for c in syllable)


def _pattern(of: Font) -> re.Pattern[str]:
    """Syllables of the font's script, then any character."""
    places = of.places

    def chars(*wanted: int) -> str:
        return (
            "".join(re.escape(chr(places.base + i)) for i, code in enumerate(places.places) if code & 7 in wanted)
            or "\uffff"
        )

    consonant, nukta, joiner = chars(CONSONANT), chars(NUKTA), chars(JOINER)
    join = "\u0dca\u200d" if of.script == "Sinh" else f"[{joiner}]\u200d?"
    kinzi = "(?:\u1004\u103a\u1039)?" if of.script == "Mymr" else ""
    letter = f"[{consonant}][{nukta}]?"
    return re.compile(f"{kinzi}{letter}(?:{join}{letter})*(?:{join})?[{chars(MEDIAL)}]*[{chars(MARK)}]*|.", re.DOTALL)
