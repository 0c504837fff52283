"""Read the declarations of a page and its server about language, encoding and URL, in their order."""

from __future__ import annotations

import json
from collections.abc import Iterator

from webtongue import _kernel
from webtongue.records import dataclass

__all__ = ["PRESCAN_BYTES", "Declaration", "header_declarations", "page_declarations", "unpack_declarations"]

# By the kernel's numbers.
KINDS = (
    "bom", "xml-encoding", "meta-charset", "http-equiv-content-type", "meta-content-language", "html-lang",
    "html-xml-lang", "og-locale", "og-locale-alternate", "dc-language", "meta-language", "jsonld-inlanguage",
    "hreflang", "canonical", "base", "body-lang", "feed-language", "hreflang-self",
)  # fmt: skip
MAX_VALUE_CHARS = 2048  # longer values are cut: URLs are long, languages short
PRESCAN_BYTES = 1024  # set by the standard: browsers ignore later declarations at first
PRESCAN_KIND = 0xFF  # kind of the prescanned label among packed declarations


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration.

    ``offset`` is the position of its value in the page, -1 for headers; ``href`` is the URL of an alternate; ``late`` is True for
    declarations past the bytes that browsers prescan.
    """

    kind: str
    value: str
    offset: int
    href: str = ""
    late: bool = False


def header_declarations(content_type: str, content_language: str) -> Iterator[Declaration]:
    """Yield the declarations in two headers, either of which may be empty."""
    charset = _kernel.charset_in(content_type.encode("utf-8", "replace")) if content_type else b""
    if charset:
        yield Declaration("http-content-type", _to_text(charset), -1)
    if content_language.strip():
        yield Declaration("http-content-language", content_language.strip()[:MAX_VALUE_CHARS], -1)


def unpack_declarations(packed: bytes, bom: str) -> tuple[str, tuple[Declaration, ...]]:
    """Return the prescanned label and the declarations of language and encoding that the kernel packed (native/page/flow.cpp)."""
    prescanned = ""
    declarations: list[Declaration] = []
    at = 0
    while at < len(packed):
        number, late, size = packed[at], packed[at + 1], packed[at + 2] | packed[at + 3] << 8
        value = packed[at + 4 : at + 4 + size]
        at += 4 + size
        if number == PRESCAN_KIND:
            prescanned = value.decode("latin-1")
        else:
            declarations.extend(_parse(KINDS[number], value, b"", -1, bom, bool(late)))
    return prescanned, tuple(declarations)


def page_declarations(source: bytes, scan: _kernel.Scan, bom: str) -> Iterator[Declaration]:
    """Yield the declarations in the page; ``source`` is the scanned page."""
    for number, start, end, extra_start, extra_end in scan.declarations:
        late = source.find(b">", start) >= PRESCAN_BYTES
        yield from _parse(KINDS[number], source[start:end], source[extra_start:extra_end], start, bom, late)


def _parse(kind: str, raw: bytes, extra: bytes, offset: int, bom: str, late: bool) -> Iterator[Declaration]:
    if kind == "bom":
        yield Declaration(kind, bom, offset)
    elif kind == "jsonld-inlanguage":
        for value in parse_in_language(_to_text(raw)):
            yield Declaration(kind, value, offset, "", late)
    else:
        yield Declaration(kind, _to_text(raw), offset, _to_text(extra), late)


def parse_in_language(raw: str) -> list[str]:
    """Return the languages in a value of JSON-LD's ``inLanguage``: a string, a list, or a Language object.

    >>> parse_in_language('["en", {"@type": "Language", "name": "Spanish", "alternateName": "es"}]')
    ['en', 'es']
    """
    if raw[:1] not in ("[", "{"):
        return [raw]
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return [raw]
    languages = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            item = item.get("alternateName") or item.get("name") or item.get("@id")
        if isinstance(item, str):
            languages.append(item)
    return languages


def _to_text(raw: bytes) -> str:
    return _kernel.unescape(raw[:MAX_VALUE_CHARS], True).decode("utf-8", "replace").strip()
