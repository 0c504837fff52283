"""Read documents: convert text, bytes or a page into the text, bytes or URL that a method counts."""

from __future__ import annotations

from webtongue import _kernel, markup
from webtongue.charset import detection
from webtongue.charset.codecs import python_codec
from webtongue.markup import Markup, Syntax
from webtongue.markup.sniff import detect_transcoding
from webtongue.page import Page

__all__ = [
    "Document", "TextBytes", "find_wide_encoding", "get_url", "read_bytes", "read_raw", "read_text", "strip_tags", "to_page",
]  # fmt: skip

# Decoded text, or a URL for methods that read URLs; raw bytes, which all methods read like a page; a page with its URL.
Document = str | bytes | Page
WIDE_PREFIXES = ("utf-16", "utf-32")


class TextBytes(bytes):
    """Bytes of a text without markup, as training text in an encoding: methods that read bytes count them as they are."""

    __slots__ = ()


def read_raw(document: Document) -> Document:
    """Return raw bytes as a page, so that every method finds markup and declarations in them; other documents as they are."""
    return Page(document) if isinstance(document, bytes) and not isinstance(document, TextBytes) else document


def read_text(document: Document) -> str:
    """Return decoded text, with markup removed and the encoding detected as in the default identifier.

    >>> read_text("<p>a"), read_text(b"<p>a"), read_text(Page("<title>x</title><p>ä".encode()))
    ('<p>a', 'a', 'x\\nä')
    """
    if isinstance(document, str):
        return document
    scanned, _ = detection.decode_page(markup.read(to_page(document)))
    return "" if scanned.syntax is Syntax.NONE else scanned.text


def read_bytes(document: Document) -> bytes:
    """Return undecoded bytes: UTF-8 of a str, TextBytes unchanged, the visible text of other bytes and of a Page in its encoding.

    UTF-16 and UTF-32, forms of Unicode that no byte model is trained on, become UTF-8.

    >>> read_bytes("ä"), read_bytes(TextBytes(b"<p>")), read_bytes(b"<p>\\xe4"), read_bytes(Page(b"<p>\\xe4"))
    (b'\\xc3\\xa4', b'<p>', b'\\xe4', b'\\xe4')
    >>> read_bytes(Page("<p>日".encode("iso2022_jp")))
    b'\\x1b$BF|\\x1b(B'
    """
    document = read_raw(document)
    if isinstance(document, str):
        return document.encode("utf-8", "replace")
    if isinstance(document, bytes):
        return bytes(document)
    scanned: Markup = markup.read(to_page(document))
    visible = b"" if scanned.syntax is Syntax.NONE else bytes(scanned.scan.slice(0, scanned.scan.visible_size))
    if not scanned.transcoded or scanned.transcoded.startswith(WIDE_PREFIXES):
        return visible
    return visible.decode("utf-8", "replace").encode(python_codec(scanned.transcoded), "ignore")


def find_wide_encoding(document: Document) -> str:
    """Return the name of UTF-16 or UTF-32 if a page is in it, else an empty string."""
    name = detect_transcoding(document.raw)[0] if isinstance(document, Page) else ""
    return name if name.startswith(WIDE_PREFIXES) else ""


def strip_tags(raw: bytes, decode_references: bool) -> TextBytes:
    """Return the bytes of an HTML page without tags, in any encoding; character references become UTF-8 or stay unchanged.

    >>> strip_tags(b"<p>\\xe4 &auml;</p>", True), strip_tags(b"<p>\\xe4 &auml;</p>", False)
    (b'\\xe4 \\xc3\\xa4', b'\\xe4 &auml;')
    """
    scan = _kernel.scan(raw if decode_references else raw.replace(b"&", b"&amp;"), Syntax.HTML, False, True)
    return TextBytes(scan.slice(0, scan.visible_size))


def to_page(document: Document) -> Page:
    """Return a page; a str becomes plain text in UTF-8."""
    if isinstance(document, Page):
        return document
    if isinstance(document, str):
        return Page(document.encode("utf-8", "replace"), headers={"content-type": "text/plain; charset=utf-8"})
    if isinstance(document, bytes):
        return Page(document)
    raise TypeError(f"a document must be str, bytes or Page, not {type(document).__name__}")


def get_url(document: Document) -> str:
    """Return the URL of a page; a str is itself a URL."""
    return document if isinstance(document, str) else to_page(document).url or ""
