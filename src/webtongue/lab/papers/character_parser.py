"""The character-sequence parser of Chew 2011's experiments one and two (section 3.2).

It decodes a page by the declared charset (table 4: header, XML declaration, meta), else by the answer of Mozilla's detector, else
as UTF-8, removes the markup, and encodes the text again in the encoding that it assumed. Encodings are those of webtongue, which
has more of them than Python. ``override_http`` is table 4's switch "override HTTP server-side encoding": the page's own
declarations are used and the server's is not. Section 4.3 has a detector and section 5.2 reads pages without a charset as UTF-8:
``detector`` is the difference.
"""

from __future__ import annotations

from dataclasses import replace

from webtongue import Page
from webtongue.charset import codecs
from webtongue.charset.names import resolve
from webtongue.errors import MissingExtra
from webtongue.lab.methods.document import TextBytes, strip_tags
from webtongue.markup import read
from webtongue.markup.declarations import declared_encoding
from webtongue.page import NO_HEADERS

DEFAULT_ENCODING = "utf-8"


def extract_by_characters(page: bytes | Page, override_http: bool = False, detector: bool = True) -> bytes:
    """Return the text as a character parser extracts it, with references as written and "?" for undecodable bytes (table 3)."""
    encoding = find_encoding(assume_encoding(page, override_http, detector))
    decoded = codecs.decode(as_page(page).raw, encoding).encode("utf-8", "replace")
    text = strip_tags(decoded, decode_references=False).decode("utf-8", "replace").replace(codecs.REPLACEMENT, "?")
    return TextBytes(b"\n".join(encode_line(line, encoding) for line in text.split("\n")))


def encode_line(line: str, encoding: str) -> bytes:
    """Return a line in an encoding, with "?" for characters that it lacks."""
    raw = codecs.encode(line, encoding)
    return raw if raw is not None else b"".join(codecs.encode(c, encoding) or b"?" for c in line)


def assume_encoding(page: bytes | Page, override_http: bool = False, detector: bool = True) -> str:
    """Return the encoding in which a character-sequence parser reads a page."""
    detected = detect_encoding(as_page(page).raw) if detector and not declared_charset(page, override_http) else ""
    return declared_charset(page, override_http) or detected or DEFAULT_ENCODING


def detect_encoding(raw: bytes) -> str:
    """Return the answer of Mozilla's detector, empty if it has none."""
    try:
        import cchardet
    except ImportError as error:
        raise MissingExtra("faust-cchardet", "lab") from error
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


def find_encoding(name: str) -> str:
    """Return the encoding that a name means, UTF-8 if it is unknown."""
    resolved = resolve(name)
    is_known = resolved is not None and (resolved.codec or resolved.name in codecs.table_encodings())
    return resolved.name if resolved and is_known else DEFAULT_ENCODING
