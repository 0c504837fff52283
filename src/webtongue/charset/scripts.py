"""The share of a text's main script: text that is decoded in a wrong encoding mixes many scripts."""

from __future__ import annotations

from webtongue import _kernel

__all__ = ["main_script_share"]

PLAIN_TEXT = 3  # the kernel's number of the syntax without markup
NO_SCRIPT = ("Zyyy", "Zinh")
EAST_ASIAN = ("Hani", "Hira", "Kana", "Hang", "Bopo")


def main_script_share(text: bytes) -> float:
    """Return the share of the most frequent script among the letters of a text in UTF-8; East Asian scripts count as one.

    >>> main_script_share("日本語のテキスト".encode()), main_script_share("aбвγ".encode())
    (1.0, 0.5)
    """
    scan = _kernel.scan(text, PLAIN_TEXT, False, True)
    counts = dict(zip(_kernel.script_names(), scan.count_scripts(0), strict=True))
    letters = {name: count for name, count in counts.items() if name not in NO_SCRIPT}
    east_asian = sum(letters.pop(name, 0) for name in EAST_ASIAN)
    return max(east_asian, *letters.values()) / max(1, east_asian + sum(letters.values()))
