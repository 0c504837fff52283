"""Pages in a legacy encoding with a part in UTF-8, such as a widget, a feed or a template, and the other way round.

The sentences are our own. Pages vary by language and encoding, by language, size and position of the part in UTF-8, and by declaration.
The right answer is always the text that was encoded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tests.quality.sentences import SENTENCES
from webtongue.charset.codecs import encode
from webtongue.labels import fold

__all__ = ["MixedPage", "pages"]

ENCODINGS = {
    "rus_Cyrl": ("windows-1251", "koi8-r"),
    "ukr_Cyrl": ("windows-1251",),
    "bul_Cyrl": ("windows-1251",),
    "ell_Grek": ("windows-1253", "iso-8859-7"),
    "heb_Hebr": ("windows-1255",),
    "arb_Arab": ("windows-1256",),
    "tha_Thai": ("windows-874",),
    "jpn_Jpan": ("shift_jis", "euc-jp"),
    "kor_Hang": ("euc-kr",),
    "zho_Hans": ("gbk",),
    "ces_Latn": ("windows-1250", "iso-8859-2"),
    "pol_Latn": ("iso-8859-2",),
    "hun_Latn": ("windows-1250",),
    "tur_Latn": ("windows-1254",),
    "fra_Latn": ("windows-1252",),
    "deu_Latn": ("windows-1252",),
    "swe_Latn": ("windows-1252",),
    "lav_Latn": ("windows-1257",),
}
WIDGETS = ("rus_Cyrl", "ell_Grek", "jpn_Jpan", "kor_Hang", "arb_Arab", "hin_Deva", "fra_Latn", "vie_Latn")
SMALL_PART_REPEATS, HALF_PART_REPEATS = 6, 1  # how often the page's sentences are repeated beside those in UTF-8
PLACES = ("first", "middle", "last")


@dataclass(frozen=True, slots=True)
class MixedPage:
    """A page with its name in reports, its text and language, and whether its encoding is declared."""

    name: str
    raw: bytes
    text: str
    label: str
    declared: bool
    is_half: bool  # half of it is UTF-8


def pages() -> Iterator[MixedPage]:
    """Yield pages in every encoding with a part in the same language and in others, small and half of the page."""
    widgets, places = itertools.cycle(WIDGETS), itertools.cycle(PLACES)
    for label, encodings in ENCODINGS.items():
        for encoding, declared, repeats in itertools.product(
            encodings, (True, False), (SMALL_PART_REPEATS, HALF_PART_REPEATS)
        ):
            for widget in (label, next(widgets), next(widgets)):
                yield _page(label, encoding, declared, repeats, widget, next(places))


def _page(label: str, encoding: str, declared: bool, repeats: int, widget: str, place: str) -> MixedPage:
    paragraphs = [f"<p>{i}. {sentence}</p>\n" for i in range(repeats) for sentence in SENTENCES[label]]
    position = {"first": 0, "middle": len(paragraphs) // 2, "last": len(paragraphs)}[place]
    meta = f"<meta charset={encoding}>" if declared else ""
    widget_html = "".join(f"<div class=widget>{sentence}</div>\n" for sentence in SENTENCES[widget])
    parts = [
        f"<html><head>{meta}</head><body>\n{''.join(paragraphs[:position])}",
        widget_html,
        f"{''.join(paragraphs[position:])}</body></html>",
    ]
    raw = [encode(parts[0], encoding), widget_html.encode(), encode(parts[2], encoding)]
    name = f"{label} in {encoding}, {'declared' if declared else 'undeclared'}, {widget} in UTF-8 {place}, 1 of {repeats + 1}"
    return MixedPage(
        name,
        b"".join(part or b"" for part in raw),
        "".join(parts),
        str(fold(label)),
        declared,
        repeats == HALF_PART_REPEATS,
    )
