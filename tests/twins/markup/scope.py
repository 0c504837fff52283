"""Element classes and the stack of open elements, as far as language and kind of text need them."""

from __future__ import annotations

from dataclasses import dataclass, field


def names(words: str) -> frozenset[bytes]:
    return frozenset(word.encode() for word in words.split())


HEADINGS = names("h1 h2 h3 h4 h5 h6")
ITEMS = names("li dd dt")
NAVIGATION = names("nav footer select")
LISTS = names("dir dl menu ol ul")
CLOSES_P = (
    HEADINGS
    | ITEMS
    | LISTS
    | names(
        "address article aside blockquote center details dialog div fieldset figcaption figure footer form header hgroup hr"
        " listing main nav p plaintext pre search section summary table xmp"
    )
)
BREAK = CLOSES_P | names(
    "body br button caption frameset head html input legend marquee noframes optgroup option select tbody td textarea"
    " tfoot th thead tr"
)
VOID = names("area base br col embed frame hr img image input keygen link meta param source track wbr")
SKIP = names("iframe noembed noscript script style textarea")
SHOW = names("plaintext xmp")
FOREIGN = names("math svg")
BARRIER = names("caption marquee object select table td template th")
BREAKOUT = (
    HEADINGS
    | ITEMS
    | names(
        "b big blockquote body br center code div dl em embed head hr i img listing menu meta nobr ol p pre ruby s small span"
        " strike strong sub sup table tt u ul var"
    )
)
MATH_WORDS = names("mi mn mo ms mtext")
GROUPS = dict.fromkeys(MATH_WORDS, b"desc") | {
    b"thead": b"tbody",
    b"tfoot": b"tbody",
    b"image": b"img",
}  # names with the identity of another
KNOWN = (
    BREAK
    | VOID
    | SKIP
    | SHOW
    | FOREIGN
    | BARRIER
    | BREAKOUT
    | MATH_WORDS
    | names("a audio desc foreignobject title video")
)
UNKNOWN_IDS = 64
MAX_DEPTH = 512
MAX_SEARCH_DEPTH = 128


def identity(name: bytes) -> bytes:
    """Return the identity of an element: its name, that of its group, or one of a few numbers that unknown names share."""
    if name in KNOWN:
        return GROUPS.get(name, name)
    low, high = (int.from_bytes(part, "little") for part in (name[:8], name[8:16]))
    mixed = (low ^ (high * 0x9E3779B97F4A7C15)) * 0xD6E8FEB86659FD93 % 2**64 >> 54
    return b"unknown %d" % (mixed % UNKNOWN_IDS)


@dataclass
class Element:
    name: bytes
    lang: int
    heading: bool = False
    item: bool = False
    navigation: bool = False
    html: bool = True  # in XML no name stops an end tag


@dataclass
class Scope:
    """The open elements, the innermost last; the root is never closed."""

    stack: list[Element] = field(default_factory=lambda: [Element(b"", 0)])
    overflow: int = 0

    @property
    def top(self) -> Element:
        return self.stack[-1]

    def open(self, name: bytes, lang: int | None, *, xml: bool = False) -> None:
        name = identity(name)
        self._imply(name, xml)
        if len(self.stack) >= MAX_DEPTH:
            self.overflow += 1
            return
        top = self.top
        heading = name == b"title" if xml else name in HEADINGS
        item = name in ITEMS
        inherits = not heading and not item
        self.stack.append(
            Element(
                name,
                top.lang if lang is None else lang,
                heading or (inherits and top.heading),
                item or (inherits and top.item),
                name in NAVIGATION or top.navigation,
                not xml,
            )
        )

    def close(self, name: bytes, *, xml: bool = False) -> None:
        name = identity(name)
        if self.overflow:
            self.overflow -= 1
        elif xml or name in BARRIER or name in (b"tr", b"tbody"):
            self._pop({name}, frozenset())
        elif name in BREAK:
            self._pop({name}, BARRIER)
        else:
            self._pop({name}, BARRIER | BREAK)

    def _imply(self, name: bytes, xml: bool) -> None:
        """Apply the end tags that a start tag implies."""
        if name in CLOSES_P and not xml:
            self._pop({b"p"}, BARRIER)
        if name == b"li":
            self._pop({b"li"}, BARRIER | LISTS)
        elif name in (b"dd", b"dt"):
            self._pop({b"dd", b"dt"}, BARRIER | LISTS)
        elif name in (b"option", b"optgroup"):
            self._pop({b"option"}, BARRIER)
        elif name in (b"td", b"th"):
            self._pop({b"td", b"th"}, frozenset())
        elif name == b"tr":
            self._pop({b"tr"}, frozenset())
        elif name == b"a":
            self._pop({b"a"}, BARRIER)

    def _pop(self, names_to_close: set[bytes], stop: frozenset[bytes]) -> None:
        in_table = bool(names_to_close & {b"td", b"tr", b"tbody"})
        for steps, element in enumerate(reversed(self.stack[1:])):
            if steps >= MAX_SEARCH_DEPTH:
                return
            if element.name in names_to_close:
                del self.stack[len(self.stack) - 1 - steps :]
                return
            if (element.html and element.name in stop) or (in_table and element.name == b"table"):
                return
