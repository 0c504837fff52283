"""Words typed with letters of another script: native/text/homoglyphs.cpp, readably."""

from __future__ import annotations

import itertools

from webtongue import _kernel

SHAPED = [_kernel.script_group(name) for name in ("Cyrl", "Grek", "Latn")]  # they share shapes of letters
LATIN, CYRILLIC = SHAPED[2], SHAPED[0]
PALOCHKA = "\u04cf"
NONE = 0


def group_of(char: str) -> int:
    """The script group of a letter, 0 for an apostrophe or a mark that goes with any."""
    script = _kernel.script_of(ord(char))
    return 0 if char == "'" or script <= 2 else _kernel.script_group(_kernel.script_names()[script])


def lower(char: str) -> str:
    return "i" if char == "\u0130" else char.lower() if len(char.lower()) == 1 else char


def twin(char: str, group: int) -> str:
    code = _kernel.homoglyph(ord(char), group)
    return chr(code) if code else ""


def has_acronym(written: str) -> bool:
    """A name in capitals with an ending in another script: no small letter is of the capitals' script."""
    letters = [c if group_of(c) else " " for c in written]
    small = {group_of(c) for c in letters if group_of(c) and lower(c) == c}
    capitals = 0
    for one, other in itertools.pairwise(letters):
        if lower(one) != one and lower(other) != other and group_of(one) == group_of(other):
            capitals = group_of(one)
    return bool(capitals and small and capitals not in small)


def can_be_in(written: str, group: int) -> bool:
    foreign = [c for c in written if group_of(c) not in (0, group)]
    return all(twin(c, group) for c in foreign)


def group_meant(written: str, before: int) -> int:
    """The group that a word of several is meant in, 0 where it cannot be in one."""
    if has_acronym(written):
        return NONE
    groups = [group_of(c) for c in written]
    fit = [g for g in SHAPED if g in groups and can_be_in(written, g)]
    return max(fit, key=lambda g: len(written) + 1 if g == before else groups.count(g), default=NONE)


def folded(written: str, group: int) -> str:
    out = ""
    for at, char in enumerate(written):
        if group_of(char) in (0, group):
            out += lower(char)
        elif char == "I" and group == CYRILLIC and at and lower(written[at - 1]) == written[at - 1]:
            out += PALOCHKA
        else:
            out += twin(char, group)
    return out


def parts(written: str) -> list[tuple[str, int]]:
    """A word cut where the script changes."""
    out: list[tuple[str, int]] = []
    for char in written:
        group = group_of(char)
        if out and group in (0, out[-1][1]):
            out[-1] = (out[-1][0] + char, out[-1][1])
        else:
            out.append((char, group))
    return [("".join(map(lower, part)), group) for part, group in out]


class Folder:
    """What a text's words are handed through: written as they stand, and out as (word in lower case, group)."""

    def __init__(self) -> None:
        self.count, self.before, self.meant = 0, NONE, NONE

    def take(self, written: str) -> list[tuple[str, int]]:
        groups = {group_of(c) for c in written} - {0}
        first = next(group for group in map(group_of, written) if group)
        into = NONE
        if len(groups) > 1:
            into = group_meant(written, self.before)
        elif self.count and first in SHAPED and self.before == self.meant != first and can_be_in(written, self.meant):
            into = self.meant
        out = [(folded(written, into), into)] if into else parts(written)
        if into:
            self.count, self.meant = self.count + 1, into
        self.before = out[-1][1]
        return out
