"""Links of a page as objects."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from webtongue import _kernel
from webtongue.charset.codecs import decode
from webtongue.records import dataclass

__all__ = ["Link", "iter_links", "resolve"]

ROWS_PER_CHUNK = 4096  # bounds memory on pages with millions of links
REMOVED_FROM_URLS = str.maketrans("", "", "\t\n\r")
PLACEHOLDER = "\x1a"  # stands for a character reference that is held back (kPlaceholder of the kernel)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page."""

    _FIELD_DOCS = {
        "url": "The URL of the target, resolved against the base and the URL of the page.",
        "text": "The anchor text.",
        "hreflang": "The declared language of the target; empty if there is none.",
    }

    url: str
    text: str
    hreflang: str = ""


def iter_links(source: bytes, scan: _kernel.Scan, url: str, base: str, encoding: str = "utf-8") -> Iterator[Link]:
    """Yield the links of a scan; with another encoding, its text is not decoded yet and its references are held back."""
    base = resolve(url, base) if base else url
    references = _References(scan)
    columns = scan.links()
    for first in range(0, len(columns[0]), ROWS_PER_CHUNK):
        rows = zip(*(column[first : first + ROWS_PER_CHUNK].tolist() for column in columns), strict=True)
        for href_start, href_end, text_start, text_end, lang_start, lang_end in rows:
            anchor = decode(scan.slice(text_start, text_end), encoding)
            if references:
                anchor = references.insert(anchor, text_start)
            target = resolve(base, _unescape(source[href_start:href_end]))
            yield Link(target, " ".join(anchor.split()), _unescape(source[lang_start:lang_end]))


class _References:
    """The characters of the placeholders in a scanned text, for anchors in the order of the text."""

    def __init__(self, scan: _kernel.Scan) -> None:
        self.scan = scan
        self.characters: bytes = scan.references
        self.text_at = self.at = 0  # progress in the text and in the references

    def __bool__(self) -> bool:
        return bool(self.characters)

    def insert(self, text: str, start: int) -> str:
        """Return the text at offset ``start`` with its placeholders replaced."""
        for _ in range(self.scan.slice(self.text_at, start).count(PLACEHOLDER.encode())):
            self.at = self.characters.find(PLACEHOLDER.encode(), self.at) + 1
        self.text_at = start
        if PLACEHOLDER not in text:
            return text
        first, *others = text.split(PLACEHOLDER)
        parts, at = [first], self.at
        for other in others:
            end = self.characters.find(PLACEHOLDER.encode(), at)
            parts += self.characters[at:end].decode(), other
            at = end + 1
        return "".join(parts)


def resolve(base: str, href: str) -> str:
    """Return an absolute URL as browsers do; one that cannot be resolved is kept.

    >>> resolve("https://example.org/a/b", "../c?d")
    'https://example.org/c?d'
    >>> resolve("", "//[bad")
    '//[bad'
    """
    href = href.strip().translate(REMOVED_FROM_URLS)
    try:
        return urljoin(base, href) if base else href
    except ValueError:
        return href


def _unescape(raw: bytes) -> str:
    return _kernel.unescape(raw, True).decode("utf-8", "replace")
