"""URLs of links: which may be pages, which two are the same page, and which host and domain a request counts against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webtongue.reference.domains import site_of

__all__ = ["DEFAULT_PORTS", "CrawlUrl", "parse_url"]

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_HOST_CHARS = 253  # RFC 1035
# Multimedia files and style sheets, which Baykan 2013 ignores too, and other files that are not web pages.
NON_PAGE_EXTENSIONS = frozenset(
    "css js mjs json xml rss atom map ico jpg jpeg png gif bmp webp avif svg tif tiff mp3 mp4 m4a m4v ogg oga ogv wav flac aac avi "
    "mov wmv flv swf webm m3u8 mpg mpeg mid zip gz bz2 xz 7z rar tar tgz jar exe msi dmg apk iso bin deb rpm pdf ps doc docx xls "
    "xlsx ppt pptx odt ods odp epub mobi woff woff2 ttf otf eot torrent".split()
)
# Session and tracking parameters: the same page is there without them. So it is without every parameter in utm_.
SESSION_IN_PATH = re.compile(r";jsessionid=[^?#/]*|;sid=[^?#/]*", re.IGNORECASE)
SESSION_PARAMETERS = frozenset(
    "phpsessid jsessionid sid sessionid session_id aspsessionid cfid cftoken fbclid gclid".split()
)
FORBIDDEN_CHARS = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}]")


@dataclass(frozen=True, slots=True)
class CrawlUrl:
    """A URL that may be requested. Two URLs with the same ``key`` are the same page."""

    url: str
    key: str
    host: str  # without www. and with a port that is not the default one, as in Baykan 2013
    domain: str


def parse_url(url: str, max_chars: int, http_only: bool = False) -> CrawlUrl | None:
    """Return the normalised URL, or None if it cannot be a page's or should not be requested.

    >>> parsed = parse_url("HTTP://WWW.Example.com:80/a/?PHPSESSID=1&b=2#c", 100)
    >>> parsed.url, parsed.key, parsed.host
    ('http://www.example.com/a/?PHPSESSID=1&b=2', 'http://www.example.com/a/?b=2', 'example.com')
    >>> parse_url("javascript:void(0)", 100), parse_url("http://example.com/style.css", 100), parse_url("http://a:b@c/", 100)
    (None, None, None)
    """
    url = url.strip()
    if len(url) > max_chars or FORBIDDEN_CHARS.search(url):
        return None
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS or (http_only and scheme != "http") or not name or parts.username is not None:
        return None
    try:
        name = name.encode("idna").decode("ascii") if not name.isascii() else name
    except UnicodeError:
        return None
    netloc = f"[{name}]" if ":" in name else name.rstrip(".")
    if not netloc or ".." in netloc or len(netloc) > MAX_HOST_CHARS:
        return None
    if port is not None and port != DEFAULT_PORTS[scheme]:
        netloc = f"{netloc}:{port}"
    path = parts.path or "/"
    _, dot, extension = path.rpartition("/")[2].rpartition(".")
    if dot and extension.lower() in NON_PAGE_EXTENSIONS:
        return None
    normalised = urlunsplit((scheme, netloc, path, parts.query, ""))
    key = urlunsplit((scheme, netloc, SESSION_IN_PATH.sub("", path), _remove_sessions(parts.query), ""))
    host, domain = site_of(normalised)
    return CrawlUrl(normalised, key, netloc.removeprefix("www."), domain or host)


def _remove_sessions(query: str) -> str:
    lower = query.lower()
    if not any(name in lower for name in SESSION_PARAMETERS) and "utm_" not in lower:
        return query
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([(name, value) for name, value in pairs if not _is_session_parameter(name.lower())])


def _is_session_parameter(name: str) -> bool:
    return name in SESSION_PARAMETERS or name.startswith("utm_")
