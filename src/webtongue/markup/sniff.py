"""Detect the syntax of a page, and whether it must be transcoded before it is scanned.

The kernel decides the syntax by first bytes and media type (native/markup/sniff.cpp); its tables are here.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from webtongue import _kernel
from webtongue.charset import stateful
from webtongue.charset.scripts import main_script_share
from webtongue.charset.wide import WIDE_ENCODINGS, to_utf8
from webtongue.page import Page
from webtongue.records import dataclass
from webtongue.verdict import Reason

__all__ = [
    "FORMATS",
    "HEAD_BYTES",
    "SYNTAX_TYPES",
    "Media",
    "Sniffed",
    "Syntax",
    "blank_wrong_bom",
    "detect_transcoding",
    "explain_no_text",
    "media_type_of",
    "parse_media_type",
    "sniff",
]


class Syntax(IntEnum):
    """The syntax of a page, by the kernel's numbers."""

    HTML = 0
    XHTML = 1
    XML = 2
    TEXT = 3
    NONE = 4  # not text; never scanned


class Media(IntEnum):
    """The kind of a Content-Type, by the kernel's numbers."""

    UNKNOWN = 0
    HTML = 1
    XHTML = 2
    XML = 3
    PLAIN = 4
    NOT_LANGUAGE = 5


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The syntax and, for a page without text, the reason as a code and in words."""

    syntax: Syntax
    reason: Reason = Reason.NONE
    why: str = ""


# Signatures of formats without text: offset, bytes and name.
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
    (257, b"ustar\x0000", "tar archive"),
    (257, b"ustar  \x00", "tar archive"),  # as GNU tar writes it
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (0, b"Rar!\x1a\x07", "RAR archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document"),
    (0, b"WARC/1.0\r\n", "WARC file"),
    (0, b"WARC/1.1\r\n", "WARC file"),
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
MIN_MAGIC_BYTES = 4  # a shorter signature may be the start of a text
RIFF = {b"WEBP": "WebP image", b"WAVE": "WAVE audio", b"AVI ": "AVI video"}
# Documents that are zip archives, by bytes among their first ones.
ZIP_FORMATS = {
    b"mimetypeapplication/epub+zip": "EPUB document",
    b"mimetypeapplication/vnd.oasis.opendocument": "OpenDocument file",
    b"word/": "Word document",
    b"xl/": "Excel document",
    b"ppt/": "PowerPoint document",
}
# What to do with formats that hold text, by their names or by the last word of these.
ADVICE = {
    "PDF document": "extract its text first (pdftotext)",
    "PostScript document": "extract its text first (ps2ascii)",
    "Office document": "extract its text first (LibreOffice)",
    "Excel document": "extract its text first (LibreOffice)",
    "PowerPoint document": "extract its text first (LibreOffice)",
    "document": "extract its text first (pandoc)",
    "OpenDocument file": "extract its text first (pandoc)",
    "WARC file": "read it with webtongue census or webtongue extract",
    "gzip data": "decompress it first, or read a WARC file with webtongue census",
    "archive": "unpack it and give the files inside",
    "data": "decompress it first",
    "image": "text in it needs character recognition (OCR) first",
}
# Media types of formats, and of syntaxes.
MEDIA_TYPES = {
    "EPUB document": "application/epub+zip",
    "OpenDocument file": "application/vnd.oasis.opendocument",
    "Word document": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "Excel document": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "PowerPoint document": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
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
    "WARC file": "application/warc",
    "zip archive": "application/zip",
    "gzip data": "application/gzip",
    "bzip2 data": "application/x-bzip2",
    "xz data": "application/x-xz",
    "zstd data": "application/zstd",
    "tar archive": "application/x-tar",
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
BY_SIGNATURE, BY_MEDIA_TYPE = 1, 2  # the kernel's numbers of reasons for no text

# Media types without language.
NOT_LANGUAGE = re.compile(
    r"image/(?!svg)|audio/|video/|font/|application/(pdf|zip|gzip|octet-stream|x-shockwave|vnd\.|json|javascript"
    r"|x-javascript|ecmascript|wasm|ld\+json|x-www-form)|text/(css|javascript|x-javascript|ecmascript)\b"
)
HEAD_BYTES = 4096  # bytes that are checked for UTF-16 and control codes
MAX_BOM_BYTES = 4
MIN_BYTES_PER_CONTROL = 20  # binary data has a control code in fewer bytes; text has none
MIN_CONTROL_SHARE = 0.01  # share of control bytes in UTF-16 text without NULs
MIN_SCRIPT_SHARE = 0.95  # share of the main script in a right decoding
MAX_SCRIPT_SHARE = 0.8  # share of the main script in a wrong decoding
MIN_ROW_RATIO = 2  # else the wrong decoding must have more rows of Unicode by this factor
# Share of East Asian characters that one of these character sets has. Text has nearly all its characters in one of them; of random
# ones GB 2312 has a quarter, Big5 a half, and EUC-KR a fifth of those of Hangul.
MIN_COMMON_SHARE, FIRST_EAST_ASIAN = 0.9, "\u2e80"
EAST_ASIAN_CODECS = ("gb2312", "big5", "shift_jis", "euc_kr")
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
MAX_UTF8_ERROR_RATE = 0.05  # ill-formed sequences per well-formed one after a wrong byte order mark
MIN_LOW_SHARE = 0.8  # share of high bytes below 0x20 in UTF-16, where the rows of alphabets are
TAG = re.compile(rb"</?[A-Za-z][A-Za-z0-9]*(?:\s[\x20-\x7e\s]{0,500}?)?>")
ASCII = bytes(range(0x80))


@lru_cache(4096)
def parse_media_type(content_type: str) -> Media:
    """Return the kind of a Content-Type.

    >>> parse_media_type("text/html; charset=utf-8").name, parse_media_type("Image/PNG").name, parse_media_type("").name
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


