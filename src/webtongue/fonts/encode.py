"""Encode Unicode text as the glyph sequences of a legacy font, for training and measuring.

>>> encode("भारत", load_font("krutidev")), encode("কৌশল", load_font("sutonnymj")), encode("中", load_font("krutidev"))
('Hkkjr', '‡KŠkj', None)
"""

from __future__ import annotations

import random
import re
import unicodedata
from functools import cache

from webtongue.fonts.syllables import CONSONANT, JOINER, MARK, MEDIAL, NUKTA, RANK_FACTOR
from webtongue.fonts.tables import Font, load_font

__all__ = ["encode"]

OTHER_SEQUENCE_RATE = 0.1  # rate of sequences other than the first one of a character
# Characters that look the same in a font.
SAME_LOOK = str.maketrans(
    {"\u200b": None, "\u200c": None, "\ufeff": None, "\u00a0": " ", "…": "...", "–": "-", "—": "-"}
)
SPLIT_VOWEL_SCRIPTS = ("Beng", "Orya", "Taml", "Knda", "Mlym", "Sinh")  # scripts with vowel signs of several parts
CHILLU = {"ണ്\u200d": "ൺ", "ന്\u200d": "ൻ", "ര്\u200d": "ർ", "ല്\u200d": "ൽ", "ള്\u200d": "ൾ"}


def encode(text: str, font: Font, rng: random.Random | None = None) -> str | None:
    """Return a text for a font, or None if the font lacks a character; ``rng`` sometimes chooses other sequences."""
    encoder = _encoder(font.name)
    text = text.translate(SAME_LOOK)
    for old, new in CHILLU.items():
        text = text.replace(old, new)
    result = []
    for syllable in encoder.syllables.findall(text):
        sequences = encoder.encode_syllable(syllable, rng)
        if sequences is None:
            return None
        result.append(sequences)
    return "".join(result)


class _Encoder:
    """A font from characters to sequences, the longest first."""

    def __init__(self, font: Font) -> None:
        self.has_low_subscripts = font.roles.has_low_subscripts
        moved = {kind: _sequences_by_text(font, kind) for kind in ("pre", "reph", "sub")}
        self.moved = {
            kind: dict(sorted(sequences.items(), key=lambda item: -len(item[0]))) for kind, sequences in moved.items()
        }
        self.splits_vowels = font.script in SPLIT_VOWEL_SCRIPTS
        plain = _sequences_by_text(font, "")
        self.plain = {_decompose(text) if self.splits_vowels else text: sequences for text, sequences in plain.items()}
        self.max_chars = max(map(len, self.plain), default=1)
        self.first_chars = {g.sequence[0] for g in font.glyphs} - {" "}
        self.uses_own_script = font.script == "Mymr" and "\u1039" in self.first_chars
        self.split_fixes = [fix for fix in font.fixes if font.script == "Khmr" and fix[0].startswith("េ")]
        self.subscripts = re.compile("|".join(map(re.escape, self.moved["sub"])))
        self.syllables = _syllable_pattern(font)
        digits = {text: sequences[0] for text, sequences in self.plain.items() if text.isdecimal() and len(text) == 1}
        self.digits = [next((s for t, s in digits.items() if t != str(d) and int(t) == d), "") for d in range(10)]

    def encode_syllable(self, syllable: str, rng: random.Random | None) -> str | None:
        """Return the sequences of a syllable or of another character."""
        if len(syllable) == 1 and syllable not in self.plain:
            return self.encode_in_order(syllable, rng)
        reph, low = "", ""
        for text, sequences in self.moved["reph"].items():
            if syllable.startswith(text) and len(syllable) > len(text):
                syllable, reph = syllable[len(text) :], _choose(sequences, rng)
        if self.splits_vowels:
            syllable = _decompose(syllable)
        for parts, whole in self.split_fixes:
            syllable = syllable.replace(whole, parts)
        before = []
        for text, sequences in self.moved["pre"].items():
            if (at := syllable.find(text)) >= 0:
                syllable = syllable[:at] + "\0" * len(text) + syllable[at + len(text) :]
                before.append((at, _choose(sequences, rng)))
        syllable = syllable.replace("\0", "")
        pre = "".join(sequence for _, sequence in sorted(before, reverse=True))  # the last one is drawn first
        if self.has_low_subscripts and (below := self.subscripts.findall(syllable)):
            syllable = self.subscripts.sub("", syllable)
            low = "".join(_choose(self.moved["sub"][text], rng) for text in below)
        body = self.encode_in_order(syllable, rng)
        return None if body is None else pre + body + low + reph

    def encode_in_order(self, text: str, rng: random.Random | None) -> str | None:
        """Return characters in their order, by the longest sequences that fit."""
        result, at = "", 0
        while at < len(text):
            for length in range(min(self.max_chars, len(text) - at), 0, -1):
                part = text[at : at + length]
                sequences = self.plain.get(part) or self.moved["sub"].get(part)
                if sequences:
                    result += _choose(sequences, rng)
                    break
            else:
                length = 1
                part = text[at]
                is_letter = ord(part) > 0xFF and unicodedata.category(part)[0] in "LMN"
                if part in self.first_chars and part.isdigit() and self.digits[int(part)]:
                    part = self.digits[int(part)]  # the font has only digits of its script
                elif part in self.first_chars or (is_letter and not self.uses_own_script):
                    return None
                result += part
            at += length
        return result


@cache
def _encoder(name: str) -> _Encoder:
    return _Encoder(load_font(name))


def _sequences_by_text(font: Font, kind: str) -> dict[str, list[str]]:
    sequences: dict[str, list[str]] = {}
    for glyph in font.glyphs:
        if glyph.kind == kind and not glyph.after and glyph.text:
            sequences.setdefault(glyph.text, []).append(glyph.sequence)
    return sequences


def _choose(sequences: list[str], rng: random.Random | None) -> str:
    if rng is None or len(sequences) == 1 or rng.random() >= OTHER_SEQUENCE_RATE:
        return sequences[0]
    return rng.choice(sequences[1:])


def _decompose(syllable: str) -> str:
    """Return a syllable with vowel signs split into their parts; letters with a dot are kept."""
    return "".join(unicodedata.normalize("NFD", c) if unicodedata.category(c)[0] == "M" else c for c in syllable)


def _syllable_pattern(font: Font) -> re.Pattern[str]:
    """Return a pattern of syllables of the font's script, and of any other character."""
    roles = font.roles

    def chars(*wanted: int) -> str:
        codes = enumerate(roles.codes)
        members = [re.escape(chr(roles.base + i)) for i, code in codes if code & (RANK_FACTOR - 1) in wanted]
        return "".join(members) or "\uffff"

    consonant, nukta, joiner = chars(CONSONANT), chars(NUKTA), chars(JOINER)
    join = "\u0dca\u200d" if font.script == "Sinh" else f"[{joiner}]\u200d?"
    kinzi = "(?:\u1004\u103a\u1039)?" if font.script == "Mymr" else ""
    letter = f"[{consonant}][{nukta}]?"
    return re.compile(f"{kinzi}{letter}(?:{join}{letter})*(?:{join})?[{chars(MEDIAL)}]*[{chars(MARK)}]*|.", re.DOTALL)
