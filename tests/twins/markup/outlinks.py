"""Links that lead to other hosts or name a language, readably: the twin of native/markup/outlinks.cpp."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.twins.markup.entities import unescape
from tests.twins.markup.text_writer import SPACE

MOST, LONGEST, LONGEST_ANCHOR, LONGEST_HREFLANG = 100, 2048, 200, 35
WEB = re.compile(rb"(?:https?:)?//([^/?#:\\\t\n\f\r ]+)", re.IGNORECASE)
SPACES = re.compile(rb"[\t\n\f\r ]+")
Found = tuple[str, str, str]


def outlinks(rows: Iterable[tuple[int, ...]], text: bytes, source: bytes, host: bytes) -> list[Found]:
    """Address, anchor and hreflang of each, from the scanner's rows of links, the text that it wrote and what it read."""
    found: dict[bytes, Found] = {}
    for href_begin, href_end, text_begin, text_end, lang_begin, lang_end in rows:
        href, hreflang = source[href_begin:href_end].strip(SPACE), source[lang_begin:lang_end]
        if len(found) == MOST:
            break
        if len(href) > 2 * LONGEST or not is_telling(href, host, hreflang):
            continue
        url = address(href)
        if is_telling(url, host, hreflang) and url not in found:
            anchor = folded(text[text_begin:text_end], LONGEST_ANCHOR)
            found[url] = url.decode(), anchor, folded(hreflang, LONGEST_HREFLANG)
    return list(found.values())


def is_telling(url: bytes, host: bytes, hreflang: bytes) -> bool:
    """Whether it has a host, and another one than the page's or a language beside it."""
    match = WEB.match(url)
    return match is not None and (bool(hreflang) or match[1].lower() != host)


def address(href: bytes) -> bytes:
    """References resolved, no line ends, no fragment, a scheme; empty where it is too long or not in UTF-8."""
    url = unescape(href, True).partition(b"#")[0].translate(None, b"\t\n\r")
    url = b"https:" + url if url.startswith(b"/") else url
    return url if len(url) <= LONGEST and is_utf8(url) else b""


def folded(text: bytes, most: int) -> str:
    """Runs of spaces folded, cut at a whole character; empty where it is not in UTF-8."""
    text = SPACES.sub(b" ", text.strip(SPACE))
    if len(text) > most:
        while most and text[most] & 0xC0 == 0x80:  # inside a character
            most -= 1
        text = text[:most].rstrip(SPACE)
    return text.decode() if is_utf8(text) else ""


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