def sniff(page: Page, source: bytes, has_many_controls: bool = False) -> Sniffed:
    """Return the syntax by the first bytes, by the frequency of control codes and by the Content-Type.

    If bytes and Content-Type contradict each other, the bytes decide.

    >>> sniff(Page(b""), b"%PDF-1.7").why
    'PDF document: extract its text first (pdftotext)'
    >>> sniff(Page(b"", headers={"content-type": "text/plain"}), b"if a <b then").syntax.name
    'TEXT'
    """
    syntax, no_text, signature = _kernel.sniff(source, parse_media_type(page.content_type), has_many_controls, FORMATS)
    return explain_no_text(page, source, no_text, signature) if no_text else Sniffed(Syntax(syntax))


def explain_no_text(page: Page, source: bytes, no_text: int, signature: int) -> Sniffed:
    """Return the reason why a page has no text, by the kernel's numbers."""
    if no_text == BY_SIGNATURE:
        return Sniffed(Syntax.NONE, Reason.BINARY, _describe_format(MAGIC[signature][2], source[:HEAD_BYTES]))
    if no_text == BY_MEDIA_TYPE:
        kind = page.content_type.split(";", 1)[0].strip().lower()
        return Sniffed(Syntax.NONE, Reason.MEDIA_TYPE, f"{kind} by its Content-Type")
    # Too many control codes. Short signatures are no reason by themselves, but name the format.
    name = next((name for offset, first, name in MAGIC if page.raw.startswith(first, offset)), "")
    return Sniffed(Syntax.NONE, Reason.BINARY, _describe_format(name, page.raw[:HEAD_BYTES]) if name else "binary data")


def _describe_format(name: str, head: bytes) -> str:
    """Return the name of a format by its first bytes, and what to do with it if it may hold text."""
    if name == "RIFF media":
        name = RIFF.get(head[8:12], name)
    elif name == "zip archive":
        name = next((inner for mark, inner in ZIP_FORMATS.items() if mark in head), name)
    advice = ADVICE.get(name) or ADVICE.get(name.rpartition(" ")[2], "")
    return f"{name}: {advice}" if advice else name


def media_type_of(why: str) -> str:
    """Return the media type of the format that a sentence on a page without text names; empty if it names none.

    >>> media_type_of("Word document: extract its text first"), media_type_of("binary data")
    ('application/vnd.openxmlformats-officedocument.wordprocessingml.document', '')
    """
    return MEDIA_TYPES.get(why.partition(":")[0], "")


def detect_transcoding(raw: bytes) -> tuple[str, str]:
    """Return the encoding from which a page must be transcoded before it is scanned, and that of its byte order mark; or empty.

    >>> detect_transcoding("<p>Καλημέρα".encode("utf-16-be")), detect_transcoding(b"<p>Good morning")
    (('utf-16be', ''), ('', ''))
    """
    probe = _kernel.probe(raw)
    bom = _kernel.find_bom(raw[:MAX_BOM_BYTES])[0]
    if not bom and any(raw.startswith(magic, offset) for offset, magic in FORMATS if len(magic) >= MIN_MAGIC_BYTES):
        return "", ""  # the header of an image can look like UTF-16
    wide = bom if bom in WIDE_ENCODINGS else "" if bom else detect_wide_by_nuls(probe)
    if is_wrong_bom(bom, raw[:HEAD_BYTES], probe):
        wide = bom = ""
    is_suspicious = probe.escape or probe.tilde_brace or probe.plus
    stateful_encoding = stateful.detect(raw) if is_suspicious and not wide else ""
    if not wide and not stateful_encoding and not bom:
        wide = detect_wide_by_script(raw[:HEAD_BYTES], probe)
    return wide or stateful_encoding, bom


