"""The character-sequence parser of Chew 2011's experiments one and two (section 3.2).

It is a real one: it decodes by the declared charset (table 4: header, XML declaration, meta), else
by what Mozilla's detector says, else by UTF-8, cuts the markup, and writes the text in the encoding that it believed.
"""

from __future__ import annotations

from webtongue import Page
from webtongue.encodings.names import resolve
from webtongue.errors import MissingExtra
from webtongue.hints.declared import declared_encoding
from webtongue.markup import read
from webtongue.methods.document import tagless

DEFAULT = "utf-8"


def character_text(raw: bytes) -> bytes:
    """The text by way of characters, references as they are written; what was not understood is "?" (table 3)."""
    codec = codec_of(believed(raw))
    decoded = raw.decode(codec, "replace").encode("utf-8", "replace")
    text = tagless(decoded, references=False).decode("utf-8", "replace")
    return text.replace("\ufffd", "?").encode(codec, "replace")


def believed(raw: bytes) -> str:
    """The encoding that a character-sequence parser takes a page to be in."""
    name = valid_charset(raw)
    if not name:
        try:
            import cchardet
        except ImportError as error:
            raise MissingExtra("faust-cchardet", "experiments") from error
        name = cchardet.detect(raw)["encoding"] or DEFAULT
    return name


def valid_charset(raw: bytes) -> str:
    """The declared charset by table 4, empty where there is none or it names no encoding (x-user-defined)."""
    declared = declared_encoding(read(Page(raw))).paper
    return "" if declared == "x-user-defined" else declared


def codec_of(encoding: str) -> str:
    """Python's codec, UTF-8 for want of one."""
    found = resolve(encoding)
    return found.codec if found and found.codec else DEFAULT
