"""Fold words typed with look-alike letters of another script: the readable twin of native/text/homoglyphs.cpp."""

from __future__ import annotations

import itertools

from webtongue import _kernel

SHAPE_GROUPS = [_kernel.script_group(name) for name in ("Cyrl", "Grek", "Latn")]  # they share letter shapes
LATIN, CYRILLIC = SHAPE_GROUPS[2], SHAPE_GROUPS[0]
PALOCHKA = "\u04cf"
NONE = 0


def group_of(char: str) -> int:
    """Return the script group of a letter, or 0 for an apostrophe or a mark of any script."""
    script = _kernel.script_of(ord(char))
    return 0 if char == "'" or script <= 2 else _kernel.script_group(_kernel.script_names()[script])


def lower(char: str) -> str:
    return "i" if char == "\u0130" else char.lower() if len(char.lower()) == 1 else char


def look_alike(char: str, group: int) -> str:
    code = _kernel.homoglyph(ord(char), group)
    return chr(code) if code else ""


def has_acronym(word: str) -> bool:
    """Return True for a name in capitals with an ending in another script."""
    letters = [c if group_of(c) else " " for c in word]
    small = {group_of(c) for c in letters if group_of(c) and lower(c) == c}
    capitals = 0
    for first, second in itertools.pairwise(letters):
        if lower(first) != first and lower(second) != second and group_of(first) == group_of(second):
            capitals = group_of(first)
    return bool(capitals and small and capitals not in small)


def can_fold(word: str, group: int) -> bool:
    foreign = [c for c in word if group_of(c) not in (0, group)]
    return all(look_alike(c, group) for c in foreign)


def find_intended_group(word: str, previous_group: int) -> int:
    """Return the group that a word of several scripts is meant to be in, or 0 if it cannot be in one."""
    if has_acronym(word):
        return NONE
    groups = [group_of(c) for c in word]
    fit = [g for g in SHAPE_GROUPS if g in groups and can_fold(word, g)]
    return max(fit, key=lambda g: len(word) + 1 if g == previous_group else groups.count(g), default=NONE)


def fold_word(word: str, group: int) -> str:
    words = ""
    for at, char in enumerate(word):
        if group_of(char) in (0, group):
            words += lower(char)
        elif char == "I" and group == CYRILLIC and at and lower(word[at - 1]) == word[at - 1]:
            words += PALOCHKA
        else:
            words += look_alike(char, group)
    return words


def parts(word: str) -> list[tuple[str, int]]:
    """Return the parts of a word, split where the script changes."""
    words: list[tuple[str, int]] = []
    for char in word:
        group = group_of(char)
        if words and group in (0, words[-1][1]):
            words[-1] = (words[-1][0] + char, words[-1][1])
        else:
            words.append((char, group))
    return [("".join(map(lower, part)), group) for part, group in words]


class Folder:
    """Fold the words of a text: words as written in, (lower-case word, group) out."""

    def __init__(self) -> None:
        self.count, self.previous_group, self.folded_group = 0, NONE, NONE

    def take(self, word: str) -> list[tuple[str, int]]:
        groups = {group_of(c) for c in word} - {0}
        first = next(group for group in map(group_of, word) if group)
        target_group = NONE
        if len(groups) > 1:
            target_group = find_intended_group(word, self.previous_group)
        elif (
            self.count
            and first in SHAPE_GROUPS
            and self.previous_group == self.folded_group != first
            and can_fold(word, self.folded_group)
        ):
            target_group = self.folded_group
        words = [(fold_word(word, target_group), target_group)] if target_group else parts(word)
        if target_group:
            self.count, self.folded_group = self.count + 1, target_group
        self.previous_group = words[-1][1]
        return words
