"""Pages with parts in UTF-8 and parts in a legacy encoding: each part is decoded in its own encoding.

>>> page = "Погода на завтра: ".encode("cp1251") + "Дождь, ветер до 10 м/с".encode() + " и снег".encode("cp1251")
>>> decode(page, "windows-1251")
'Погода на завтра: Дождь, ветер до 10 м/с и снег'
"""

from __future__ import annotations

import re

from webtongue import _kernel
from webtongue.charset import codecs
from webtongue.records import dataclass

__all__ = ["MixedText", "decode", "split_utf8"]

# Encodings with letters from 0xC0, where UTF-8 has no trail bytes: well-formed sequences hardly occur by chance.
HIGH_LETTERS = ("windows-125", "iso-8859-", "koi8-", "macintosh")
LOW_LETTERS = ("iso-8859-5",)  # has capitals below 0xC0
# Hundredths of nats for sequences of two, three and four bytes, for one of two bytes inside an ASCII word, against a byte in no
# sequence, and the minimum of a span. In GBK, EUC and TIS-620 a fifth of all bytes beyond ASCII form sequences of two bytes by
# chance, in cp866 a tenth form sequences of three. In 400 lines of each of 30 languages in 40 encodings no chance span exceeds
# 12 nats by the first row, or 8 by the second.
ANY_EVIDENCE = (110, 250, 400, 400, 600, 1800)
HIGH_EVIDENCE = (400, 400, 400, 400, 600, 1200)
ESCAPED_BYTES = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class MixedText:
    """The spans of a text that are UTF-8, the number of their characters beyond ASCII, and the bytes of the rest."""

    utf8_spans: tuple[tuple[int, int], ...]
    utf8_characters: int
    legacy_bytes: bytes


def split_utf8(raw: bytes, encoding: str = "") -> MixedText:
    """Split a text into spans of UTF-8 and the rest, which is in a legacy encoding, or an unknown one if none is given."""
    spans = _find_spans(raw, encoding)
    rest, at, characters = [], 0, 0
    for start, end in spans:
        rest.append(raw[at:start])
        characters += _kernel.check_utf8(raw[start:end])[1]
        at = end
    return MixedText(tuple(spans), characters, b" ".join([*rest, raw[at:]]))


def decode(raw: bytes, encoding: str) -> str:
    """Return a text in a legacy encoding with spans in UTF-8; undecodable bytes become U+FFFD."""
    parts: list[str] = []
    at = 0
    for start, end in _find_spans(raw, encoding):
        parts += codecs.decode(raw[at:start], encoding), _decode_span(raw[start:end], encoding)
        at = end
    return "".join([*parts, codecs.decode(raw[at:], encoding)])


def _find_spans(raw: bytes, encoding: str) -> list[tuple[int, int]]:
    has_high_letters = encoding.startswith(HIGH_LETTERS) and encoding not in LOW_LETTERS
    evidence = HIGH_EVIDENCE if has_high_letters else ANY_EVIDENCE
    return _kernel.find_utf8_spans(raw, *evidence)


def _decode_span(raw: bytes, encoding: str) -> str:
    """Return a span of UTF-8, with ill-formed bytes in it decoded in the legacy encoding."""
    text = raw.decode("utf-8", "surrogateescape")
    return ESCAPED_BYTES.sub(lambda match: codecs.decode(match[0].encode("utf-8", "surrogateescape"), encoding), text)
