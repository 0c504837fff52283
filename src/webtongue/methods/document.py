"""What a method reads: text, bytes or a page, each turned into what the method counts."""

from __future__ import annotations

from webtongue import _kernel, coding, markup
from webtongue.markup import Markup, Syntax
from webtongue.page import Page

__all__ = ["Document", "bytes_of", "page_of", "tagless", "text_of", "url_of"]

Document = str | bytes | Page  # decoded text, or for a URL method the URL; a raw text or page; a page and its address


def text_of(document: Document) -> str:
    """Decoded text: markup is cut and the encoding found as the default identifier does it.

    >>> text_of("<p>a"), text_of(b"<p>a"), text_of(Page("<title>x</title><p>ä".encode()))
    ('<p>a', 'a', 'x\\nä')
    """
    if isinstance(document, str):
        return document
    scanned, _ = coding.decode(markup.read(page_of(document)))
    return "" if scanned.syntax is Syntax.NONE else scanned.text


def bytes_of(document: Document) -> bytes:
    """Bytes that are not decoded: UTF-8 of a str, bytes as they are, the visible text of a Page in its own encoding.

    >>> bytes_of("ä"), bytes_of(b"<p>"), bytes_of(Page(b"<p>\\xe4"))
    (b'\\xc3\\xa4', b'<p>', b'\\xe4')
    """
    if isinstance(document, str):
        return document.encode("utf-8", "replace")
    if isinstance(document, bytes):
        return document
    scanned: Markup = markup.read(page_of(document))
    return b"" if scanned.syntax is Syntax.NONE else bytes(scanned.scan.slice(0, scanned.scan.visible_size))


def tagless(raw: bytes, references: bool) -> bytes:
    """The text of an HTML page by byte alone, whatever its encoding; references become UTF-8, or stay as they are written.

    >>> tagless(b"<p>\\xe4 &auml;</p>", True), tagless(b"<p>\\xe4 &auml;</p>", False)
    (b'\\xe4 \\xc3\\xa4', b'\\xe4 &auml;')
    """
    scan = _kernel.scan(raw if references else raw.replace(b"&", b"&amp;"), Syntax.HTML, False, True)
    return bytes(scan.slice(0, scan.visible_size))


def page_of(document: Document) -> Page:
    """A page: text counts as one in UTF-8 without markup being looked for."""
    if isinstance(document, Page):
        return document
    if isinstance(document, str):
        return Page(document.encode("utf-8", "replace"), headers={"content-type": "text/plain; charset=utf-8"})
    if isinstance(document, bytes):
        return Page(document)
    raise TypeError(f"a document is str, bytes or Page, not {type(document).__name__}")


def url_of(document: Document) -> str:
    """The address of a page, or the text itself, which is then a URL."""
    return document if isinstance(document, str) else page_of(document).url or ""
