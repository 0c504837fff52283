"""Text that was read in a wrong encoding and written out again in UTF-8: "Ã©" for é, "РїСЂ" for пр. It can be undone.

>>> repair("CafÃ© crÃ¨me â€“ 3 â‚¬")
'Café crème – 3 €'
>>> repair("РџСЂРёРІРµС‚")
'Привет'
"""

from __future__ import annotations

__all__ = ["repair"]


def repair(text: str) -> str:
    """The text with every stretch put right that is well-formed UTF-8 in one of the wrong encodings."""
    if text.isascii():
        return text
    from webtongue.encodings import misread  # stands on NumPy, and few pages need it

    return misread.put_right(text)
