"""Links of a page as objects, for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from webtongue import _kernel

__all__ = ["Link", "links_of", "resolve"]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link goes, its anchor text, and the language it says is there."""

    url: str
    text: str
    hreflang: str = ""


def links_of(source: bytes, scan: Any, url: str, base: str) -> list[Link]:
    """Make the objects: one a link."""
    base = resolve(url, base) if base else url
    text: bytes = scan.text
    out = []
    for href0, href1, text0, text1, lang0, lang1 in zip(*(c.tolist() for c in scan.links()), strict=True):
        anchor = " ".join(text[text0:text1].decode("utf-8", "replace").split())
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
