"""Split a block where its language may change: the readable twin of native/text/sentences.cpp."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from tests.twins.text.junk import UNICODE_SPACES
from webtongue import _kernel

COARSE, FINE = (28, 1 << 32), (12, 32)  # minimum letters of a part; letters from which it is cut between two words
OTHER_SCRIPT, RUN, LATIN_RUN, LATIN_WORDS, DENSE = 12, 28, 40, 6, 3
MARKS = set("。！？｡．।॥෴꯫؟۔։჻።፧፨၊။។៕།༎᠃᠉᙮꓿")
CLOSING = set("\"')]»«“”’›」』）】")
BLANK = UNICODE_SPACES | set(" \t\v\f\r\u200b")


def group_of(char: str, before: int) -> int | None:
    """Return the script group of a letter or mark, `before` for a mark of any script, None for other characters."""
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
    """State of one pass over a text; offsets are in code points."""

    min_letters: int
    max_letters: int
    cuts: list[int] = field(default_factory=list)
    part: int = 0  # letters of the current part
    ended: bool = False
    stop: bool = False
    needs_space: bool = False
    spaced: bool = False
    in_word: bool = False
    after_blank: bool = False
    is_cut_inside: bool = False
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
        self.opened, self.in_word, self.after_blank = None, False, spaced

    def sign(self, char: str, at: int) -> None:
        self.in_word = False
        self.after_blank = char in BLANK
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
        if may_begin:
            start = at if self.opened is None else self.opened
            self.begin(start, self.min_letters if group == self.group else OTHER_SCRIPT)
        elif self.part >= self.max_letters and not self.in_word and self.after_blank:
            self.begin(at, self.max_letters)
            self.is_cut_inside = True
        self.ended, self.opened = False, None
        self.follow(group, letters_of(char), at)
        self.part += letters_of(char)
        self.in_word = True

    def begin(self, at: int, enough: int) -> None:
        """Start a new part; the end of a sentence that was cut inside joins the part before it."""
        if self.part < enough and not self.is_cut_inside:
            return
        if self.part < enough:
            self.cuts.pop()
        self.is_cut_inside = False
        self.last_group = self.group
        self.cuts.append(at)
        self.part = self.run_letters = self.run_words = self.group = 0

    def follow(self, group: int, letters: int, at: int) -> None:
        """Track the script of the part, and a run in another script that may become a part."""
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
        if self.before_run >= self.min_letters:
            self.cuts.append(self.run_at)
            self.is_cut_inside = False
            self.part = self.run_letters - letters
        self.run_letters = self.run_words = 0


def cut_sentences(text: str, fine: bool = False) -> list[int]:
    """Return the start of each part except the first, in bytes of UTF-8."""
    cutter = Cutter(*(FINE if fine else COARSE))
    if len(text.encode()) < 2 * cutter.min_letters:
        return []
    for at, char in enumerate(text):
        group = group_of(char, cutter.group)
        if char == "\n":
            cutter.end(False, False, True)
        elif char in ".!?":
            cutter.end(char == ".", True, False)
        elif char in MARKS:
            cutter.end(False, False, False)
        elif group is not None:
            cutter.letter(char, group, at)
        else:
            cutter.sign(char, at)
    if cutter.cuts and cutter.part < (cutter.min_letters if cutter.group == cutter.last_group else OTHER_SCRIPT):
        cutter.cuts.pop()
    return [len(text[:cut].encode()) for cut in cutter.cuts]
