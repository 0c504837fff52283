"""What kind of thing the bytes are, and whether they have to be transcoded before they can be scanned.

The decision on the syntax is the kernel's (native/markup/sniff.cpp), by first bytes and media type; its tables are here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from webtongue import _kernel
from webtongue.encodings import escapes
from webtongue.encodings.scripts import one_script
from webtongue.encodings.wide import WIDE, to_utf8
from webtongue.page import Page
from webtongue.verdict import Reason

__all__ = [
    "FORMATS",
    "HEAD",
    "MEDIA_TYPES",
    "SYNTAX_TYPES",
    "Media",
    "Sniffed",
    "Syntax",
    "media_of",
    "nothing_in",
    "sniff",
    "transcoding_of",
]


class Syntax(IntEnum):
    """How ``<`` is to be read; the numbers are the kernel's."""

    HTML = 0
    XHTML = 1
    XML = 2
    TEXT = 3
    NONE = 4  # not text at all: never scanned


class Media(IntEnum):
    """What a Content-Type says of the syntax; the numbers are the kernel's."""

    UNKNOWN = 0
    HTML = 1
    XHTML = 2
    XML = 3
    PLAIN = 4
    NOT_LANGUAGE = 5


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The syntax; why there is nothing to read if there is nothing, as a code and in words."""

    syntax: Syntax
    reason: Reason = Reason.NONE
    why: str = ""


# How formats begin that hold no text to read: where, with what, and their names.
MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"GIF87a", "GIF image"),
    (0, b"GIF89a", "GIF image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"\x00\x00\x01\x00", "icon"),
    (0, b"\x00\x00\x02\x00", "cursor"),
    (0, b"II*\x00", "TIFF image"),
    (0, b"MM\x00*", "TIFF image"),
    (0, b"8BPS", "Photoshop image"),
    (0, b"%PDF-", "PDF document"),
    (0, b"%!PS-Adobe", "PostScript document"),
    (0, b"{\\rtf", "RTF document"),
    (0, b"PK\x03\x04", "zip archive"),
    (0, b"PK\x05\x06", "zip archive"),
    (0, b"\x1f\x8b", "gzip data"),
    (0, b"BZh", "bzip2 data"),
    (0, b"\xfd7zXZ\x00", "xz data"),
    (0, b"\x28\xb5\x2f\xfd", "zstd data"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (0, b"Rar!\x1a\x07", "RAR archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document"),
    (0, b"ID3", "MP3 audio"),
    (0, b"OggS", "Ogg media"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"MThd", "MIDI audio"),
    (0, b"\x1aE\xdf\xa3", "Matroska video"),
    (0, b"FLV\x01", "Flash video"),
    (0, b"FWS", "Flash"),
    (0, b"CWS", "Flash"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"\x00\x01\x00\x00\x00", "font"),
    (0, b"OTTO", "font"),
    (0, b"\x7fELF", "program"),
    (0, b"\xca\xfe\xba\xbe", "program"),
    (0, b"\x00asm", "WebAssembly"),
    (0, b"SQLite format 3\x00", "database"),
    (0, b"RIFF", "RIFF media"),
    (4, b"ftyp", "MP4 video"),
)
FORMATS = [(offset, first) for offset, first, _ in MAGIC]
RIFF = {b"WEBP": "WebP image", b"WAVE": "WAVE audio", b"AVI ": "AVI video"}
# Their media types, and those of syntaxes.
MEDIA_TYPES = {
    "PNG image": "image/png",
    "GIF image": "image/gif",
    "JPEG image": "image/jpeg",
    "icon": "image/vnd.microsoft.icon",
    "cursor": "image/vnd.microsoft.icon",
    "TIFF image": "image/tiff",
    "Photoshop image": "image/vnd.adobe.photoshop",
    "PDF document": "application/pdf",
    "PostScript document": "application/postscript",
    "RTF document": "application/rtf",
    "zip archive": "application/zip",
    "gzip data": "application/gzip",
    "bzip2 data": "application/x-bzip2",
    "xz data": "application/x-xz",
    "zstd data": "application/zstd",
    "7z archive": "application/x-7z-compressed",
    "RAR archive": "application/vnd.rar",
    "Office document": "application/x-tika-msoffice",
    "MP3 audio": "audio/mpeg",
    "Ogg media": "application/ogg",
    "FLAC audio": "audio/flac",
    "MIDI audio": "audio/midi",
    "Matroska video": "video/x-matroska",
    "Flash video": "video/x-flv",
    "Flash": "application/x-shockwave-flash",
    "font": "font/sfnt",
    "program": "application/x-executable",
    "WebAssembly": "application/wasm",
    "database": "application/vnd.sqlite3",
    "RIFF media": "application/octet-stream",
    "MP4 video": "video/mp4",
    "WebP image": "image/webp",
    "WAVE audio": "audio/vnd.wave",
    "AVI video": "video/x-msvideo",
}
SYNTAX_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/plain")
BY_SIGNATURE, BY_MEDIA, BY_CONTROLS = 1, 2, 3  # the kernel's numbers for why there is nothing to read

# Media types whose bytes are not language, whatever they look like.
NOT_LANGUAGE = re.compile(
    r"image/(?!svg)|audio/|video/|font/|application/(pdf|zip|gzip|octet-stream|x-shockwave|vnd\.|json|javascript"
    r"|x-javascript|ecmascript|wasm|ld\+json|x-www-form)|text/(css|javascript|x-javascript|ecmascript)\b"
)
HEAD = 4096  # bytes looked at: doctypes and first tags come early, and a sample of controls is enough
BOM_MOST = 4
MOST_CONTROLS = 20  # one byte in so many is a control code in binary data; text has none
SOME_CONTROLS = 0.01  # of the bytes of a text in UTF-16 without NULs
ONE_SCRIPT = 0.95
MANY_SCRIPTS = 0.8
FEWER = 2  # times as many rows must a wrong reading have that may be in one script too
ASCII = bytes(range(0x80))


@lru_cache(4096)
def media_of(content_type: str) -> Media:
    """What a Content-Type says.

    >>> media_of("text/html; charset=utf-8").name, media_of("Image/PNG").name, media_of("").name
    ('HTML', 'NOT_LANGUAGE', 'UNKNOWN')
    """
    kind = content_type.split(";", 1)[0].strip().lower()
    if kind == "text/html":
        return Media.HTML
    if kind == "application/xhtml+xml":
        return Media.XHTML
    if NOT_LANGUAGE.match(kind):
        return Media.NOT_LANGUAGE
    if kind.endswith(("/xml", "+xml")):
        return Media.XML
    return Media.PLAIN if kind == "text/plain" else Media.UNKNOWN


def sniff(page: Page, source: bytes, many_controls: bool = False) -> Sniffed:
    """Decide from the first bytes, whether there are many control codes among them, and the Content-Type.

    Where bytes and Content-Type contradict each other, the bytes win.

    >>> sniff(Page(b""), b"%PDF-1.7").why
    'PDF document'
    >>> sniff(Page(b"", headers={"content-type": "text/plain"}), b"if a <b then").syntax.name
    'TEXT'
    """
    syntax, nothing, signature = _kernel.sniff(source[:HEAD], media_of(page.content_type), many_controls, FORMATS)
    return nothing_in(page, source, nothing, signature) if nothing else Sniffed(Syntax(syntax))


def nothing_in(page: Page, source: bytes, nothing: int, signature: int) -> Sniffed:
    """Why there is nothing to read, by the kernel's numbers."""
    if nothing == BY_SIGNATURE:
        name = MAGIC[signature][2]
        return Sniffed(Syntax.NONE, Reason.BINARY, RIFF.get(source[8:12], name) if source[:4] == b"RIFF" else name)
    if nothing == BY_MEDIA:
        kind = page.content_type.split(";", 1)[0].strip().lower()
        return Sniffed(Syntax.NONE, Reason.MEDIA_TYPE, f"{kind} by its Content-Type")
    return Sniffed(Syntax.NONE, Reason.BINARY, "binary data")


