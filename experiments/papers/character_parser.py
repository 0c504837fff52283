"""The character-sequence parser of Chew 2011's experiments one and two (section 3.2).

It is a real one: it decodes by the declared charset (table 4: header, XML declaration, meta), else by what Mozilla's detector
says, else by UTF-8, cuts the markup, and writes the text in the encoding that it believed. ``override_http`` is table 4's switch
"override HTTP server-side encoding": the page's own declarations are asked and the server's is not.
"""

from __future__ import annotations

from dataclasses import replace

from webtongue import Page
from webtongue.encodings.names import resolve
from webtongue.errors import MissingExtra
from webtongue.hints.declared import declared_encoding
from webtongue.markup import read
from webtongue.methods.document import tagless
from webtongue.page import NO_HEADERS

DEFAULT = "utf-8"


def character_text(page: bytes | Page, override_http: bool = False) -> bytes:
    """The text by way of characters, references as they are written; what was not understood is "?" (table 3)."""
    codec = codec_of(believed(page, override_http))
    decoded = page_of(page).raw.decode(codec, "replace").encode("utf-8", "replace")
    text = tagless(decoded, references=False).decode("utf-8", "replace")
    return text.replace("\ufffd", "?").encode(codec, "replace")


def believed(page: bytes | Page, override_http: bool = False) -> str:
    """The encoding that a character-sequence parser takes a page to be in."""
    return valid_charset(page, override_http) or detected(page_of(page).raw) or DEFAULT


def detected(raw: bytes) -> str:
    """What Mozilla's detector says, empty for nothing."""
    try:
        import cchardet
    except ImportError as error:
        raise MissingExtra("faust-cchardet", "experiments") from error
    return str(cchardet.detect(raw)["encoding"] or "")


def valid_charset(page: bytes | Page, override_http: bool = False) -> str:
    """The declared charset by table 4, empty where there is none or it names no encoding (x-user-defined).

    >>> page = Page(b'<meta charset="koi8-r">', headers={"content-type": "text/html; charset=utf-8"})
    >>> valid_charset(page), valid_charset(page, override_http=True)
    ('utf-8', 'koi8-r')
    """
    found = page_of(page)
    declared = declared_encoding(read(replace(found, headers=NO_HEADERS) if override_http else found)).paper
    return "" if declared == "x-user-defined" else declared


def page_of(page: bytes | Page) -> Page:
    return Page(page) if isinstance(page, bytes) else page


def codec_of(encoding: str) -> str:
    """Python's codec, UTF-8 for want of one."""
    found = resolve(encoding)
    return found.codec if found and found.codec else DEFAULT
