"""Which languages were written in which encoding: an encoding that is known narrows the languages.

>>> encoding_languages()["koi8-u"]
('ukr', 'rus')
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["encoding_languages"]


@cache
def encoding_languages() -> dict[str, tuple[str, ...]]:
    """Languages by encoding, as ISO 639-3 codes, with the script where a language has several."""
    table = Path(__file__).parents[1] / "data" / "encoding_languages.tsv"
    rows = (line.split("\t") for line in table.read_text("ascii").splitlines() if not line.startswith("#"))
    return {encoding: tuple(languages.split()) for encoding, languages in rows}