def transcoding_of(raw: bytes) -> tuple[str, str]:
    """The encoding that a page has to be transcoded from before it is scanned, and its byte order mark's; empty for none.

    >>> transcoding_of("<p>Καλημέρα".encode("utf-16-be")), transcoding_of(b"<p>Good morning")
    (('utf-16be', ''), ('', ''))
    """
    first = _kernel.probe(raw)
    bom = _kernel.find_bom(raw[:BOM_MOST])[0]
    wide = bom if bom in WIDE else "" if bom else wide_encoding(first)
    if wrong_mark(bom, raw[:HEAD], first):
        wide = ""
    shifting = not wide and (first.escape or first.tilde_brace or first.plus) and escapes.find(raw)
    if not wide and not shifting and not bom:
        wide = wide_by_script(raw[:HEAD], first)
    return wide or shifting or "", bom


def transcoded(raw: bytes, encoding: str) -> bytes:
    """A page that cannot be scanned as it is, in UTF-8."""
    return to_utf8(raw, encoding) if encoding in WIDE else escapes.decode(raw, encoding)


def many_controls(raw: bytes) -> bool:
    """Whether a page has so many control codes that it is binary data."""
    first = _kernel.probe(raw)
    return first.controls > first.head // MOST_CONTROLS


def wrong_mark(bom: str, head: bytes, probe: _kernel.Probe) -> bool:
    """Whether a mark of UTF-16 stands before plain ASCII: in UTF-16 every other byte of that would be NUL.

    >>> from webtongue import _kernel
    >>> page = bytes([0xFF, 0xFE]) + b"<p>Hello"
    >>> wrong_mark("utf-16le", page, _kernel.probe(page))
    True
    """
    return bom.startswith("utf-16") and not any(probe.nuls) and len(head) > 2 and head[2:].isascii()


def wide_by_script(head: bytes, probe: _kernel.Probe) -> str:
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
    shares = [one_script(to_utf8(units, order).translate(None, ASCII)) for order in WIDE[:2]]
    rows = [len(set(units[1::2])), len(set(units[::2]))]  # letters of one script are in few rows of Unicode
    best = min((0, 1), key=lambda order: (shares[order] < ONE_SCRIPT, rows[order]))
    if shares[best] < ONE_SCRIPT or (shares[1 - best] > MANY_SCRIPTS and rows[best] * FEWER > rows[1 - best]):
        return ""
    return ("utf-16le", "utf-16be")[best]


def wide_encoding(probe: _kernel.Probe) -> str:
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
