"""In which encodings a text can be written: training text is Unicode, pages were not.

A byte model needs its training text in every encoding that pages of the language were written in. Encodings are tried
by script; one holds a text if it has all its letters, and is left out if it gives the same bytes as an earlier one.

>>> sorted(writings("Grüße aus Köln", "Latn"))
['macintosh', 'utf-8', 'windows-1252']
>>> list(writings("plain words", "Latn"))
['utf-8']
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from webtongue.coding.labels import resolve
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import text_of

__all__ = ["BY_SCRIPT", "codec_of", "encode", "substituted", "writings", "written"]

# The commoner first: of encodings that write a text alike, the first gives the name.
BY_SCRIPT = {
    "Latn": (
        "windows-1252", "windows-1250", "windows-1254", "windows-1257", "windows-1258", "iso-8859-2", "iso-8859-3",
        "iso-8859-4", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "macintosh",
    ),
    "Cyrl": ("windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866", "x-mac-cyrillic", "ptcp154", "kz1048"),
    "Grek": ("windows-1253", "iso-8859-7", "mac-greek"),
    "Arab": ("windows-1256", "iso-8859-6"),
    "Hebr": ("windows-1255", "iso-8859-8"),
    "Thai": ("windows-874",),
    "Jpan": ("shift_jis", "euc-jp", "iso-2022-jp"),
    "Hans": ("gbk", "hz-gb-2312"),
    "Hant": ("big5",),
    "Hang": ("euc-kr", "iso-2022-kr", "johab"),
    "Kore": ("euc-kr", "iso-2022-kr", "johab"),
}  # fmt: skip
MOST_LOST = 0.002  # of a text's letters: a name in another script does not bar an encoding from a whole book
TONES = "\u0300\u0301\u0303\u0309\u0323"  # windows-1258 writes them apart
# What was written where an encoding lacks the character of today's Unicode text.
SUBSTITUTES = {
    "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك", "ۀ": "ه", "ʻ": "'", "ʼ": "'", "‘": "'", "’": "'",
    "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ",
}  # fmt: skip


def writings(text: str, script: str) -> dict[str, bytes]:
    """A text's bytes by the encodings that hold it, UTF-8 first; of those that write all letters alike, one."""
    counts = Counter(text)
    found = {"utf-8": text.encode("utf-8", "ignore")}
    known = {_letters(counts, "utf-8")}
    for name in BY_SCRIPT.get(script, ()):
        key = _letters(counts, name)
        if key not in known and (raw := encode(text, name, counts)) is not None:
            known.add(key)
            found[name] = raw
    return found


def written(corpus: Corpus) -> dict[str, list[bytes]]:
    """A corpus in every encoding that holds its texts, under labels ``language_Script_encoding``."""
    out = {}
    for label, documents in corpus.items():
        texts = [text_of(document) for document in documents]
        for encoding in writings("\n".join(texts), label.partition("_")[2]):
            out[f"{label}_{encoding}"] = [
                substituted(text, encoding).encode(codec_of(encoding), "ignore") for text in texts
            ]
    return out


def encode(text: str, encoding: str, counts: Counter[str] | None = None) -> bytes | None:
    """A text in an encoding, what it lacks substituted or left out; None if it lacks more letters than a rare stranger.

    >>> encode("Việt", "windows-1258"), encode("Česko", "windows-1252"), encode("n’est", "iso-8859-2")
    (b'Vi\\xea\\xf2t', None, b"n'est")
    """
    letters = {c: n for c, n in (counts or Counter(text)).items() if c.isalpha()}
    lost = sum(n for c, n in letters.items() if _written(c, encoding) is None)
    if lost > MOST_LOST * sum(letters.values()):
        return None
    return substituted(text, encoding).encode(codec_of(encoding), "ignore")


def substituted(text: str, encoding: str) -> str:
    """A text as writers in an encoding put it; what they cannot put at all stays."""
    return text.translate({ord(c): to for c in set(text) if (to := _written(c, encoding)) not in (c, None)})


def _letters(counts: Counter[str], encoding: str) -> bytes:
    """How an encoding writes the letters of a text beyond ASCII."""
    codec = codec_of(encoding)
    beyond = sorted(c for c in counts if c.isalpha() and not c.isascii())
    return b"|".join((_written(c, encoding) or "").encode(codec, "ignore") for c in beyond)


@lru_cache(maxsize=1 << 18)
def _written(character: str, encoding: str) -> str | None:
    """What a writer in this encoding puts for a character, None if nothing."""
    if _holds(character, encoding):
        return character
    forms = [SUBSTITUTES.get(character, "")]
    if encoding == "windows-1258":
        forms.append(_tones_apart(character))
    return next((form for form in forms if form and _holds(form, encoding)), None)


def _holds(text: str, encoding: str) -> bool:
    try:
        return bool(text.encode(codec_of(encoding)))
    except UnicodeEncodeError:
        return False


def _tones_apart(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    tones = "".join(c for c in parts if c in TONES)
    return unicodedata.normalize("NFC", "".join(c for c in parts if c not in TONES)) + tones


def codec_of(encoding: str) -> str:
    """Python's codec, ASCII where it has none."""
    found = resolve(encoding)
    return found.codec if found and found.codec else "ascii"
