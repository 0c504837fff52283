"""Names of encodings: what a page declares, what that is, and which Python codec reads it.

Browsers know the 228 labels of the WHATWG standard and no more. Pages older than it declare others (``viscii``,
``johab``, ``win-1251``), and to name their language one has to read them, so these are known here too and marked.

>>> resolve("Latin1 ")
Encoding(name='windows-1252', whatwg=True, codec='cp1252')
>>> resolve("johab")
Encoding(name='johab', whatwg=False, codec='johab')

The table is written by ``tools/tables/make_encodings.py`` and read when first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from webtongue import files

__all__ = ["Encoding", "known_labels", "resolve"]

LONGEST_LABEL = 64  # the longest known has 24 characters
ASCII_WHITESPACE = "\t\n\f\r "  # as the standard has it: no vertical tab, no no-break space
QUOTES = "\"'`;, "


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding by its WHATWG name (in lower case), or by its usual name if the standard has none.

    ``codec`` is the Python codec nearest to the standard's decoder, None where Python has none (``x-user-defined``,
    ``viscii``, ``replacement``).
    """

    name: str
    whatwg: bool
    codec: str | None


def resolve(label: str | bytes, *, standard: bool = False) -> Encoding | None:
    """The encoding that a label names, None if it names none.

    With ``standard`` the answer is the browser's: labels of the standard only, and ``replacement`` for those that it
    refuses to read for safety. Without, stray quotes are forgiven and such labels name what the bytes are.

    >>> resolve(b"HZ-GB-2312").codec, resolve(b"HZ-GB-2312", standard=True).name
    ('hz', 'replacement')
    """
    text = label.decode("latin-1") if isinstance(label, bytes) else label
    text = text.strip(ASCII_WHITESPACE)
    if not standard:
        text = text.strip(QUOTES)
    if len(text) > LONGEST_LABEL or not text.isascii():
        return None
    return _encodings(standard).get(text.lower())


def known_labels(*, standard: bool = False) -> frozenset[str]:
    """Every label that is understood, in lower case; those of the standard only, if asked."""
    return frozenset(_encodings(standard))


@cache
def _encodings(standard: bool) -> dict[str, Encoding]:
    """Encodings by label; of two rows for one label, ``replacement`` is the browser's and the other ours."""
    found: dict[str, Encoding] = {}
    for label, name, standing, codec in files.rows("encodings.tsv"):
        if standing == "1" if standard else (label not in found or name != "replacement"):
            found[label] = Encoding(name, standing != "0", codec or None)
    return found
