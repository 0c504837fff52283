"""Addresses of links: which may be pages, by what two are the same, and whose budget they count against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webtongue.links import site_of

__all__ = ["Address", "address_of"]

SCHEMES = ("http", "https")
# Multimedia and style sheets, which Baykan 2013 ignored too, and what else is no page.
MEDIA = frozenset(
    "css js mjs json xml rss atom map ico jpg jpeg png gif bmp webp avif svg tif tiff mp3 mp4 m4a m4v ogg oga ogv wav flac aac avi "
    "mov wmv flv swf webm m3u8 mpg mpeg mid zip gz bz2 xz 7z rar tar tgz jar exe msi dmg apk iso bin deb rpm pdf ps doc docx xls "
    "xlsx ppt pptx odt ods odp epub mobi woff woff2 ttf otf eot torrent".split()
)
SESSION = re.compile(r";jsessionid=[^?#/]*|;sid=[^?#/]*", re.IGNORECASE)
# Of a query, without which the same page is there.
SESSIONS = frozenset("phpsessid jsessionid sid sessionid session_id aspsessionid cfid cftoken fbclid gclid".split())
BAD = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}]")
WWW = "www."


@dataclass(frozen=True, slots=True)
class Address:
    """A link's address: as it is asked for, by what it is known, its host (without www., as in Baykan 2013) and its domain."""

    url: str
    key: str
    host: str
    domain: str


def address_of(url: str, longest: int, http_only: bool = False) -> Address | None:
    """None for what is no page's address, or is one that nobody should follow.

    >>> found = address_of("HTTP://WWW.Example.com:80/a/?PHPSESSID=1&b=2#c", 100)
    >>> found.url, found.key, found.host
    ('http://www.example.com/a/?PHPSESSID=1&b=2', 'http://www.example.com/a/?b=2', 'example.com')
    >>> address_of("javascript:void(0)", 100), address_of("http://example.com/style.css", 100), address_of("http://a:b@c/", 100)
    (None, None, None)
    """
    url = url.strip()
    if len(url) > longest or BAD.search(url):
        return None
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in SCHEMES or (http_only and scheme != "http") or not name or parts.username is not None:
        return None
    try:
        name = name.encode("idna").decode("ascii") if not name.isascii() else name
    except UnicodeError:
        return None
    place = f"[{name}]" if ":" in name else name.rstrip(".")
    if not place or ".." in place or len(place) > 253:
        return None
    if port is not None and port != {"http": 80, "https": 443}[scheme]:
        place = f"{place}:{port}"
    path = parts.path or "/"
    if path.rpartition("/")[2].rpartition(".")[2].lower() in MEDIA and "." in path.rpartition("/")[2]:
        return None
    asked = urlunsplit((scheme, place, path, parts.query, ""))
    key = urlunsplit((scheme, place, SESSION.sub("", path), _without_sessions(parts.query), ""))
    host, domain = site_of(asked)
    return Address(asked, key, place.removeprefix(WWW), domain or host)


def _without_sessions(query: str) -> str:
    lower = query.lower()
    if not any(name in lower for name in SESSIONS) and "utm_" not in lower:
        return query
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if key.lower() not in SESSIONS and not key.lower().startswith("utm_")]
    return urlencode(kept)
