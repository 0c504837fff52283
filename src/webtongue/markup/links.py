"""Links of a page as objects, for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from webtongue import _kernel
from webtongue.encodings.codecs import decode

__all__ = ["Link", "links_of", "resolve"]

HELD = "\x1a"  # stands for a reference in scanned text that is not decoded (the kernel's kPlaceholder)


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link goes, its anchor text, and the language it says is there."""

    url: str
    text: str
    hreflang: str = ""


def links_of(source: bytes, scan: Any, url: str, base: str, encoding: str = "utf-8") -> list[Link]:
    """Make the objects: one a link. With an encoding, the scan's text is not decoded and its references are held back."""
    base = resolve(url, base) if base else url
    text: bytes = scan.text
    references = scan.references.decode().split(HELD)
    out = []
    at = passed = 0
    for href0, href1, text0, text1, lang0, lang1 in zip(*(c.tolist() for c in scan.links()), strict=True):
        anchor = decode(text[text0:text1], encoding)
        if len(references) > 1:
            passed += text.count(HELD.encode(), at, text0)
            at = text0
            anchor = _restored(anchor, references[passed:])
        out.append(
            Link(resolve(base, _value(source[href0:href1])), " ".join(anchor.split()), _value(source[lang0:lang1]))
        )
    return out


def _restored(text: str, references: list[str]) -> str:
    """The text with what its placeholders stand for."""
    pieces = text.split(HELD)
    return pieces[0] + "".join(r + p for r, p in zip(references, pieces[1:], strict=False))


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
