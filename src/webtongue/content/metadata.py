"""What a page declares about itself beside its language: title, author, date and licence."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from webtongue.analysis import Analysis
from webtongue.markup.links import resolve

__all__ = ["Metadata", "parse_date", "read_metadata"]

MAX_HEAD_BYTES = 1 << 17  # in which meta elements are searched
MAX_VALUE_CHARS = 500
MAX_LICENCES = 8
META = re.compile(rb"<meta\b([^>]{1,4000})>", re.IGNORECASE)
ATTRIBUTE = re.compile(
    rb"""([a-z:-]{2,20})\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'>]{1,1000}))""", re.IGNORECASE
)
JSON_LD = re.compile(rb"<script\b[^>]{0,200}ld\+json[^>]{0,200}>(.{1,100000}?)</script", re.IGNORECASE | re.DOTALL)
# A link or the base of links; comments, scripts and the like match as a whole, so that no link is found in them.
LINK = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|template|textarea)\b.*?(?:</\1|\Z)"
    rb"|<(a|link|area|base)\s([^>]{1,4000})>",
    re.IGNORECASE | re.DOTALL,
)
TIME = re.compile(rb"""<time\b[^>]{0,500}?\bdatetime\s*=\s*(?:["']([^"'<>]{4,40})|([^"'>\s]{4,40}))""", re.IGNORECASE)
MAY_HAVE_LICENCE = re.compile(
    rb"creativecommons\.org/(?:licenses|publicdomain)/|rel\s*=\s*[\"']?[^\"'>]{0,100}licen[cs]e", re.IGNORECASE
)
LICENCE_RELATIONS = frozenset({b"license", b"licence"})
CREATIVE_COMMONS = re.compile(r"https?://(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.IGNORECASE)
ISO_DATE = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?"
)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
TITLE_NAMES = ("og:title", "twitter:title", "dc.title", "dcterms.title")
AUTHOR_NAMES = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author")
DATE_NAMES = (
    "article:published_time", "datepublished", "date", "dc.date", "dcterms.date", "dcterms.created", "dc.date.issued", "pubdate",
    "publish-date", "parsely-pub-date", "sailthru.date", "og:article:published_time",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metadata:
    """Declarations of a page; empty where it declares nothing. ``date`` is ISO 8601, a day or a time."""

    title: str = ""
    author: str = ""
    date: str = ""
    licences: tuple[str, ...] = ()


def read_metadata(analysis: Analysis) -> Metadata:
    """Return what a page declares in its title, in ``meta``, JSON-LD, ``time`` and links to licences."""
    markup = analysis.markup
    if markup is None:
        return Metadata()
    encoding = "utf-8" if markup.transcoded else analysis.verdict.encoding or "utf-8"
    source = markup.source
    declared = _read_meta(source[:MAX_HEAD_BYTES], encoding)
    linked_data = _read_json_ld(source[:MAX_HEAD_BYTES], encoding)
    title = next((block.text for block in markup.iter_blocks() if block.kind == "title"), "")
    time = TIME.search(source)
    dates = [declared.get(name, "") for name in DATE_NAMES]
    dates += [linked_data.get("datePublished", ""), (time[1] or time[2]).decode("ascii", "replace") if time else ""]
    authors = [linked_data.get("author", ""), *(declared.get(name, "") for name in AUTHOR_NAMES)]
    return Metadata(
        _clean(title) or next((declared[name] for name in TITLE_NAMES if name in declared), ""),
        next((author for author in authors if author and not author.startswith(("http:", "https:"))), ""),
        next(filter(None, map(parse_date, filter(None, dates))), ""),
        tuple(_read_licences(source, encoding, analysis.page.url or "")),
    )


def parse_date(text: str) -> str:
    """Return a date as ISO 8601; empty for a text that is neither ISO 8601 nor RFC 2822.

    >>> parse_date("2024-03-12T10:20:00.000+0100"), parse_date("Tue, 12 Mar 2024 10:20:00 GMT")
    ('2024-03-12T10:20:00+01:00', '2024-03-12T10:20:00+00:00')
    >>> parse_date("20240312"), parse_date("12/3")
    ('2024-03-12', '')
    """
    try:
        if match := ISO_DATE.match(text.strip()):
            year, month, day, hour, minute, second, zone = match.groups()
            if hour is None:
                return datetime(int(year), int(month), int(day)).date().isoformat()
            if zone and zone != "Z":
                zone = f"{zone[:3]}:{zone[-2:] if len(zone) > 3 else '00'}"
            return datetime.fromisoformat(
                f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone or ''}"
            ).isoformat()
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _attributes(tag: bytes) -> dict[bytes, bytes]:
    """Return the attributes of a tag; the first of each name counts."""
    found: dict[bytes, bytes] = {}
    for match in ATTRIBUTE.finditer(tag):
        found.setdefault(match[1].lower(), match[2] or match[3] or match[4] or b"")
    return found


