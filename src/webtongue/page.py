"""A page as it was fetched: the input of the pipeline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from webtongue.records import dataclass, field, shorten

__all__ = [
    "MAX_INLINKS",
    "NO_HEADERS",
    "Inlink",
    "Page",
    "check_inlinks",
    "content_headers",
    "describe_wrong_page",
    "find_header",
    "has_only_urls",
    "parse_counts",
    "parse_inlinks",
    "parse_probability",
]

NO_HEADERS: Mapping[str, str] = {}
TEXT = (str, bytes)  # types of headers' names; a tuple is checked faster than a union of types
CONTENT_TYPE, CONTENT_LANGUAGE = "content-type", "content-language"
MAX_INLINKS = 1000  # links to a page that are kept; more do not change the answer
MAX_INLINKS_PER_HOST = 16
MAX_GIVEN_INLINKS = 100_000  # links from the caller that are read
MAX_INLINK_CHARS = 2048  # characters of each field of a link: URL, language, anchor, hreflang
INLINK_FIELDS = ("url", "language", "confidence", "anchor", "hreflang")
INLINK_ADVICE = 'write [Inlink("https://...", language="is")]'


@dataclass(frozen=True, slots=True)
class Inlink:
    """A link to a page. Unknown values are empty; a language is a label or tag in any form."""

    _FIELD_DOCS = {
        "url": "The URL of the linking page.",
        "language": "The language of the linking page.",
        "confidence": "The probability that this language is right, 0 to 1.",
        "anchor": "The anchor text of the link.",
        "hreflang": "The language of the target by the link's attribute `hreflang`.",
    }

    url: str = ""
    language: str = ""
    confidence: float = 1.0
    anchor: str = ""
    hreflang: str = ""


def parse_inlinks(values: Any) -> tuple[Inlink, ...]:
    """Return links to a page from a caller's Inlinks, or mappings with some of their keys; other values are ignored.

    >>> parse_inlinks([{"url": "https://example.is/", "language": "is", "anchor": None}, 7])
    (Inlink(url='https://example.is/', language='is', confidence=1.0, anchor='', hreflang=''),)
    """
    if type(values) not in (list, tuple) and (
        isinstance(values, Mapping | str | bytes) or not isinstance(values, Iterable)
    ):
        return ()
    links: list[Inlink] = []
    host_counts: dict[str, int] = {}
    for value in islice(values, MAX_GIVEN_INLINKS):
        link = value if type(value) is Inlink else _parse_inlink(value) if isinstance(value, Mapping) else value
        if isinstance(link, Inlink):
            host = link.url[:MAX_INLINK_CHARS].partition("//")[2].partition("/")[0] if isinstance(link.url, str) else ""
            host_counts[host] = host_counts.get(host, 0) + 1
            if host_counts[host] <= MAX_INLINKS_PER_HOST:  # so that a link farm does not displace other hosts
                links.append(link)
        if len(links) == MAX_INLINKS:
            break
    return tuple(links)


def check_inlinks(values: Any) -> tuple[Inlink, ...]:
    """Return the links that an argument ``inlinks`` has; raise TypeError for any other value, such as URLs alone.

    In data, where :func:`parse_inlinks` reads them, such values are ignored.
    """
    if values is None:
        return ()
    if isinstance(values, Mapping | str | bytes | Inlink) or not isinstance(values, Iterable):
        raise TypeError(
            f"inlinks is a list of Inlink objects or mappings, not {type(values).__name__}; {INLINK_ADVICE}"
        )
    given = list(islice(values, MAX_GIVEN_INLINKS))
    for value in given:
        if type(value) is Inlink:
            continue
        if not isinstance(value, Mapping | Inlink):
            raise TypeError(f"inlinks are Inlink objects or mappings, not {type(value).__name__}; {INLINK_ADVICE}")
        if value and isinstance(value, Mapping) and not any(name in value for name in INLINK_FIELDS):
            keys = ", ".join(map(repr, islice(value, 5)))
            raise TypeError(f"an inlink has the keys {', '.join(INLINK_FIELDS)}, not {keys}")
    return parse_inlinks(given)


def has_only_urls(column: Iterable[Any]) -> bool:
    """Return True if a column of links has texts in the place of links, and no row has a link.

    >>> has_only_urls([None, ["https://example.is/"]]), has_only_urls([["https://example.is/"], [{"language": "is"}]])
    (True, False)
    """
    has_urls = False
    for row in column:
        values = () if row is None else row if isinstance(row, list | tuple) else (row,)
        if not all(isinstance(value, str | bytes) for value in values):
            return False
        has_urls = has_urls or bool(values)
    return has_urls


def describe_wrong_page(value: object, function: str) -> str:
    """Return why a value is no page, and what to do: ``function`` is the one for decoded text.

    >>> describe_wrong_page("Halló", "identify_text()")
    'a page is bytes, not str; decoded text goes to identify_text()'
    """
    advice = ""
    if isinstance(value, str):
        advice = f"; decoded text goes to {function}"
    elif isinstance(value, tuple | Mapping):
        advice = "; write Page(raw, url=..., headers=...)"
    return f"a page is bytes, not {type(value).__name__}{advice}"


def parse_counts(value: Any) -> Mapping[str, float] | None:
    """Return pages by language from a caller's mapping or list of pairs (the form of an Arrow map); None for any other value."""
    if value is None or isinstance(value, Mapping):
        return value
    try:
        return {str(name): count for name, count in value}
    except (TypeError, ValueError):
        return None