def transcode(raw: bytes, encoding: str) -> bytes:
    """Return a page in UTF-8 whose encoding cannot be scanned."""
    return to_utf8(raw, encoding) if encoding in WIDE_ENCODINGS else stateful.decode(raw, encoding)


def has_many_controls(raw: bytes) -> bool:
    """Return True if a page has so many control codes that it is binary data."""
    probe = _kernel.probe(raw)
    return probe.controls > probe.head // MIN_BYTES_PER_CONTROL


def is_wrong_bom(bom: str, head: bytes, probe: _kernel.Probe) -> bool:
    """Return True if a byte order mark of UTF-16 is followed by other text: UTF-8 or tags, every other byte of which would be NUL.

    >>> from webtongue import _kernel
    >>> page = bytes([0xFF, 0xFE]) + "<p>Καλημέρα".encode()
    >>> is_wrong_bom("utf-16le", page, _kernel.probe(page))
    True
    """
    rest = head[len(UTF16_BOMS[0]) :]
    if not bom.startswith("utf-16") or any(probe.nuls) or not rest:
        return False
    low_bytes = max(sum(byte < ord(" ") for byte in rest[parity::2]) for parity in (0, 1))
    if low_bytes * 2 > MIN_LOW_SHARE * len(rest):  # letters of an alphabet in UTF-16, which may be bytes of ASCII
        return False
    errors, multibyte = _kernel.check_utf8(rest)
    return errors <= MAX_UTF8_ERROR_RATE * multibyte + (len(head) == HEAD_BYTES) or TAG.search(rest) is not None


def blank_wrong_bom(raw: bytes, bom: str) -> bytes:
    """Return a page with spaces in place of a byte order mark of UTF-16 that is wrong, so that offsets stay the same."""
    return b"  " + raw[len(UTF16_BOMS[0]) :] if not bom and raw.startswith(UTF16_BOMS) else raw


def detect_wide_by_script(head: bytes, probe: _kernel.Probe) -> str:
    """Return the byte order of UTF-16 in text with hardly a space or tag: the right one gives one script, the wrong one many.

    Half of the bytes of such a text are arbitrary, so some are control codes, which do not occur in other text.

    >>> from webtongue import _kernel
    >>> raw = "图书馆早上九点开门，晚上六点关门。".encode("utf-16-le")
    >>> detect_wide_by_script(raw, _kernel.probe(raw))
    'utf-16le'
    """
    if len(head) < 4 or (len(head) % 2 and len(head) < HEAD_BYTES) or probe.controls < MIN_CONTROL_SHARE * probe.head:
        return ""
    units = head[: len(head) & ~1]
    shares = [main_script_share(to_utf8(units, order).translate(None, ASCII)) for order in WIDE_ENCODINGS[:2]]
    rows = [len(set(units[1::2])), len(set(units[::2]))]  # letters of a script are in few rows of Unicode
    best = min((0, 1), key=lambda order: (shares[order] < MIN_SCRIPT_SHARE, rows[order]))
    if shares[best] < MIN_SCRIPT_SHARE or (
        shares[1 - best] > MAX_SCRIPT_SHARE and rows[best] * MIN_ROW_RATIO > rows[1 - best]
    ):
        return ""
    order = WIDE_ENCODINGS[best]
    return order if _has_common_characters(to_utf8(units, order).decode("utf-8", "replace")) else ""


def _has_common_characters(text: str) -> bool:
    """Return True unless a text is of East Asian characters that no legacy character set has, as random bytes are in UTF-16."""
    characters = [char for char in text if char >= FIRST_EAST_ASIAN]
    most = max(sum(len(char.encode(name, "ignore")) > 1 for char in characters) for name in EAST_ASIAN_CODECS)
    return most >= MIN_COMMON_SHARE * len(characters)


def detect_wide_by_nuls(probe: _kernel.Probe) -> str:
    """Return the UTF-16 or UTF-32 that a pattern of NUL bytes indicates, or an empty string.

    Markup is ASCII, so even a Chinese page in UTF-16 has NULs in every other byte of its tags, and none between.

    >>> from webtongue import _kernel
    >>> detect_wide_by_nuls(_kernel.probe("<p>Καλημέρα".encode("utf-16-be")))
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
    if little > often and max(nul[0], nul[2]) < max(seldom, little / 8):  # characters such as 一 end with a NUL
        return "utf-16le"
    if big > often and max(nul[1], nul[3]) < max(seldom, big / 8):
        return "utf-16be"
    return ""
