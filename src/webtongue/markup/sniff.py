"""What kind of thing the bytes are: HTML, XHTML, XML, plain text, or nothing that can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from webtongue import _kernel
from webtongue.encodings.scripts import one_script
from webtongue.page import Page

__all__ = ["Sniffed", "Syntax", "sniff", "wide_by_script", "wide_encoding", "wrong_mark"]


class Syntax(IntEnum):
    """How ``<`` is to be read; the numbers are the kernel's."""

    HTML = 0
    XHTML = 1
    XML = 2
    TEXT = 3
    NONE = 4  # not text at all: never scanned


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The syntax, and why there is nothing to read if there is nothing."""

    syntax: Syntax
    reason: str = ""


HTML = Sniffed(Syntax.HTML)
DOCTYPE = b"<!doctype html"

# Signatures of formats that hold no text to read, by their first bytes.
MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"\x00\x00\x01\x00", "icon"),
    (b"\x00\x00\x02\x00", "cursor"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
    (b"8BPS", "Photoshop image"),
    (b"%PDF-", "PDF document"),
    (b"%!PS-Adobe", "PostScript document"),
    (b"{\\rtf", "RTF document"),
    (b"PK\x03\x04", "zip archive"),
    (b"PK\x05\x06", "zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document"),
    (b"ID3", "MP3 audio"),
    (b"OggS", "Ogg media"),
    (b"fLaC", "FLAC audio"),
    (b"MThd", "MIDI audio"),
    (b"\x1aE\xdf\xa3", "Matroska video"),
    (b"FLV\x01", "Flash video"),
    (b"FWS", "Flash"),
    (b"CWS", "Flash"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
    (b"\x00\x01\x00\x00\x00", "font"),
    (b"OTTO", "font"),
    (b"\x7fELF", "program"),
    (b"\xca\xfe\xba\xbe", "program"),
    (b"\x00asm", "WebAssembly"),
    (b"SQLite format 3\x00", "database"),
)
MAGIC_FIRST = frozenset(magic[0] for magic, _ in MAGIC)
RIFF = {b"WEBP": "WebP image", b"WAVE": "WAVE audio", b"AVI ": "AVI video"}

# Media types whose bytes are not language, whatever they look like.
NOT_LANGUAGE = re.compile(
    r"\s*(image/(?!svg)|audio/|video/|font/|application/(pdf|zip|gzip|octet-stream|x-shockwave|vnd\.|json|javascript"
    r"|x-javascript|ecmascript|wasm|ld\+json|x-www-form)|text/(css|javascript|x-javascript|ecmascript)\b)",
    re.IGNORECASE,
)
HEAD = 4096  # bytes looked at: doctypes and first tags come early, and a sample of controls is enough
SOME_CONTROLS = 0.01  # of the bytes of a text in UTF-16 without NULs
ONE_SCRIPT = 0.95
MANY_SCRIPTS = 0.8
FEWER = 2  # times as many rows must a wrong reading have that may be in one script too
ASCII = bytes(range(0x80))
MARKUP = re.compile(
    rb"<(?:!doctype|!--|/?(?:html|head|body|title|meta|link|base|script|style|div|span|p|br|a|b|i|u|hr|h[1-6]|table|t[rdh]"
    rb"|ul|ol|li|dl|dt|dd|font|center|img|form|iframe|frameset|strong|em|pre|blockquote|section|article|header|nav"
    rb"|main|footer|noscript)[\s/>])",
    re.IGNORECASE,
)
XML_START = re.compile(rb"\s*<\?xml[\s?]", re.IGNORECASE)
XML_ROOT = re.compile(  # possessive: a page of comments must not be tried in every division
    rb"\s*+(?:(?><!--.*?-->)\s*+)*+<(?:rss|feed|rdf:RDF|urlset|sitemapindex|opml)[\s>]", re.IGNORECASE | re.DOTALL
)
HTML_ROOT = re.compile(rb"<html[\s>]", re.IGNORECASE)
MOST_CONTROLS = 0.05  # of the head: text has none, compressed or compiled bytes have some 10%


def sniff(page: Page, head: bytes, controls: float = 0.0) -> Sniffed:
    """Decide from the first bytes, the share of control bytes among them, and the Content-Type.

    Where bytes and Content-Type contradict each other, the bytes win.

    >>> sniff(Page(b""), b"%PDF-1.7").reason
    'PDF document'
    >>> sniff(Page(b"", headers={"content-type": "text/plain"}), b"if a <b then").syntax.name
    'TEXT'
    """
    media = page.header("content-type") if page.headers else None
    if head[:14].lower() == DOCTYPE and not controls and (media is None or media.startswith("text/html")):
        return HTML  # most of the web
    if found := _magic(head):
        return Sniffed(Syntax.NONE, found)
    if XML_START.match(head):
        return Sniffed(Syntax.XHTML if HTML_ROOT.search(head) else Syntax.XML)
    if XML_ROOT.match(head):
        return Sniffed(Syntax.XML)
    looks_html = MARKUP.search(head) is not None
    if not looks_html and media and (found_media := NOT_LANGUAGE.match(media)):
        return Sniffed(Syntax.NONE, found_media.group().strip() + " by its Content-Type")
    if controls > MOST_CONTROLS:
        return Sniffed(Syntax.NONE, "binary data")
    if media:
        kind = media.split(";", 1)[0].strip().lower()
        if kind == "application/xhtml+xml":
            return Sniffed(Syntax.XHTML)
        if kind.endswith(("/xml", "+xml")) and not HTML_ROOT.search(head):
            return Sniffed(Syntax.XML)
        if kind == "text/html":
            return Sniffed(Syntax.HTML)
        if kind == "text/plain" and not (looks_html and HTML_ROOT.search(head)):
            return Sniffed(Syntax.TEXT)
    return Sniffed(Syntax.HTML if looks_html else Syntax.TEXT)


def _magic(head: bytes) -> str:
    if head[:1] and head[0] in MAGIC_FIRST:
        for magic, name in MAGIC:
            if head.startswith(magic):
                return name
    if head[:4] == b"RIFF":
        return RIFF.get(head[8:12], "RIFF media")
    if head[4:8] == b"ftyp":
        return "MP4 video"
    return ""


def wrong_mark(bom: str, head: bytes, probe: Any) -> bool:
    """Whether a mark of UTF-16 stands before plain ASCII: in UTF-16 every other byte of that would be NUL.

    >>> from webtongue import _kernel
    >>> page = bytes([0xFF, 0xFE]) + b"<p>Hello"
    >>> wrong_mark("utf-16le", page, _kernel.probe(page))
    True
    """
    return bom.startswith("utf-16") and not any(probe.nuls) and len(head) > 2 and head[2:].isascii()


def wide_by_script(head: bytes, probe: Any) -> str:
    """UTF-16 of a text with hardly a space or tag, by what its two readings are: one script, or pieces of many.

    Half of the bytes of such a text are any bytes at all, so some are control codes: no other text has those.

    >>> from webtongue import _kernel
    >>> raw = "图书馆早上九点开门，晚上六点关门。".encode("utf-16-le")
    >>> wide_by_script(raw, _kernel.probe(raw))
    'utf-16le'
    """
    if len(head) < 4 or (len(head) % 2 and len(head) < HEAD) or probe.controls < SOME_CONTROLS * probe.head:
        return ""
    units = head[: len(head) & ~1]
    shares = [one_script(_kernel.wide_to_utf8(units, order).translate(None, ASCII)) for order in (0, 1)]
    rows = [len(set(units[1::2])), len(set(units[::2]))]  # letters of one script are in few rows of Unicode
    best = min((0, 1), key=lambda order: (shares[order] < ONE_SCRIPT, rows[order]))
    if shares[best] < ONE_SCRIPT or (shares[1 - best] > MANY_SCRIPTS and rows[best] * FEWER > rows[1 - best]):
        return ""
    return ("utf-16le", "utf-16be")[best]


def wide_encoding(probe: Any) -> str:
    """The UTF-16 or UTF-32 that a pattern of NUL bytes betrays, or an empty string.

    Markup is ASCII, so even a Chinese page in UTF-16 has NULs in every other byte of its tags, and none between.

    >>> from webtongue import _kernel
    >>> wide_encoding(_kernel.probe("<p>Καλημέρα".encode("utf-16-be")))
    'utf-16be'
    """
    if not any(probe.nuls) or probe.head < 4:
        return ""
    nul = [n / (probe.head / 4) for n in probe.nuls]
    often, seldom, always = 0.1, 0.02, 0.9
    if nul[2] > always and nul[3] > always and nul[0] + nul[1] < 1.5:
        return "utf-32le"
    if nul[0] > always and nul[1] > always and nul[2] + nul[3] < 1.5:
        return "utf-32be"
    little, big = min(nul[1], nul[3]), min(nul[0], nul[2])
    if little > often and max(nul[0], nul[2]) < max(seldom, little / 8):  # 一 and others end in a NUL
        return "utf-16le"
    if big > often and max(nul[1], nul[3]) < max(seldom, big / 8):
        return "utf-16be"
    return ""
