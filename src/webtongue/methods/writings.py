"""In which encodings a text can be written: training text is Unicode, pages were not.

A byte model needs its training text in every encoding that pages of the language were written in. Encodings are tried
by script, codings by table (encodings/tables.py) by language, fonts by label; one holds a text if it has all its letters, and is
left out if it writes them like an earlier one.

>>> sorted(writings("Grüße aus Köln", "deu_Latn"))
['macintosh', 'utf-8', 'windows-1252']
>>> list(writings("plain words", "eng_Latn")), list(writings("Բարեւ", "hye_Armn"))
(['utf-8'], ['utf-8', 'armscii-8'])
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache, lru_cache

from webtongue.encodings import codecs, tables
from webtongue.encodings.languages import encoding_languages
from webtongue.encodings.names import resolve
from webtongue.fonts.encode import encode as encode_font
from webtongue.fonts.tables import PREFIX, font, named
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import text_of

__all__ = ["BY_SCRIPT", "carrier", "codec_of", "draw", "encode", "encode_line", "substituted", "writings", "written"]

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
# Share of a text's letters that may be left out: a name in another script does not bar an encoding from a whole book.
MOST_LOST = 0.002
LEAST_LINES = 0.8  # share of a text's lines that a coding by table must be able to write
# What was written where an encoding lacks the character of today's Unicode text.
SUBSTITUTES = {
    "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك", "ۀ": "ه", "ʻ": "'", "ʼ": "'", "‘": "'", "’": "'",
    "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "…": "...", "․": ".", "\u00a0": " ",
}  # fmt: skip
POLYTONIC = ("\u1f00", "\u1fff")  # Greek letters with breathings, which no 8-bit encoding of the web has
ACCENTS = "\u0300\u0301\u0342"
PLAIN = str.maketrans({**SUBSTITUTES, "\u200c": "", "\u200d": ""})


def writings(text: str, label: str) -> dict[str, bytes]:
    """A text's bytes by the encodings that hold it, UTF-8 first; of those that write all letters alike, one."""
    counts = Counter(text)
    found = {"utf-8": text.encode("utf-8", "ignore")}
    known = {_letters(counts, "utf-8")}
    for name in BY_SCRIPT.get(label.partition("_")[2], ()):
        key = _letters(counts, name)
        if key not in known and _lost(counts, name) <= MOST_LOST:
            known.add(key)
            found[name] = encode(text, name)
    for name in (*_tables().get(label.partition("_")[0], ()), *_fonts().get(label, ())):
        held = [line for line in text.split("\n") if encode_line(line, name) is not None]
        if sum(map(len, held)) >= LEAST_LINES * len(text):
            found[name] = encode("\n".join(held), name)
    return found


def written(corpus: Corpus) -> dict[str, list[bytes]]:
    """A corpus in every encoding that holds its texts, under labels ``language_Script_encoding``."""
    out = {}
    for label, documents in corpus.items():
        texts = [text_of(document) for document in documents]
        for encoding in writings("\n".join(texts), label):
            out[f"{label}_{encoding}"] = [encode(text, encoding) for text in texts]
    return out


def encode(text: str, encoding: str) -> bytes:
    """A text in an encoding, what it lacks substituted or left out; of a font or coding by table, lines it cannot write.

    >>> encode("Việt", "windows-1258"), encode("n’est", "iso-8859-2"), encode("Բարեւ\\n中", "armscii-8")
    (b'Vi\\xea\\xf2t', b"n'est", b'\\xb4\\xb3\\xf1\\xbb\\xf5')
    """
    if encoding in _by_table() or encoding.startswith(PREFIX):
        lines = (encode_line(line, encoding) for line in text.split("\n"))
        return b"\n".join(line for line in lines if line is not None)
    return substituted(text, encoding).encode(codec_of(encoding), "ignore")


def encode_line(line: str, encoding: str) -> bytes | None:
    """A line in a font or coding by table, which may move its letters about; None if it cannot be written."""
    if encoding.startswith(PREFIX):
        shown = draw(line, encoding)
        return None if shown is None else shown.encode(carrier(encoding), "ignore")
    raw = codecs.encode(line, encoding)
    return codecs.encode(line.translate(PLAIN), encoding) if raw is None else raw


def draw(line: str, encoding: str) -> str | None:
    """A line as the characters that a font shows as it, None if it cannot.

    >>> draw("भारत", "x-font-krutidev")
    'Hkkjr'
    """
    return encode_font(line.translate(PLAIN), font(encoding.removeprefix(PREFIX)))


def carrier(encoding: str) -> str:
    """The codec of the characters of a font: windows-1252, or UTF-8 for those that take the script's own."""
    return "utf-8" if font(encoding.removeprefix(PREFIX)).script == "Mymr" else "cp1252"


def substituted(text: str, encoding: str) -> str:
    """A text as writers in an encoding put it; what they cannot put at all stays."""
    return text.translate({ord(c): to for c in set(text) if (to := _written(c, encoding)) not in (c, None)})


def _lost(counts: Counter[str], encoding: str) -> float:
    """The share of a text's letters that an encoding lacks."""
    letters = {c: n for c, n in counts.items() if c.isalpha()}
    lost = sum(n for c, n in letters.items() if _written(c, encoding) is None)
    return lost / max(sum(letters.values()), 1)


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
        forms.append(codecs.tones_apart(character))
    if POLYTONIC[0] <= character <= POLYTONIC[1]:
        forms.append(_monotonic(character))
    return next((form for form in forms if form and _holds(form, encoding)), None)


def _monotonic(character: str) -> str:
    """A Greek letter as it is written since 1982: any accent is the one there is, breathings and the small iota are left out."""
    letter, marks = (apart := unicodedata.normalize("NFD", character))[:1], apart[1:]
    kept = ["\u0301"] * any(mark in ACCENTS for mark in marks) + ["\u0308"] * ("\u0308" in marks)
    return unicodedata.normalize("NFC", letter + "".join(reversed(kept)))


def _holds(text: str, encoding: str) -> bool:
    try:
        return bool(text.encode(codec_of(encoding)))
    except UnicodeEncodeError:
        return False


def codec_of(encoding: str) -> str:
    """Python's codec, ASCII where it has none."""
    found = resolve(encoding)
    return found.codec if found and found.codec else "ascii"


@cache
def _by_table() -> frozenset[str]:
    return frozenset(tables.available())


@cache
def _fonts() -> dict[str, tuple[str, ...]]:
    """Fonts of a label."""
    out: dict[str, tuple[str, ...]] = {}
    for found in named().values():
        for label in found.languages:
            out[label] = (*out.get(label, ()), found.encoding)
    return out


@cache
def _tables() -> dict[str, tuple[str, ...]]:
    """Codings by table of a language."""
    out: dict[str, tuple[str, ...]] = {}
    for name, languages in encoding_languages().items():
        if name in _by_table():
            for language in languages:
                out[language] = (*out.get(language, ()), name)
    return out
