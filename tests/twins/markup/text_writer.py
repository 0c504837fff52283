"""Text with folded whitespace, divided into blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.twins.markup import entities

SPACE = b"\t\n\f\r "


@dataclass
class Writer:
    """Text with folded whitespace, divided into blocks."""

    utf8: bool
    text: bytearray = field(default_factory=bytearray)
    references: bytearray = field(default_factory=bytearray)
    blocks: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # text end, begin, end, lang, kind
    start: int = 0
    begin: int = 0
    end: int = 0
    pending: bool = False
    plain: bool = False
    in_link: bool = False

    @property
    def empty(self) -> bool:
        return len(self.text) == self.start

    def put(self, text: bytes, begin: int, end: int) -> None:
        if self.empty:
            self.begin = begin
        elif self.pending:
            self.text += b" "
        self.pending = False
        self.plain |= not self.in_link
        self.text += text
        self.end = end

    def put_reference(self, text: bytes, begin: int, end: int) -> None:
        if text and text in SPACE:
            self.pending = True
        elif text and (self.utf8 or text[0] < 0x80):
            self.put(text, begin, end)
        elif text:
            self.put(b"\x1a", begin, end)
            self.references += text + b"\x1a"

    def copy(self, page: bytes, at: int, stop: int, *, references: bool = True, in_attribute: bool = False) -> None:
        while at < stop:
            c = page[at : at + 1]
            reference = entities.resolve(page[at:stop], in_attribute) if references and c == b"&" else None
            if reference:
                self.put_reference(reference[0], at, at + reference[1])
                at += reference[1]
                continue
            if c in SPACE:
                self.pending = True
            elif c != b"\0" and (c != b"\x1a" or self.utf8):
                self.put(c, at, at + 1)
            at += 1

    def end_block(self, kind: int, lang: int) -> None:
        if not self.empty:
            self.blocks.append((len(self.text), self.begin, self.end, lang, kind))
            self.text += b"\n"
            self.start = len(self.text)
            self.plain = False
        self.pending = False