def _parse_inlink(row: Mapping[Any, Any]) -> Inlink:
    values = {name: row.get(name) for name in ("url", "language", "anchor", "hreflang")}
    texts = {
        name: _text(value)[:MAX_INLINK_CHARS] if isinstance(value, str | bytes) else ""
        for name, value in values.items()
    }
    confidence = row.get("confidence")
    return Inlink(**texts, confidence=1.0 if confidence is None else parse_probability(confidence))


def parse_probability(value: Any) -> float:
    """Return a caller's number of any type as a probability between 0 and 1; 0 for any other value.

    >>> parse_probability(0.25), parse_probability("0.5"), parse_probability(10**400), parse_probability(float("nan"))
    (0.25, 0.5, 0.0, 0.0)
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return min(1.0, max(0.0, number)) if math.isfinite(number) else 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page with its URL, headers, server and links.

    Any bytes make a page. Wrong *types* raise TypeError here, so that no later stage has to check them.

    >>> Page(b"<p>Salve", headers={"Content-Type": "text/html"}).header("content-type")
    'text/html'
    """

    _FIELD_DOCS = {
        "raw": "The bytes of the page as they were fetched, without HTTP headers.",
        "url": "The URL of the page, None if it is unknown.",
        "headers": "The HTTP headers by name, in any case; Content-Type and Content-Language are read.",
        "ip": "The IP address of the server.",
        "country": "The country of the server if it is known, two letters of ISO 3166; it takes precedence over `ip`.",
        "inlinks": "Links to the page: Inlinks, or mappings with some of their fields.",
        "host": "The number of other pages of the host by language.",
    }

    raw: bytes
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)
    ip: str | None = None
    country: str | None = None
    inlinks: tuple[Inlink, ...] = ()
    host: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if type(self.raw) is bytes and self.is_bare:
            return
        if type(self.raw) is not bytes:
            if not isinstance(self.raw, bytes | bytearray | memoryview):
                raise TypeError(describe_wrong_page(self.raw, "identify_text()"))
            object.__setattr__(self, "raw", bytes(self.raw))
        if self.headers is None:
            object.__setattr__(self, "headers", NO_HEADERS)
        elif type(self.headers) is not dict and not isinstance(self.headers, Mapping):
            raise TypeError(f"headers are a mapping of names to values, not {type(self.headers).__name__}")
        for name, value in (("url", self.url), ("ip", self.ip), ("country", self.country)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} is a str or None, not {type(value).__name__}")
        if self.inlinks and (type(self.inlinks) is not tuple or not all(type(link) is Inlink for link in self.inlinks)):
            object.__setattr__(self, "inlinks", check_inlinks(self.inlinks))
        if self.host is not None and type(self.host) is not dict and not isinstance(self.host, Mapping):
            raise TypeError(f"host is a mapping of languages to numbers of pages, not {type(self.host).__name__}")

    @property
    def is_bare(self) -> bool:
        """Whether the page has nothing but bytes, as in most calls."""
        return (
            self.headers is NO_HEADERS
            and self.url is self.ip is self.country is None
            and self.host is None
            and self.inlinks == ()
        )

    def __repr__(self) -> str:
        return shorten(self)

    def header(self, name: str) -> str | None:
        """Return the value of a header, whatever the case of its name; None if it is missing."""
        return find_header(self.headers, name)

    @property
    def content_type(self) -> str:
        """The Content-Type; empty if there is none."""
        return find_header(self.headers, CONTENT_TYPE) or ""


def content_headers(headers: Mapping[str, str]) -> tuple[str, str]:
    """Return Content-Type and Content-Language, empty if missing. One pass, since every page of a crawl needs both.

    >>> content_headers({"content-TYPE": "text/html", "Server": "x"})
    ('text/html', '')
    """
    content_type = language = ""
    for name, value in headers.items():
        size = len(name) if type(name) is str or isinstance(name, TEXT) else 0
        if size == len(CONTENT_TYPE) and not content_type and value is not None and _text(name).lower() == CONTENT_TYPE:
            content_type = _text(value)
        elif size == len(CONTENT_LANGUAGE) and not language and value is not None:
            language = _text(value) if _text(name).lower() == CONTENT_LANGUAGE else ""
    return content_type, language


def find_header(headers: Mapping[str, str], name: str) -> str | None:
    """Return the value of a header by its name in lower case; None if it is missing. Values may be bytes or lists."""
    for key, value in headers.items():
        is_text = type(key) is str or isinstance(key, TEXT)
        if is_text and len(key) == len(name) and value is not None and _text(key).lower() == name:
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
    return value.encode("utf-8", "replace").decode()  # replaces lone surrogates, which cannot be printed
