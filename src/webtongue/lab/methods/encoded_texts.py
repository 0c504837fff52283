"""Encode training text in every encoding that pages of its language were written in.

Byte models need training text in legacy encodings, while the corpus is in Unicode. Encodings are tried by script, table encodings
(charset/tables.py) by language, fonts by label. An encoding is used if it has all letters of a text, and skipped if it encodes them
like an earlier one.

>>> sorted(encode_in_all("Grüße aus Köln", "deu_Latn"))
['macintosh', 'utf-8', 'windows-1252']
>>> list(encode_in_all("plain words", "eng_Latn")), list(encode_in_all("Բարեւ", "hye_Armn"))
(['utf-8'], ['utf-8', 'armscii-8'])
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache, lru_cache

from webtongue.charset import codecs, tables
from webtongue.charset.languages import encoding_languages
from webtongue.charset.names import resolve
from webtongue.fonts.encode import encode as encode_font
from webtongue.fonts.tables import PREFIX, all_fonts, load_font
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import TextBytes, read_text

__all__ = [
    "BY_SCRIPT",
    "encode",
    "encode_corpus",
    "encode_in_all",
    "encode_line",
    "get_codec",
    "get_font_codec",
    "substitute_missing",
    "to_font_text",
]

# Most common first: of encodings with the same bytes for a text, the first is used.
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
# Share of the letters of a text that may be dropped: a name in another script does not exclude an encoding.
MAX_LOST_SHARE = 0.002
MIN_WRITABLE_SHARE = 0.8  # share of the text that an encoding or font must be able to write
# Common replacements for characters that an encoding lacks.
SUBSTITUTES = {
    "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك", "ۀ": "ه", "ʻ": "'", "ʼ": "'", "‘": "'", "’": "'",
    "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "…": "...", "․": ".", "\u00a0": " ",
}  # fmt: skip
POLYTONIC = ("\u1f00", "\u1fff")  # Greek letters with breathings, which no 8-bit encoding on the web has
ACCENTS = "\u0300\u0301\u0342"
SUBSTITUTION_TABLE = str.maketrans({**SUBSTITUTES, "\u200c": "", "\u200d": ""})


def encode_in_all(text: str, label: str) -> dict[str, bytes]:
    """Return the bytes of a text by encoding, UTF-8 first; of encodings with equal bytes for all letters, only one."""
    counts = Counter(text)
    by_encoding = {"utf-8": text.encode("utf-8", "ignore")}
    letter_bytes = {_encode_letters(counts, "utf-8")}
    for name in BY_SCRIPT.get(label.partition("_")[2], ()):
        key = _encode_letters(counts, name)
        if key not in letter_bytes and _compute_lost_share(counts, name) <= MAX_LOST_SHARE:
            letter_bytes.add(key)
            by_encoding[name] = encode(text, name)
    for name in (*_map_table_encodings().get(label.partition("_")[0], ()), *_map_fonts().get(label, ())):
        writable = [line for line in text.split("\n") if encode_line(line, name) is not None]
        if sum(map(len, writable)) >= MIN_WRITABLE_SHARE * len(text):
            by_encoding[name] = encode("\n".join(writable), name)
    return by_encoding


def encode_corpus(corpus: Corpus) -> dict[str, list[TextBytes]]:
    """Return a corpus in every encoding that can represent its texts, under labels ``language_Script_encoding``."""
    by_label = {}
    for label, documents in corpus.items():
        texts = [read_text(document) for document in documents]
        for encoding in encode_in_all("\n".join(texts), label):
            by_label[f"{label}_{encoding}"] = [TextBytes(encode(text, encoding)) for text in texts]
    return by_label


def encode(text: str, encoding: str) -> bytes:
    """Return a text in an encoding; missing characters are replaced or dropped, for fonts and table encodings whole lines.

    >>> encode("Việt", "windows-1258"), encode("n’est", "iso-8859-2"), encode("Բարեւ\\n中", "armscii-8")
    (b'Vi\\xea\\xf2t', b"n'est", b'\\xb4\\xb3\\xf1\\xbb\\xf5')
    """
    if encoding in _list_table_encodings() or encoding.startswith(PREFIX):
        lines = (encode_line(line, encoding) for line in text.split("\n"))
        return b"\n".join(line for line in lines if line is not None)
    return substitute_missing(text, encoding).encode(get_codec(encoding), "ignore")


def encode_line(line: str, encoding: str) -> bytes | None:
    """Return a line in a font or table encoding, which may reorder letters, or None if it cannot be written."""
    if encoding.startswith(PREFIX):
        shown = to_font_text(line, encoding)
        return None if shown is None else shown.encode(get_font_codec(encoding), "ignore")
    raw = codecs.encode(line, encoding)
    return codecs.encode(line.translate(SUBSTITUTION_TABLE), encoding) if raw is None else raw


def to_font_text(line: str, encoding: str) -> str | None:
    """Return the characters that a font displays as this line, or None if it cannot.

    >>> to_font_text("भारत", "x-font-krutidev")
    'Hkkjr'
    """
    return encode_font(line.translate(SUBSTITUTION_TABLE), load_font(encoding.removeprefix(PREFIX)))


def get_font_codec(encoding: str) -> str:
    """Return the codec of the characters of a font: windows-1252, or UTF-8 for fonts that use code points of their script."""
    return "utf-8" if load_font(encoding.removeprefix(PREFIX)).script == "Mymr" else "cp1252"


def substitute_missing(text: str, encoding: str) -> str:
    """Return a text with replacements for characters that an encoding lacks; characters without one stay."""
    return text.translate({ord(c): to for c in set(text) if (to := _substitute(c, encoding)) not in (c, None)})


def _compute_lost_share(counts: Counter[str], encoding: str) -> float:
    """Return the share of the letters of a text that an encoding lacks."""
    letters = {c: n for c, n in counts.items() if c.isalpha()}
    lost = sum(n for c, n in letters.items() if _substitute(c, encoding) is None)
    return lost / max(sum(letters.values()), 1)


def _encode_letters(counts: Counter[str], encoding: str) -> bytes:
    """Return the bytes of the letters of a text beyond ASCII in an encoding."""
    codec = get_codec(encoding)
    beyond = sorted(c for c in counts if c.isalpha() and not c.isascii())
    return b"|".join((_substitute(c, encoding) or "").encode(codec, "ignore") for c in beyond)


@lru_cache(maxsize=1 << 18)
def _substitute(character: str, encoding: str) -> str | None:
    """Return the character or its replacement in this encoding, or None if there is neither."""
    if _can_encode(character, encoding):
        return character
    forms = [SUBSTITUTES.get(character, "")]
    if encoding == "windows-1258":
        forms.append(codecs.split_tones(character))
    if POLYTONIC[0] <= character <= POLYTONIC[1]:
        forms.append(_to_monotonic(character))
    return next((form for form in forms if form and _can_encode(form, encoding)), None)


def _to_monotonic(character: str) -> str:
    """Return a Greek letter in the orthography of 1982: one accent, no breathings, no iota subscript."""
    letter, marks = (decomposed := unicodedata.normalize("NFD", character))[:1], decomposed[1:]
    new_marks = ["\u0301"] * any(mark in ACCENTS for mark in marks) + ["\u0308"] * ("\u0308" in marks)
    return unicodedata.normalize("NFC", letter + "".join(reversed(new_marks)))


def _can_encode(text: str, encoding: str) -> bool:
    try:
        return bool(text.encode(get_codec(encoding)))
    except UnicodeEncodeError:
        return False


def get_codec(encoding: str) -> str:
    """Return the name of Python's codec, ASCII if Python has none."""
    encoding_info = resolve(encoding)
    return encoding_info.codec if encoding_info and encoding_info.codec else "ascii"


@cache
def _list_table_encodings() -> frozenset[str]:
    return frozenset(tables.table_names())


@cache
def _map_fonts() -> dict[str, tuple[str, ...]]:
    """Return the font encodings of each label."""
    by_label: dict[str, tuple[str, ...]] = {}
    for font_table in all_fonts().values():
        for label in font_table.languages:
            by_label[label] = (*by_label.get(label, ()), font_table.encoding)
    return by_label


@cache
def _map_table_encodings() -> dict[str, tuple[str, ...]]:
    """Return the table encodings of each language."""
    by_language: dict[str, tuple[str, ...]] = {}
    for name, languages in encoding_languages().items():
        if name in _list_table_encodings():
            for language in languages:
                by_language[language] = (*by_language.get(language, ()), name)
    return by_language
