"""What a page and its server say of its language, encoding and address: claims, in the order they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from webtongue import _kernel
from webtongue.page import Page

__all__ = ["Claim", "header_claims", "page_claims"]

# By the kernel's numbers.
KINDS = (
    "bom", "xml-encoding", "meta-charset", "http-equiv-content-type", "meta-content-language", "html-lang",
    "html-xml-lang", "og-locale", "og-locale-alternate", "dc-language", "meta-language", "jsonld-inlanguage",
    "hreflang", "canonical", "base",
)  # fmt: skip
LONGEST_VALUE = 2048  # characters of a claim that are kept: addresses are long, languages short


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. ``offset`` is where its value stands in the page, -1 for headers; ``href`` the address of an alternate."""

    kind: str
    value: str
    offset: int
    href: str = ""


def header_claims(page: Page) -> Iterator[Claim]:
    """The claims of the server."""
    if content_type := page.header("content-type"):
        charset = _kernel.charset_in(content_type.encode("utf-8", "replace"))
        if charset:
            yield Claim("http-content-type", _text(charset), -1)
    if language := page.header("content-language"):
        yield Claim("http-content-language", language.strip()[:LONGEST_VALUE], -1)


def page_claims(source: bytes, scan: Any, bom: str) -> Iterator[Claim]:
    """The claims in the page; ``source`` is what was scanned."""
    for number, begin, end, extra_begin, extra_end in scan.declarations:
        kind = KINDS[number]
        if kind == "bom":
            yield Claim(kind, bom, begin)
        elif kind == "jsonld-inlanguage":
            for value in json_values(_text(source[begin:end])):
                yield Claim(kind, value, begin)
        else:
            yield Claim(kind, _text(source[begin:end]), begin, _text(source[extra_begin:extra_end]))


def json_values(raw: str) -> list[str]:
    """Languages in the value of an ``inLanguage``: a string, a list, or a Language object.

    >>> json_values('["en", {"@type": "Language", "name": "Spanish", "alternateName": "es"}]')
    ['en', 'es']
    """
    if raw[:1] not in ("[", "{"):
        return [raw]
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return [raw]
    out = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            item = item.get("alternateName") or item.get("name") or item.get("@id")
        if isinstance(item, str):
            out.append(item)
    return out


def _text(raw: bytes) -> str:
    resolved: bytes = _kernel.unescape(raw[:LONGEST_VALUE], True)
    return resolved.decode("utf-8", "replace").strip()
