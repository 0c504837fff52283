"""A page as it came from the network: the one input of the flow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

__all__ = ["NO_HEADERS", "Inlink", "Page", "chance_of", "content_headers", "counts_of", "header", "inlinks_of"]

NO_HEADERS: Mapping[str, str] = {}
CONTENT_TYPE, CONTENT_LANGUAGE = "content-type", "content-language"
MOST_INLINKS = 1000  # links to a page that are kept: the language of a page is settled long before
MOST_OF_HOST = 16  # of one host among them
MOST_LOOKED_AT = 100_000  # links that are looked at
LONGEST = 2048  # characters of an address, or of the words of a link


@dataclass(frozen=True, slots=True)
class Inlink:
    """A link to a page: the address of the linking page, what that is in and how sure that is, the words of the link, and the
    language that its ``hreflang`` says the page is in. What is not known is empty; a language is a label or tag of any form."""

    url: str = ""
    language: str = ""
    confidence: float = 1.0
    anchor: str = ""
    hreflang: str = ""


def inlinks_of(values: Any) -> tuple[Inlink, ...]:
    """Links to a page as callers have them: Inlinks, or mappings with some of their keys. What is neither is left out.

    >>> inlinks_of([{"url": "https://example.is/", "language": "is", "anchor": None}, 7])
    (Inlink(url='https://example.is/', language='is', confidence=1.0, anchor='', hreflang=''),)
    """
    if isinstance(values, Mapping | str | bytes) or not isinstance(values, Iterable):
        return ()
    out: list[Inlink] = []
    of_host: dict[str, int] = {}
    for value in islice(values, MOST_LOOKED_AT):
        if isinstance(value, Mapping):
            value = _inlink(value)
        if isinstance(value, Inlink):
            host = value.url[:LONGEST].partition("//")[2].partition("/")[0] if isinstance(value.url, str) else ""
            of_host[host] = of_host.get(host, 0) + 1
            if of_host[host] <= MOST_OF_HOST:  # a host has one vote: no farm crowds out the others
                out.append(value)
        if len(out) == MOST_INLINKS:
            break
    return tuple(out)


def counts_of(value: Any) -> Mapping[str, float] | None:
    """How many pages are in each language, as callers have it: a mapping, or pairs, as Arrow's maps are; else None."""
    if value is None or isinstance(value, Mapping):
        return value
    try:
        return {str(name): count for name, count in value}
    except (TypeError, ValueError):
        return None


def _inlink(row: Mapping[Any, Any]) -> Inlink:
    values = {name: row.get(name) for name in ("url", "language", "anchor", "hreflang")}
    words = {name: _text(value)[:LONGEST] if isinstance(value, str | bytes) else "" for name, value in values.items()}
    sure = row.get("confidence")
    return Inlink(**words, confidence=1.0 if sure is None else chance_of(sure))


def chance_of(value: Any) -> float:
    """A probability as callers have it, a number of any kind; 0 for what is none.

    >>> chance_of(0.25), chance_of("0.5"), chance_of(10**400), chance_of(float("nan"))
    (0.25, 0.5, 0.0, 0.0)
    """
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return min(1.0, max(0.0, found)) if math.isfinite(found) else 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page and what is known of where they came from.

    Any bytes make a page. Wrong *types* are refused here, at the door, so that no later stage has to look.

    >>> Page(b"<p>Salve", headers={"Content-Type": "text/html"}).header("content-type")
    'text/html'
    """

    raw: bytes
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)
    ip: str | None = None
    country: str | None = None  # of the server, where the caller knows it: two letters, ISO 3166
    inlinks: tuple[Inlink, ...] = ()
    host: Mapping[str, float] | None = None  # how many other pages of its host are in each language

    def __post_init__(self) -> None:
        if (
            type(self.raw) is bytes
            and self.headers is NO_HEADERS
            and self.url is self.ip is self.country is None
            and self.host is None
            and self.inlinks == ()
        ):
            return  # bare bytes, as most calls have them
        if type(self.raw) is not bytes:
            if not isinstance(self.raw, bytes | bytearray | memoryview):
                hint = "; decoded text goes to identify_text()" if isinstance(self.raw, str) else ""
                raise TypeError(f"a page is bytes, not {type(self.raw).__name__}{hint}")
            object.__setattr__(self, "raw", bytes(self.raw))
        if self.headers is None:
            object.__setattr__(self, "headers", NO_HEADERS)
        elif self.headers is not NO_HEADERS and not isinstance(self.headers, Mapping):
            raise TypeError(f"headers are a mapping of names to values, not {type(self.headers).__name__}")
        for name in ("url", "ip", "country"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} is a str or None, not {type(value).__name__}")
        if type(self.inlinks) is not tuple or not all(isinstance(link, Inlink) for link in self.inlinks):
            object.__setattr__(self, "inlinks", inlinks_of(self.inlinks))
        if self.host is not None and not isinstance(self.host, Mapping):
            raise TypeError(f"host is a mapping of languages to numbers of pages, not {type(self.host).__name__}")

    def header(self, name: str) -> str | None:
        """A header's value, whatever the case of its name; values that came as bytes or lists are tolerated."""
        return header(self.headers, name)

    @property
    def content_type(self) -> str:
        """The Content-Type, empty where there is none."""
        return header(self.headers, "content-type") or ""


def content_headers(headers: Mapping[str, str]) -> tuple[str, str]:
    """Content-Type and Content-Language, empty where there is none: what a crawl's every page is asked for.

    >>> content_headers({"content-TYPE": "text/html", "Server": "x"})
    ('text/html', '')
    """
    kind = language = ""
    for name, value in headers.items():
        size = len(name) if isinstance(name, str | bytes) else 0
        if size == len(CONTENT_TYPE) and not kind and value is not None and _text(name).lower() == CONTENT_TYPE:
            kind = _text(value)
        elif size == len(CONTENT_LANGUAGE) and not language and value is not None:
            language = _text(value) if _text(name).lower() == CONTENT_LANGUAGE else ""
    return kind, language


def header(headers: Mapping[str, str], name: str) -> str | None:
    """The value of a header that goes by this name in lower case."""
    for key, value in headers.items():
        if isinstance(key, str | bytes) and value is not None and _text(key).lower() == name:
            return _text(value)
    return None


def _text(value: object) -> str:
    if type(value) is str and value.isascii():
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, list | tuple):
        return ", ".join(_text(v) for v in value if isinstance(v, str | bytes))
    if not isinstance(value, str):
        return str(value) if isinstance(value, int | float) else ""
    return value.encode("utf-8", "replace").decode()  # a lone surrogate could not be printed
