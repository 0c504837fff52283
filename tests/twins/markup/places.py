"""The places of blocks in plain Python, for pages whose tags have every attribute once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tests.twins.markup.scan import Scanner
from tests.twins.markup.scope import Element, Scope, names
from tests.twins.markup.tags import Tag

QUOTE, CODE, HEADER_CELL, ORDERED, TERM, CAPTION, MAIN, ASIDE, HEADER, CONTROL, HIDDEN, CHROME = (
    1 << bit for bit in range(3, 15)
)
NESTED, LIST = 1 << 16, 1 << 17
LEVEL = 7
CONTAINERS = names("article aside body center details div fieldset footer form header main nav section td th")
MARKS = {
    CODE: names("listing pre xmp"), QUOTE: names("blockquote"), HEADER_CELL: names("th"), ORDERED: names("ol"), TERM: names("dt"),
    CAPTION: names("caption figcaption"), MAIN: names("article main"), ASIDE: names("aside"), HEADER: names("header"),
    CONTROL: names("button label legend option"), HIDDEN: names("dialog"), LIST: names("dl menu ol ul"),
}  # fmt: skip
WORDS = re.compile(rb"[A-Z]*[a-z]+|[A-Z]+")


@dataclass(frozen=True)
class Place:
    marks: int = 0
    container: int = 0
    table: int = 0
    row: int = 0
    column: int = 0


@dataclass
class PlacedElement(Element):
    place: Place = Place()
    cells: int = 0


@dataclass
class PlacedScope(Scope):
    """Open elements with their places; ``marks`` are those that attributes of the next element add."""

    marks: int = 0
    containers: int = 0
    tables: int = 0
    rows: int = 0
    stack: list[Element] = field(default_factory=lambda: [PlacedElement(b"", 0)])

    def open(self, name: bytes, lang: int | None, *, xml: bool = False) -> None:
        before = len(self.stack), self.overflow
        super().open(name, lang, xml=xml)
        if self.overflow != before[1]:
            return
        parent = self.stack[-2]
        self.stack[-1] = PlacedElement(**vars(self.stack[-1]), place=self.enter(name, parent))

    def enter(self, name: bytes, parent: Element) -> Place:
        place = parent.place
        marks = place.marks
        if name in MARKS[LIST]:
            marks = (marks & ~ORDERED) | (NESTED if marks & LIST else 0)
        if re.fullmatch(rb"h[1-6]", name):
            marks = (marks & ~LEVEL) | int(name[1:])
        marks |= self.marks | sum(bit for bit, elements in MARKS.items() if name in elements)
        if name == b"body":
            marks = (marks & ~CHROME) | (place.marks & CHROME)
        if name in CONTAINERS:
            self.containers += 1
            place = replace(place, container=self.containers)
        if name == b"table":
            self.tables += 1
            place = replace(place, table=self.tables, row=0)
            marks &= ~(LIST | NESTED | ORDERED | HEADER_CELL)
        if name == b"tr":
            self.rows += 1
            place = replace(place, row=self.rows, column=0)
        if name in (b"td", b"th") and parent.name == b"tr":
            place = replace(place, column=parent.cells)
            parent.cells += 1
        return replace(place, marks=marks)


class PlaceScanner(Scanner):
    """A scanner that records the place of every block."""

    def __init__(self, page: bytes, syntax: int, words: set[bytes]) -> None:
        self.words, self.places = words, []
        super().__init__(page, syntax, True)

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, PlacedScope() if name == "scope" else value)

    def record(self, tag: Tag) -> None:
        super().record(tag)
        self.scope.marks = self.attribute_marks(tag)

    def attribute_marks(self, tag: Tag) -> int:
        marks = 0
        for name in (b"class", b"id", b"role"):
            value = self.value(tag.span(name))
            marks |= CHROME * any(word.lower() in self.words for word in WORDS.findall(value))
            marks |= MAIN * (value.lower() == b"main")
        hidden = b"hidden" in tag.attributes or self.value(tag.span(b"aria-hidden")).lower() == b"true"
        return marks | HIDDEN * hidden

    def add_place(self, place: Place) -> None:
        if len(self.places) < len(self.out.blocks):
            self.places.append(place)

    def end_block(self) -> None:
        super().end_block()
        self.add_place(self.scope.top.place)

    def close(self, name: bytes) -> None:
        place = self.scope.top.place
        super().close(name)
        self.add_place(place)

    def title(self, at: int) -> int:
        end = super().title(at)
        self.add_place(Place())
        return end