def _read_meta(head: bytes, encoding: str) -> dict[str, str]:
    """Return the values of ``meta`` by their names in lower case; the first of each name counts."""
    values: dict[str, str] = {}
    for match in META.finditer(head):
        attributes = _attributes(match[1])
        name = attributes.get(b"property") or attributes.get(b"name") or attributes.get(b"itemprop") or b""
        value = _decode(attributes.get(b"content", b""), encoding)
        if name and value:
            values.setdefault(name.decode("ascii", "replace").lower(), value)
    return values


def _read_json_ld(head: bytes, encoding: str) -> dict[str, str]:
    """Return date and author of the first JSON-LD object that has them."""
    values: dict[str, str] = {}
    for match in JSON_LD.finditer(head) if b"ld+json" in head else ():
        try:
            data = json.loads(match[1].decode(encoding, "replace"))
        except (ValueError, RecursionError, LookupError):
            continue
        for item in _objects(data):
            if isinstance(date := item.get("datePublished"), str):
                values.setdefault("datePublished", date)
            if author := _author_name(item.get("author")):
                values.setdefault("author", author)
    return values


def _objects(data: object, depth: int = 0) -> Iterator[dict[str, object]]:
    """Yield the objects of a JSON-LD document: a list, a graph, or one object."""
    if isinstance(data, list) and depth < 3:
        for part in data[:100]:
            yield from _objects(part, depth + 1)
    elif isinstance(data, dict):
        yield data
        yield from _objects(data.get("@graph", []), depth + 1)


def _author_name(author: object) -> str:
    if isinstance(author, list):
        return ", ".join(filter(None, map(_author_name, author[:20])))
    if isinstance(author, dict):
        author = author.get("name")
    return _clean(author) if isinstance(author, str) else ""


def _read_licences(source: bytes, encoding: str, url: str) -> Iterator[str]:
    """Yield the targets of links with ``rel=license``, and of links to the licences of Creative Commons."""
    if MAY_HAVE_LICENCE.search(source) is None:
        return
    seen: set[str] = set()
    base = ""
    for match in LINK.finditer(source):
        if match[3] is None:
            continue
        attributes = _attributes(match[3])
        href = _decode(attributes.get(b"href", b""), encoding)
        if match[2].lower() == b"base":
            base = base or resolve(url, href)
            continue
        target = resolve(base or url, href)
        is_licence = not LICENCE_RELATIONS.isdisjoint(attributes.get(b"rel", b"").lower().split())
        if not href or not (is_licence or CREATIVE_COMMONS.match(target)) or target in seen:
            continue
        if not SCHEME.match(target) or target[:5].lower() in ("http:", "https"):
            seen.add(target)
            yield target
        if len(seen) == MAX_LICENCES:
            return


def _decode(value: bytes, encoding: str) -> str:
    try:
        return _clean(html.unescape(value.decode(encoding, "replace")))
    except LookupError:  # an encoding that Python does not have
        return _clean(html.unescape(value.decode("utf-8", "replace")))


def _clean(text: str) -> str:
    return " ".join(text.split())[:MAX_VALUE_CHARS]
