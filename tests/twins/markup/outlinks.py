"""The readable twin of native/markup/outlinks.cpp: links to other hosts or with a language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.twins.markup.entities import unescape
from tests.twins.markup.text_writer import SPACE

MAX_OUTLINKS, MAX_URL_BYTES, MAX_ANCHOR_BYTES, MAX_HREFLANG_BYTES = 100, 2048, 200, 35
WEB = re.compile(rb"(?:https?:)?//([^/?#:\\\t\n\f\r ]+)", re.IGNORECASE)
SPACES = re.compile(rb"[\t\n\f\r ]+")
OutlinkRow = tuple[str, str, str]


def outlinks(rows: Iterable[tuple[int, ...]], text: bytes, source: bytes, host: bytes) -> list[OutlinkRow]:
    """Return URL, anchor and hreflang from the scanner's rows of links, its text and its source."""
    links: dict[bytes, OutlinkRow] = {}
    for href_begin, href_end, text_begin, text_end, lang_begin, lang_end in rows:
        href, hreflang = source[href_begin:href_end].strip(SPACE), source[lang_begin:lang_end]
        if len(links) == MAX_OUTLINKS:
            break
        if len(href) > 2 * MAX_URL_BYTES or not is_outlink(href, host, hreflang):
            continue
        url = normalize_url(href)
        if is_outlink(url, host, hreflang) and url not in links:
            anchor = fold_spaces(text[text_begin:text_end], MAX_ANCHOR_BYTES)
            links[url] = url.decode(), anchor, fold_spaces(hreflang, MAX_HREFLANG_BYTES)
    return list(links.values())


def is_outlink(url: bytes, host: bytes, hreflang: bytes) -> bool:
    """Return True if a URL has a host that is not the page's, or any host and a language."""
    match = WEB.match(url)
    return match is not None and (bool(hreflang) or match[1].lower() != host)


def normalize_url(href: bytes) -> bytes:
    """Return a URL without references, line ends and fragment, with a scheme; empty if it is too long or not UTF-8."""
    url = unescape(href, True).partition(b"#")[0].translate(None, b"\t\n\r")
    url = b"https:" + url if url.startswith(b"/") else url
    return url if len(url) <= MAX_URL_BYTES and is_utf8(url) else b""


def fold_spaces(text: bytes, max_bytes: int) -> str:
    """Return a text with runs of spaces folded, cut at a whole character; empty if it is not UTF-8."""
    text = SPACES.sub(b" ", text.strip(SPACE))
    if len(text) > max_bytes:
        while max_bytes and text[max_bytes] & 0xC0 == 0x80:  # inside a character
            max_bytes -= 1
        text = text[:max_bytes].rstrip(SPACE)
    return text.decode() if is_utf8(text) else ""


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
