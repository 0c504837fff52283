"""How much of a text is in one script: text read in a wrong encoding is in pieces of many."""

from __future__ import annotations

from webtongue import _kernel

__all__ = ["one_script"]

TEXT = 3  # the kernel's number of a syntax without markup
SIGNS = ("Zyyy", "Zinh")
EAST = ("Hani", "Hira", "Kana", "Hang", "Bopo")


def one_script(text: bytes) -> float:
    """The share of the script that a text in UTF-8 has most of, signs of no script left out; East Asia's count as one.

    >>> one_script("日本語のテキスト".encode()), one_script("aбвγ".encode())
    (1.0, 0.5)
    """
    counts = dict(zip(_kernel.script_names(), _kernel.scan(text, TEXT, False, True).count_scripts(0), strict=True))
    letters = {name: count for name, count in counts.items() if name not in SIGNS}
    east = sum(letters.pop(name, 0) for name in EAST)
    return max(east, *letters.values()) / max(1, east + sum(letters.values()))
