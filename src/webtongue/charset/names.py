"""Resolve declared names of encodings to encodings and Python codecs.

Browsers know the 228 labels of the WHATWG standard. Older pages declare others (``viscii``, ``johab``, ``win-1251``), which are
known here too, marked as outside the standard, since the language of such a page can only be identified if it is decoded.

>>> resolve("Latin1 ")
Encoding(name='windows-1252', whatwg=True, codec='cp1252')
>>> resolve("johab")
Encoding(name='johab', whatwg=False, codec='johab')

``tools/tables/make_encodings.py`` generates the table, which is read at the first call.
"""

from __future__ import annotations

from functools import cache

from webtongue import files
from webtongue.records import dataclass

__all__ = ["Encoding", "known_labels", "resolve"]

MAX_LABEL_CHARS = 64  # the longest known label has 24
ASCII_WHITESPACE = "\t\n\f\r "  # the standard's definition: no vertical tab, no no-break space
QUOTES = "\"'`;, "


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding by its WHATWG name (in lower case), or by its usual name if the standard lacks it.

    ``codec`` is the Python codec nearest to the standard's decoder, None if Python has none (``x-user-defined``, ``viscii``,
    ``replacement``).
    """

    name: str
    whatwg: bool
    codec: str | None


def resolve(label: str | bytes, *, standard: bool = False) -> Encoding | None:
    """Return the encoding that a label names, or None for an unknown label.

    With ``standard``, the answer is that of browsers: only labels of the standard, and ``replacement`` for encodings that it
    rejects for security. Without it, stray quotes are ignored, and such labels resolve to the encodings themselves.

    >>> resolve(b"HZ-GB-2312").codec, resolve(b"HZ-GB-2312", standard=True).name
    ('hz', 'replacement')
    """
    text = label.decode("latin-1") if isinstance(label, bytes) else label
    text = text.strip(ASCII_WHITESPACE)
    if not standard:
        text = text.strip(QUOTES)
    if len(text) > MAX_LABEL_CHARS or not text.isascii():
        return None
    return _encodings(standard).get(text.lower())


def known_labels(*, standard: bool = False) -> frozenset[str]:
    """Return all known labels in lower case, with ``standard`` only those of the standard."""
    return frozenset(_encodings(standard))


@cache
def _encodings(standard: bool) -> dict[str, Encoding]:
    """Return encodings by label; of two rows for a label, ``replacement`` is that of browsers and the other ours."""
    encodings: dict[str, Encoding] = {}
    for label, name, standing, codec in files.read_rows("encodings.tsv"):
        if standing == "1" if standard else (label not in encodings or name != "replacement"):
            encodings[label] = Encoding(name, standing != "0", codec or None)
    return encodings
