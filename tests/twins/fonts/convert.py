"""A readable twin of native/fonts/convert.cpp and native/fonts/guess.cpp: what the kernel must equal."""

from __future__ import annotations

from webtongue.fonts.scripts import CONSONANT, JOINER, MARK, MEDIAL, NUKTA
from webtongue.fonts.tables import Font, Glyph

ZWJ = "\u200d"
PENDING, CLUSTER = 4, 16
Drawn = str | Glyph


def convert(font: Font, text: str) -> str:
    """Text in a font as the characters it shows."""
    glyphs = sorted(font.glyphs, key=lambda g: -len(g.sequence))
    fixes = sorted(font.fixes, key=lambda fix: -len(fix[0]))
    drawn: list[Drawn] = []
    at = 0
    while at < len(text):
        glyph = next((g for g in glyphs if text.startswith(g.sequence, at)), None)
        if glyph is None:
            drawn.append(text[at])
        elif glyph.kind:
            drawn += [glyph, *glyph.after]
        else:
            drawn += glyph.text
        at += len(glyph.sequence) if glyph else 1
    ordered = order_marks(font, reorder(font, fix(drawn, fixes)))
    return "".join(str(c) for c in fix(ordered, fixes))


def fix(drawn: list[Drawn], fixes: list[tuple[str, str]]) -> list[Drawn]:
    out: list[Drawn] = []
    at = 0
    while at < len(drawn):
        for pieces, whole in fixes:
            if drawn[at : at + len(pieces)] == list(pieces):
                out += whole
                at += len(pieces)
                break
        else:
            out.append(drawn[at])
            at += 1
    return out


def reorder(font: Font, drawn: list[Drawn]) -> list[Drawn]:
    """Signs drawn before a syllable go behind it, superscripts before it, subscripts before its vowel signs."""
    place = font.places.place
    out: list[str] = []
    held: list[Glyph] = []
    begun = False

    def flush() -> None:
        nonlocal begun
        while held:
            out.extend(held.pop().text)
        begun = False

    for i, item in enumerate(drawn):
        if isinstance(item, str):
            here = JOINER if i + 1 < len(drawn) and drawn[i + 1] == ZWJ else place(item)
            if held:
                joined = bool(out) and place(out[-1]) == JOINER
                if (joined or here in (NUKTA, JOINER, MEDIAL)) if begun else here == CONSONANT:
                    begun = True
                else:
                    flush()
            out.append(item)
        elif item.kind == "pre":
            if begun or len(held) == PENDING:
                flush()
            held.append(item)
        elif item.kind == "sub" and held:
            out.extend(item.text)
        else:
            flush()
            at = insertion(font, out, item.kind)
            out[at:at] = item.text
    flush()
    return list(out)


def insertion(font: Font, out: list[str], kind: str) -> int:
    at, least = len(out), max(len(out) - CLUSTER, 0)

    def back(wanted: int) -> bool:
        return at > least and font.places.place(out[at - 1]) == wanted

    while back(MARK):
        at -= 1
    if kind == "sub":
        return at - 1 if font.places.low and back(JOINER) else at
    while back(MEDIAL):
        at -= 1
    while True:
        while back(JOINER):
            at -= 1
        while back(NUKTA):
            at -= 1
        if back(CONSONANT):
            at -= 1
        if not back(JOINER):
            return at


def order_marks(font: Font, text: list[Drawn]) -> list[Drawn]:
    """Marks that have a rank, side by side, in the order of their ranks."""
    out: list[Drawn] = []
    run: list[Drawn] = []
    for char in [*text, ""]:
        rank = _rank(font, str(char))
        if rank:
            run.append(char)
            continue
        out += sorted(run, key=lambda c: _rank(font, str(c)))
        run = []
        out.append(char)
    return out[:-1]


def _rank(font: Font, char: str) -> int:
    at = ord(char) - font.places.base if char else -1
    return font.places.places[at] >> 3 if 0 <= at < len(font.places.places) else 0
