"""A readable twin of native/fonts/convert.cpp."""

from __future__ import annotations

from webtongue.fonts.syllables import CONSONANT, JOINER, MARK, MEDIAL, NUKTA
from webtongue.fonts.tables import Font, Glyph

ZWJ = "\u200d"
MAX_PENDING, MAX_CLUSTER_CHARS = 4, 16
Item = str | Glyph


def convert(font: Font, text: str) -> str:
    """Return text for a font as Unicode."""
    glyphs = sorted(font.glyphs, key=lambda g: -len(g.sequence))
    fixes = sorted(font.fixes, key=lambda fix: -len(fix[0]))
    items: list[Item] = []
    at = 0
    while at < len(text):
        glyph = next((g for g in glyphs if text.startswith(g.sequence, at)), None)
        if glyph is None:
            items.append(text[at])
        elif glyph.kind:
            items += [glyph, *glyph.after]
        else:
            items += glyph.text
        at += len(glyph.sequence) if glyph else 1
    ordered = order_marks(font, reorder(font, fix(items, fixes)))
    return "".join(str(c) for c in fix(ordered, fixes))


def fix(items: list[Item], fixes: list[tuple[str, str]]) -> list[Item]:
    result: list[Item] = []
    at = 0
    while at < len(items):
        for parts, whole in fixes:
            if items[at : at + len(parts)] == list(parts):
                result += whole
                at += len(parts)
                break
        else:
            result.append(items[at])
            at += 1
    return result


def reorder(font: Font, items: list[Item]) -> list[Item]:
    """Move signs that are drawn before a syllable behind it, superscripts before it, subscripts before its vowel signs."""
    role = font.roles.role
    result: list[str] = []
    held: list[Glyph] = []
    begun = False

    def flush() -> None:
        nonlocal begun
        while held:
            result.extend(held.pop().text)
        begun = False

    for i, item in enumerate(items):
        if isinstance(item, str):
            here = JOINER if i + 1 < len(items) and items[i + 1] == ZWJ else role(item)
            if held:
                joined = bool(result) and role(result[-1]) == JOINER
                if (joined or here in (NUKTA, JOINER, MEDIAL)) if begun else here == CONSONANT:
                    begun = True
                else:
                    flush()
            result.append(item)
        elif item.kind == "pre":
            if begun or len(held) == MAX_PENDING:
                flush()
            held.append(item)
        elif item.kind == "sub" and held:
            result.extend(item.text)
        else:
            flush()
            at = insertion(font, result, item.kind)
            result[at:at] = item.text
    flush()
    return list(result)


def insertion(font: Font, result: list[str], kind: str) -> int:
    at, least = len(result), max(len(result) - MAX_CLUSTER_CHARS, 0)

    def back(role: int) -> bool:
        return at > least and font.roles.role(result[at - 1]) == role

    while back(MARK):
        at -= 1
    if kind == "sub":
        return at - 1 if font.roles.has_low_subscripts and back(JOINER) else at
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


def order_marks(font: Font, text: list[Item]) -> list[Item]:
    """Sort adjacent marks by rank."""
    result: list[Item] = []
    run: list[Item] = []
    for char in [*text, ""]:
        rank = _rank(font, str(char))
        if rank:
            run.append(char)
            continue
        result += sorted(run, key=lambda c: _rank(font, str(c)))
        run = []
        result.append(char)
    return result[:-1]


def _rank(font: Font, char: str) -> int:
    at = ord(char) - font.roles.base if char else -1
    return font.roles.codes[at] >> 3 if 0 <= at < len(font.roles.codes) else 0
