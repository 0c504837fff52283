"""Arabic as DOS wrote it (cp864): every letter in the form of its place in the word.

>>> [hex(ord(c)) for c in shaped("باب", frozenset("\\ufe91\\ufe8e\\ufe8f"))]
['0xfe91', '0xfe8e', '0xfe8f']
>>> plain("\\ufe91\\ufe8e\\ufe8f")
'باب'
"""

from __future__ import annotations

import unicodedata
from functools import cache

__all__ = ["plain", "shaped"]

FORMS = range(0xFE70, 0xFF00)
# Where a set has not got a form, the next best.
INSTEAD = {
    "isolated": ("isolated", "final", "initial", "medial"),
    "final": ("final", "isolated", "medial", "initial"),
    "initial": ("initial", "medial", "isolated", "final"),
    "medial": ("medial", "initial", "final", "isolated"),
}


def shaped(text: str, available: frozenset[str]) -> str:
    """Letters in the forms of their places, of those that are available; a letter without any stays."""
    forms = _forms()
    out = []
    for place, char in enumerate(text):
        if char not in forms:
            out.append(char)
            continue
        before = place > 0 and "initial" in forms.get(text[place - 1], {})
        after = place + 1 < len(text) and text[place + 1] in forms and "initial" in forms[char]
        form = ("medial" if after else "final") if before else ("initial" if after else "isolated")
        found = (forms[char].get(other, "") for other in INSTEAD[form])
        out.append(next((one for one in found if one in available and one), char))
    return "".join(out)


def plain(text: str) -> str:
    """Letters whatever their forms."""
    return "".join(unicodedata.normalize("NFKC", char) if ord(char) in FORMS else char for char in text)


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Forms of each letter by the name of the place."""
    found: dict[str, dict[str, str]] = {}
    for code in FORMS:
        kind, _, letters = unicodedata.decomposition(chr(code)).partition(" ")
        if kind and " " not in letters:
            found.setdefault(chr(int(letters, 16)), {})[kind.strip("<>")] = chr(code)
    return found
