"""The documents of kikui1996: real pages in his coding systems, with their charset declarations taken out.

A page that is in one of them stays as it is, byte for byte; any other is put into one, each coding system of a language in
turn. As ELSE, pages of other languages.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from real_pages import HEAD, RealPage, real_pages, rewritten, without_charsets

from webtongue import Page

SEED = 1996
ELSE = "ELSE"
WEST = {
    "deu_Latn": "deu",
    "eng_Latn": "eng",
    "spa_Latn": "esl",
    "fra_Latn": "fra",
    "ita_Latn": "ita",
    "por_Latn": "por",
}
EAST = {"jpn_Jpan": "jpn", "kor_Hang": "kor", "zho_Hans": "zho", "zho_Hant": "zho"}
OTHER_WEST = ("nld_Latn", "swe_Latn", "fin_Latn", "dan_Latn", "tur_Latn", "pol_Latn", "hun_Latn", "ind_Latn")
OTHER_EAST = ("rus_Cyrl", "ell_Grek", "ukr_Cyrl", "heb_Hebr", "tha_Thai", "ara_Arab")
# Coding systems of section 3.1, by what writes them here; a reference stands for what a coding system lacks.
LATIN = ("iso-8859-1", "ascii")
CODINGS = {
    "jpn_Jpan": ("euc-jp", "shift_jis", "iso-2022-jp"),
    "kor_Hang": ("euc-kr", "iso-2022-kr", "iso-2022-jp-2"),
    "zho_Hans": ("gb2312", "hz-gb-2312"),
    "zho_Hant": ("big5",),
    "rus_Cyrl": ("koi8-r", "windows-1251"),
    "ukr_Cyrl": ("koi8-u",),
    "ell_Grek": ("iso-8859-7",),
    "heb_Hebr": ("windows-1255",),
    "tha_Thai": ("windows-874",),
    "ara_Arab": ("windows-1256",),
}
NAMES = {
    "iso-8859-1": "ISO-8859-1", "ascii": "ASCII and references", "euc-jp": "EUC-JIS", "shift_jis": "Shift JIS",
    "iso-2022-jp": "ISO-2022-jp", "euc-kr": "EUC-KS", "iso-2022-kr": "KS C 5601, 7 bit", "gb2312": "EUC-GB",
    "hz-gb-2312": "GB 2312, 7 bit", "big5": "BIG5", "iso-2022-jp-2": "ISO-2022-int",
}  # fmt: skip
SAME = {"windows-1252": "iso-8859-1", "gbk": "gb2312"}  # coding systems that hold one of his


@dataclass(frozen=True, slots=True)
class Document:
    """A page in one of the coding systems; ``real`` if it came in it."""

    page: Page
    truth: str
    coding: str
    real: bool


def documents(data: Path, most: int) -> tuple[list[Document], list[Document]]:
    """Western and Eastern pages, and a third as many of no language of their kind."""
    by_label: defaultdict[str, list[RealPage]] = defaultdict(list)
    for real in real_pages(data):
        by_label[real.label].append(real)
    chance = random.Random(SEED)

    def draw(names: Sequence[str], each: int, truth: Callable[[str], str]) -> Iterator[Document]:
        for label in names:
            found = by_label[label]
            chosen = chance.sample(found, len(found))
            chosen.sort(key=lambda real: not own_coding(real))  # the rare pages in an old coding system come first
            for number, real in enumerate(chosen[:each]):
                yield document(real, truth(label), number)

    west = [*draw([*WEST], most, WEST.__getitem__), *draw(OTHER_WEST, most // 4, lambda _: ELSE)]
    east = [*draw([*EAST], most, EAST.__getitem__), *draw(OTHER_EAST, most // 6, lambda _: ELSE)]
    return west, east


def own_coding(real: RealPage) -> str:
    """The coding system of section 3.1 that a page is in, empty if in none; letters of ASCII alone are written by all of them."""
    name = SAME.get(real.encoding, real.encoding)
    codings = CODINGS.get(real.label, LATIN)
    plain = codings is LATIN and real.page.raw.isascii()
    return name if name in codings and not plain else ""


def document(real: RealPage, truth: str, number: int) -> Document:
    coding = own_coding(real)
    if coding:
        return Document(undeclared(real.page), truth, coding, True)
    codings = CODINGS.get(real.label, LATIN)
    coding = codings[number % len(codings)]
    return Document(rewritten(real.page, coding, ""), truth, coding, False)


def undeclared(page: Page) -> Page:
    """A page without its charset declarations, its other bytes as they are."""
    head = without_charsets(page.raw[:HEAD].decode("latin-1"))
    return Page(head.encode("latin-1") + page.raw[HEAD:], page.url)


def generated(documents: Sequence[Document]) -> str:
    """What was made of these pages."""
    real = sum(document.real for document in documents)
    return (
        f"{real} of {len(documents)} pages are in the coding system they came in; the others are real pages put into the coding "
        "systems of their language in turn. Charset declarations are taken out of all: the method does not look at them."
    )
