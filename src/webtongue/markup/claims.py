"""What a page and its server say of its language, encoding and address: claims, in the order they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from webtongue import _kernel
from webtongue.page import Page

__all__ = ["PRESCAN", "Claim", "header_claims", "packed_claims", "page_claims", "server_claims"]

# By the kernel's numbers.
KINDS = (
    "bom", "xml-encoding", "meta-charset", "http-equiv-content-type", "meta-content-language", "html-lang",
    "html-xml-lang", "og-locale", "og-locale-alternate", "dc-language", "meta-language", "jsonld-inlanguage",
    "hreflang", "canonical", "base", "body-lang", "feed-language", "hreflang-self",
)  # fmt: skip
LONGEST_VALUE = 2048  # characters of a claim that are kept: addresses are long, languages short


PRESCAN = 1024  # bytes, by the standard: what a claim past them says, browsers do not hear at once
FOUND_BY_PRESCAN = 0xFF  # among the kinds of packed claims


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. ``offset`` is where its value stands in the page, -1 for headers; ``href`` the address of an alternate;
    ``late``: it stands past the bytes that browsers prescan."""

    kind: str
    value: str
    offset: int
    href: str = ""
    late: bool = False


def header_claims(page: Page) -> Iterator[Claim]:
    """The claims of the server."""
    return server_claims(page.header("content-type") or "", page.header("content-language") or "")


def server_claims(content_type: str, content_language: str) -> Iterator[Claim]:
    """The claims in two headers, either of which may be empty."""
    charset = _kernel.charset_in(content_type.encode("utf-8", "replace")) if content_type else b""
    if charset:
        yield Claim("http-content-type", _text(charset), -1)
    if content_language.strip():
        yield Claim("http-content-language", content_language.strip()[:LONGEST_VALUE], -1)


def packed_claims(packed: bytes, bom: str) -> tuple[str, tuple[Claim, ...]]:
    """What the kernel packed (native/page/flow.cpp): the label that its prescan found, and claims on language and encoding."""
    prescanned = ""
    out: list[Claim] = []
    at = 0
    while at < len(packed):
        number, late, size = packed[at], packed[at + 1], packed[at + 2] | packed[at + 3] << 8
        value = packed[at + 4 : at + 4 + size]
        at += 4 + size
        if number == FOUND_BY_PRESCAN:
            prescanned = value.decode("latin-1")
        else:
            out.extend(_claims(KINDS[number], value, b"", -1, bom, bool(late)))
    return prescanned, tuple(out)


def page_claims(source: bytes, scan: _kernel.Scan, bom: str) -> Iterator[Claim]:
    """The claims in the page; ``source`` is what was scanned."""
    for number, begin, end, extra_begin, extra_end in scan.declarations:
        late = source.find(b">", begin) >= PRESCAN
        yield from _claims(KINDS[number], source[begin:end], source[extra_begin:extra_end], begin, bom, late)


def _claims(kind: str, raw: bytes, extra: bytes, offset: int, bom: str, late: bool) -> Iterator[Claim]:
    if kind == "bom":
        yield Claim(kind, bom, offset)
    elif kind == "jsonld-inlanguage":
        for value in json_values(_text(raw)):
            yield Claim(kind, value, offset, "", late)
    else:
        yield Claim(kind, _text(raw), offset, _text(extra), late)


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
