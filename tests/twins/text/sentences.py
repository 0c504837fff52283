"""Where a block of text may change its language, readably: the twin of native/text/sentences.cpp."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from webtongue import _kernel

SENTENCE, OTHER_SCRIPT, RUN, LATIN_RUN, LATIN_WORDS, DENSE = 28, 12, 28, 40, 6, 3
MARKS = set("。！？｡．।॥෴꯫؟۔։჻።፧፨၊။។៕།༎᠃᠉᙮꓿")
CLOSING = set("\"')]»«“”’›」』）】")
BLANK = set(" \t\r\u00a0\u3000\u200b")


def group_of(char: str, before: int) -> int | None:
    """The script group of a letter or mark, that of the text before where it is of any; None for all else."""
    if unicodedata.category(char)[0] not in "LM":
        return None
    script = _kernel.script_of(ord(char))
    return before if script <= 2 else _kernel.script_group(_kernel.script_names()[script])


LATIN = group_of("a", 0)


def letters_of(char: str) -> int:
    code = ord(char)
    return DENSE if 0x3040 <= code < 0xA000 or 0xAC00 <= code < 0xD7B0 or code >= 0x20000 else 1


@dataclass
class Cutter:
    """Walks over a text; offsets are of code points here."""

    cuts: list[int] = field(default_factory=list)
    part: int = 0  # letters of the part that is being read
    ended: bool = False
    stop: bool = False
    needs_space: bool = False
    spaced: bool = False
    in_word: bool = False
    opened: int | None = None
    group: int = 0
    last_group: int = 0
    run_group: int = 0
    run_at: int = 0
    before_run: int = 0
    run_letters: int = 0
    run_words: int = 0

    def end(self, stop: bool, needs_space: bool, spaced: bool) -> None:
        self.ended, self.stop, self.needs_space, self.spaced = True, stop, needs_space, spaced
        self.opened, self.in_word = None, False

    def sign(self, char: str, at: int) -> None:
        self.in_word = False
        if char in BLANK:
            self.spaced = True
        elif self.ended and not self.spaced and char in CLOSING:
            return
        elif self.ended and self.needs_space and not self.spaced:
            self.ended = False
        elif self.ended and self.opened is None:
            self.opened = at

    def letter(self, char: str, group: int, at: int) -> None:
        may_begin = self.ended and (self.spaced or not self.needs_space) and not (self.stop and "a" <= char <= "z")
        if may_begin and self.part >= (SENTENCE if group == self.group else OTHER_SCRIPT):
            self.last_group = self.group
            self.cuts.append(at if self.opened is None else self.opened)
            self.part = self.run_letters = self.run_words = self.group = 0
        self.ended, self.opened = False, None
        self.follow(group, letters_of(char), at)
        self.part += letters_of(char)
        self.in_word = True

    def follow(self, group: int, letters: int, at: int) -> None:
        """Text in one script, and a run of another that may become a part."""
        if self.group in (group, 0):
            self.group, self.run_letters, self.run_words = group, 0, 0
            return
        if not self.run_letters or group != self.run_group:
            self.run_group, self.run_at, self.before_run = group, at, self.part
            self.run_letters = self.run_words = 0
        self.run_words += letters > 1 or not self.in_word
        self.run_letters += letters
        if self.run_letters < (LATIN_RUN if group == LATIN else RUN) or (
            group == LATIN and self.run_words < LATIN_WORDS
        ):
            return
        self.last_group, self.group = self.group, group
        if self.before_run >= SENTENCE:
            self.cuts.append(self.run_at)
            self.part = self.run_letters - letters
        self.run_letters = self.run_words = 0


def cut_sentences(text: str) -> list[int]:
    """Where each part but the first begins, in bytes of UTF-8."""
    if len(text.encode()) < 2 * SENTENCE:
        return []
    found = Cutter()
    for at, char in enumerate(text):
        group = group_of(char, found.group)
        if char == "\n":
            found.end(False, False, True)
        elif char in ".!?":
            found.end(char == ".", True, False)
        elif char in MARKS:
            found.end(False, False, False)
        elif group is not None:
            found.letter(char, group, at)
        else:
            found.sign(char, at)
    if found.cuts and found.part < (SENTENCE if found.group == found.last_group else OTHER_SCRIPT):
        found.cuts.pop()
    return [len(text[:cut].encode()) for cut in found.cuts]
