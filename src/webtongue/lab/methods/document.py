"""Read documents: convert text, bytes or a page into the text, bytes or URL that a method counts."""

from __future__ import annotations

from webtongue import _kernel, markup
from webtongue.charset import detection
from webtongue.markup import Markup, Syntax
from webtongue.page import Page

__all__ = ["Document", "get_url", "read_bytes", "read_text", "strip_tags", "to_page"]

# Decoded text, or a URL for methods that read URLs; raw bytes of a text or page; a page with its URL.
Document = str | bytes | Page


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
    """Return undecoded bytes: UTF-8 of a str, bytes unchanged, the visible text of a Page in its own encoding.

    >>> read_bytes("ä"), read_bytes(b"<p>"), read_bytes(Page(b"<p>\\xe4"))
    (b'\\xc3\\xa4', b'<p>', b'\\xe4')
    """
    if isinstance(document, str):
        return document.encode("utf-8", "replace")
    if isinstance(document, bytes):
        return document
    scanned: Markup = markup.read(to_page(document))
    return b"" if scanned.syntax is Syntax.NONE else bytes(scanned.scan.slice(0, scanned.scan.visible_size))


def strip_tags(raw: bytes, decode_references: bool) -> bytes:
    """Return the bytes of an HTML page without tags, in any encoding; character references become UTF-8 or stay unchanged.

    >>> strip_tags(b"<p>\\xe4 &auml;</p>", True), strip_tags(b"<p>\\xe4 &auml;</p>", False)
    (b'\\xe4 \\xc3\\xa4', b'\\xe4 &auml;')
    """
    scan = _kernel.scan(raw if decode_references else raw.replace(b"&", b"&amp;"), Syntax.HTML, False, True)
    return bytes(scan.slice(0, scan.visible_size))


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
