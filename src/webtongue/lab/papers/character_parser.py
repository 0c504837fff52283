"""The character-sequence parser of Chew 2011's experiments one and two (section 3.2).

It decodes a page by the declared charset (table 4: header, XML declaration, meta), else by the answer of Mozilla's detector,
else as UTF-8, removes the markup, and encodes the text again in the encoding that it assumed. ``override_http`` is table 4's
switch "override HTTP server-side encoding": the page's own declarations are used and the server's is not.
"""

from __future__ import annotations

from dataclasses import replace

from webtongue import Page
from webtongue.charset.names import resolve
from webtongue.errors import MissingExtra
from webtongue.lab.methods.document import strip_tags
from webtongue.markup import read
from webtongue.markup.declarations import declared_encoding
from webtongue.page import NO_HEADERS

DEFAULT_ENCODING = "utf-8"


def extract_by_characters(page: bytes | Page, override_http: bool = False) -> bytes:
    """Return the text as a character parser extracts it, with references as written and "?" for undecodable bytes (table 3)."""
    codec = find_codec(assume_encoding(page, override_http))
    decoded = as_page(page).raw.decode(codec, "replace").encode("utf-8", "replace")
    text = strip_tags(decoded, decode_references=False).decode("utf-8", "replace")
    return text.replace("\ufffd", "?").encode(codec, "replace")


def assume_encoding(page: bytes | Page, override_http: bool = False) -> str:
    """Return the encoding in which a character-sequence parser reads a page."""
    return declared_charset(page, override_http) or detect_encoding(as_page(page).raw) or DEFAULT_ENCODING


def detect_encoding(raw: bytes) -> str:
    """Return the answer of Mozilla's detector, empty if it has none."""
    try:
        import cchardet
    except ImportError as error:
        raise MissingExtra("faust-cchardet", "experiments") from error
    return str(cchardet.detect(raw)["encoding"] or "")


def declared_charset(page: bytes | Page, override_http: bool = False) -> str:
    """Return the declared charset by table 4, empty where there is none or it names no encoding (x-user-defined).

    >>> page = Page(b'<meta charset="koi8-r">', headers={"content-type": "text/html; charset=utf-8"})
    >>> declared_charset(page), declared_charset(page, override_http=True)
    ('utf-8', 'koi8-r')
    """
    full_page = as_page(page)
    declared = declared_encoding(read(replace(full_page, headers=NO_HEADERS) if override_http else full_page)).paper
    return "" if declared == "x-user-defined" else declared


def as_page(page: bytes | Page) -> Page:
    """Return raw bytes as a Page."""
    return Page(page) if isinstance(page, bytes) else page


def find_codec(encoding: str) -> str:
    """Return Python's codec of an encoding, UTF-8 if there is none."""
    resolved = resolve(encoding)
    return resolved.codec if resolved and resolved.codec else DEFAULT_ENCODING
