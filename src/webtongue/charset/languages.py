"""The languages that encodings were used for: a known encoding narrows down the language.

>>> encoding_languages()["koi8-u"]
('ukr', 'rus')
"""

from __future__ import annotations

from functools import cache

from webtongue import files
from webtongue.charset.names import resolve

__all__ = ["encoding_languages", "is_used_for", "language_of_encoding"]


@cache
def encoding_languages() -> dict[str, tuple[str, ...]]:
    """Return languages by encoding, as ISO 639-3 codes, with the script if a language has several."""
    return {encoding: tuple(languages.split()) for encoding, languages, _ in _rows() if languages}


def is_used_for(label: str, encoding: str) -> bool:
    """Return True if an encoding was used for a language.

    >>> is_used_for("rus_Cyrl", "koi8-u"), is_used_for("zho_Hant", "gbk")
    (True, False)
    """
    languages = encoding_languages().get(encoding, ())
    return label in languages or label[:3] in languages


@cache
def language_of_encoding(name: str) -> str:
    """Return the label of the only language that an encoding was designed or used for; empty if there are several.

    >>> language_of_encoding("x-sjis"), language_of_encoding("ISO-8859-9"), language_of_encoding("utf-8")
    ('jpn_Jpan', 'tur_Latn', '')
    """
    labels = {encoding: label for encoding, _, label in _rows()}
    encoding = resolve(name)
    return labels.get(name.strip().lower()) or labels.get(encoding.name if encoding else "", "")


@cache
def _rows() -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (encoding, languages, label) for encoding, languages, label in files.read_rows("encoding_languages.tsv")
    )
