"""Presentation forms of Arabic letters, as DOS pages (cp864) have them: each letter in the form of its position in the word.

>>> [hex(ord(c)) for c in to_forms("باب", frozenset("\\ufe91\\ufe8e\\ufe8f"))]
['0xfe91', '0xfe8e', '0xfe8f']
>>> to_letters("\\ufe91\\ufe8e\\ufe8f")
'باب'
"""

from __future__ import annotations

import unicodedata
from functools import cache

__all__ = ["to_forms", "to_letters"]

FORMS = range(0xFE70, 0xFF00)
POSITIONS = {(False, False): "isolated", (True, False): "final", (False, True): "initial", (True, True): "medial"}
# Forms by preference at each position, for character sets that lack some.
PREFERENCES = {
    "isolated": ("isolated", "final", "initial", "medial"),
    "final": ("final", "isolated", "medial", "initial"),
    "initial": ("initial", "medial", "isolated", "final"),
    "medial": ("medial", "initial", "final", "isolated"),
}


def to_forms(text: str, available: frozenset[str]) -> str:
    """Return a text with the available forms of its letters; a letter without any is kept."""
    forms = _forms_of_letters()
    result = []
    for i, char in enumerate(text):
        if char not in forms:
            result.append(char)
            continue
        joins_before = i > 0 and "initial" in forms.get(text[i - 1], {})
        joins_after = i + 1 < len(text) and text[i + 1] in forms and "initial" in forms[char]
        position = POSITIONS[joins_before, joins_after]
        candidates = (forms[char].get(name, "") for name in PREFERENCES[position])
        result.append(next((form for form in candidates if form in available and form), char))
    return "".join(result)


def to_letters(text: str) -> str:
    """Return a text with plain letters in place of forms."""
    return "".join(unicodedata.normalize("NFKC", char) if ord(char) in FORMS else char for char in text)


@cache
def _forms_of_letters() -> dict[str, dict[str, str]]:
    """Return the forms of each letter by position."""
    forms: dict[str, dict[str, str]] = {}
    for code in FORMS:
        kind, _, letters = unicodedata.decomposition(chr(code)).partition(" ")
        if kind and " " not in letters:
            forms.setdefault(chr(int(letters, 16)), {})[kind.strip("<>")] = chr(code)
    return forms
