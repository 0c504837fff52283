"""Links of a page as objects, for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from webtongue import _kernel
from webtongue.coding.legacy import HELD, to_utf8

__all__ = ["Held", "Link", "links_of", "resolve"]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link goes, its anchor text, and the language it says is there."""

    url: str
    text: str
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """The text of a page before it was decoded, which is what the kernel's links point into."""

    text: bytes
    references: bytes
    encoding: str


def links_of(source: bytes, scan: Any, url: str, base: str, held: Held | None = None) -> list[Link]:
    """Make the objects: one a link."""
    base = resolve(url, base) if base else url
    text: bytes = held.text if held else scan.text
    references = held.references.split(HELD) if held else []
    out = []
    at = passed = 0
    for href0, href1, text0, text1, lang0, lang1 in zip(*(c.tolist() for c in scan.links()), strict=True):
        piece = text[text0:text1]
        if held:
            passed += text.count(HELD, at, text0)
            at = text0
            own = references[passed : passed + piece.count(HELD)]
            piece = to_utf8(piece, held.encoding, HELD.join(own))
        anchor = " ".join(piece.decode("utf-8", "replace").split())
        out.append(Link(resolve(base, _value(source[href0:href1])), anchor, _value(source[lang0:lang1])))
    return out


def resolve(base: str, href: str) -> str:
    """An address as a browser would make it absolute; one that cannot be resolved stays as it is.

    >>> resolve("https://example.org/a/b", "../c?d")
    'https://example.org/c?d'
    >>> resolve("", "//[bad")
    '//[bad'
    """
    href = "".join(c for c in href.strip() if c not in "\t\n\r")
    try:
        return urljoin(base, href) if base else href
    except ValueError:
        return href


def _value(raw: bytes) -> str:
    resolved: bytes = _kernel.unescape(raw, True)
    return resolved.decode("utf-8", "replace")
