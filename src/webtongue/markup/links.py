"""Links of a page as objects, for those who ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from webtongue import _kernel
from webtongue.encodings.codecs import decode

__all__ = ["Link", "links_of", "resolve"]

ROWS = 4096  # links that are numbers in Python at a time
NOT_IN_ADDRESSES = str.maketrans("", "", "\t\n\r")
HELD = "\x1a"  # stands for a reference in scanned text that is not decoded (the kernel's kPlaceholder)


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link goes, its anchor text, and the language it says is there."""

    url: str
    text: str
    hreflang: str = ""


def links_of(source: bytes, scan: _kernel.Scan, url: str, base: str, encoding: str = "utf-8") -> Iterator[Link]:
    """The objects one by one. With an encoding, the scan's text is not decoded and its references are held back."""
    base = resolve(url, base) if base else url
    references = _References(scan)
    columns = scan.links()
    for first in range(0, len(columns[0]), ROWS):
        rows = zip(*(column[first : first + ROWS].tolist() for column in columns), strict=True)
        for href0, href1, text0, text1, lang0, lang1 in rows:
            anchor = decode(scan.slice(text0, text1), encoding)
            if references:
                anchor = references.put_into(anchor, text0)
            address = resolve(base, _value(source[href0:href1]))
            yield Link(address, " ".join(anchor.split()), _value(source[lang0:lang1]))


class _References:
    """What the placeholders of a scanned text stand for, from link to link."""

    def __init__(self, scan: _kernel.Scan) -> None:
        self.scan = scan
        self.all: bytes = scan.references
        self.text_at = self.at = 0  # how far the text and the references were passed

    def __bool__(self) -> bool:
        return bool(self.all)

    def put_into(self, text: str, begin: int) -> str:
        """The text that begins there in the scanned text, with what its placeholders stand for."""
        for _ in range(self.scan.slice(self.text_at, begin).count(HELD.encode())):
            self.at = self.all.find(HELD.encode(), self.at) + 1
        self.text_at = begin
        if HELD not in text:
            return text
        first, *others = text.split(HELD)
        out, at = [first], self.at
        for other in others:
            end = self.all.find(HELD.encode(), at)
            out += self.all[at:end].decode(), other
            at = end + 1
        return "".join(out)


def resolve(base: str, href: str) -> str:
    """An address as a browser would make it absolute; one that cannot be resolved stays as it is.

    >>> resolve("https://example.org/a/b", "../c?d")
    'https://example.org/c?d'
    >>> resolve("", "//[bad")
    '//[bad'
    """
    href = href.strip().translate(NOT_IN_ADDRESSES)
    try:
        return urljoin(base, href) if base else href
    except ValueError:
        return href


def _value(raw: bytes) -> str:
    resolved: bytes = _kernel.unescape(raw, True)
    return resolved.decode("utf-8", "replace")
