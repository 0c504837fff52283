"""Which languages were written in which encoding: an encoding that is known narrows the languages.

>>> encoding_languages()["koi8-u"]
('ukr', 'rus')
"""

from __future__ import annotations

from functools import cache

from webtongue import files
from webtongue.encodings.names import resolve

__all__ = ["encoding_languages", "language_of_encoding", "used_for"]


@cache
def encoding_languages() -> dict[str, tuple[str, ...]]:
    """Languages by encoding, as ISO 639-3 codes, with the script where a language has several."""
    return {encoding: tuple(languages.split()) for encoding, languages, _ in _rows() if languages}


def used_for(label: str, encoding: str) -> bool:
    """Whether an encoding was used for a language.

    >>> used_for("rus_Cyrl", "koi8-u"), used_for("zho_Hant", "gbk")
    (True, False)
    """
    named = encoding_languages().get(encoding, ())
    return label in named or label[:3] in named


def language_of_encoding(name: str) -> str:
    """The label of the one language that an encoding was made or used for, empty if there are several.

    >>> language_of_encoding("x-sjis"), language_of_encoding("ISO-8859-9"), language_of_encoding("utf-8")
    ('jpn_Jpan', 'tur_Latn', '')
    """
    named = {encoding: label for encoding, _, label in _rows()}
    found = resolve(name)
    return named.get(name.strip().lower()) or named.get(found.name if found else "", "")


@cache
def _rows() -> tuple[tuple[str, str, str], ...]:
    return tuple((encoding, languages, label) for encoding, languages, label in files.rows("encoding_languages.tsv"))
