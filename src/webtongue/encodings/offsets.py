"""Where characters of a transcoded page stand in the page itself.

Pages in UTF-16, UTF-32, johab and encodings that shift are scanned in UTF-8, and what is found in them is found there; callers
want offsets into the bytes that they have.

>>> raw = "<p>図書館".encode("utf-16-le")
>>> to_page(raw, "utf-16le", [0, 3, 6, 12])
[0, 6, 8, 12]
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["to_page"]


def to_page(raw: bytes, encoding: str, offsets: Sequence[int]) -> list[int]:
    """Offsets into the page in UTF-8 as offsets into the page: where the same characters begin.

    They come in the order they were in and lie inside the page, whatever damage it has.
    """
    from webtongue.encodings import positions  # stands on NumPy, and few pages need it

    wanted = sorted(set(offsets))
    found = dict(zip(wanted, positions.find(raw, encoding, wanted), strict=True))
    return [found[offset] for offset in offsets]
