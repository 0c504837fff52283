"""The documents of kikui1996: real pages in the paper's coding systems, without their charset declarations.

A page in one of these coding systems keeps its bytes; any other page is rewritten in one of them, each coding system of a
language in turn. ELSE documents are pages of other languages. A page is discarded if its language covers 80% of it or less (5.1).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import webtongue
from webtongue import Page
from webtongue.lab.methods.document import strip_tags
from webtongue.lab.papers.real_pages import HEAD_CHARS, RealPage, read_real_pages, remove_charsets, rewrite_encoding

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
# Encodings that write the coding systems of section 3.1; characters that an encoding lacks become references.
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
# The coding systems themselves, without the additions that WHATWG reads under the same names: windows-1252, gb18030, UHC.
CODECS = {
    "iso-8859-1": "latin-1", "ascii": "ascii", "euc-jp": "euc_jp", "shift_jis": "shift_jis", "iso-2022-jp": "iso2022_jp",
    "euc-kr": "euc_kr", "iso-2022-kr": "iso2022_kr", "gb2312": "gb2312", "hz-gb-2312": "hz", "big5": "big5",
    "iso-2022-jp-2": "iso2022_jp_2",
}  # fmt: skip
# The answers of the method, by our names of the coding systems.
ANSWERED_AS = {
    "euc-jp": "euc-jis", "euc-kr": "euc-ks", "gb2312": "euc-gb", "iso-2022-kr": "ks c 5601", "hz-gb-2312": "gb 2312",
    "iso-2022-jp-2": "iso-2022-int",
}  # fmt: skip
SUPERSETS = {"windows-1252": "iso-8859-1", "gbk": "gb2312"}  # supersets of the paper's coding systems
MIN_MAIN_SHARE = 0.8  # section 5.1


@dataclass(frozen=True, slots=True)
class Document:
    """A page in one of the coding systems; ``real`` if it is its original encoding."""

    page: Page
    truth: str
    coding: str
    real: bool


@dataclass(frozen=True, slots=True)
class Documents:
    """Western and Eastern documents, and the pages that the rule of section 5.1 discards."""

    west: list[Document]
    east: list[Document]
    discarded_west: list[Document]
    discarded_east: list[Document]


def read_documents(data: Path, max_pages: int) -> Documents:
    """Return at most ``max_pages`` pages of each language, with a third as many ELSE pages."""
    by_label: defaultdict[str, list[RealPage]] = defaultdict(list)
    for real in read_real_pages(data):
        by_label[real.label].append(real)
    rng = random.Random(SEED)

    def draw(names: Sequence[str], count: int, truth: Callable[[str], str], out: list[Document]) -> Iterator[Document]:
        """Yield documents; those that are discarded on the way go to ``out``."""
        for label in names:
            sample = rng.sample(by_label[label], len(by_label[label]))
            sample.sort(key=lambda real: not find_coding(real))  # pages in an old coding system are rare and come first
            number = 0
            for real in sample:
                if number == count:
                    break
                document = make_document(real, truth(label), number)
                if has_main_language(real):
                    number += 1
                    yield document
                else:
                    out.append(document)

    dropped: tuple[list[Document], list[Document]] = ([], [])
    west = [
        *draw([*WEST], max_pages, WEST.__getitem__, dropped[0]),
        *draw(OTHER_WEST, max_pages // 4, lambda _: ELSE, dropped[0]),
    ]
    east = [
        *draw([*EAST], max_pages, EAST.__getitem__, dropped[1]),
        *draw(OTHER_EAST, max_pages // 6, lambda _: ELSE, dropped[1]),
    ]
    return Documents(west, east, *dropped)


def has_main_language(real: RealPage) -> bool:
    """Return True if the language of a page covers more than 80% of its part of the page (section 5.1).

    The shares are webtongue's. Where it does not find the language of the label at all, they decide nothing, and the page stays:
    otherwise pages on which webtongue errs would be discarded.
    """
    part: defaultdict[str, float] = defaultdict(float)
    for label, share in webtongue.identify(real.page.raw, real.page.url).languages:
        if (label in EAST) == (real.label in EAST):
            part[EAST.get(label, label)] += share
    main = part[EAST.get(real.label, real.label)]
    return not main or main > MIN_MAIN_SHARE * sum(part.values())


def find_coding(real: RealPage) -> str:
    """Return the coding system of section 3.1 that a page is in, empty if in none, or if it is in ASCII, which all of them
    share."""
    name = SUPERSETS.get(real.encoding, real.encoding)
    codings = CODINGS.get(real.label, LATIN)
    is_ascii = codings is LATIN and real.page.raw.isascii()
    return name if name in codings and not is_ascii else ""


def make_document(real: RealPage, truth: str, number: int) -> Document:
    """Return a page as a document, rewritten in a coding system of its language if it is in none."""
    coding = find_coding(real)
    if coding:
        page = remove_declarations(real.page)
    else:
        codings = CODINGS.get(real.label, LATIN)
        coding = codings[number % len(codings)]
        page = rewrite_encoding(real.page, coding, "", CODECS.get(coding, ""))
    if coding in LATIN and strip_tags(page.raw, decode_references=False).isascii():
        coding = "ascii"  # ISO-8859-1 without any of its own characters
    return Document(page, truth, coding, bool(find_coding(real)))


def remove_declarations(page: Page) -> Page:
    """Return a page without its charset declarations, its other bytes unchanged."""
    head = remove_charsets(page.raw[:HEAD_CHARS].decode("latin-1"))
    return Page(head.encode("latin-1") + page.raw[HEAD_CHARS:], page.url)


def describe_generated(documents: Sequence[Document]) -> str:
    """Return a statement of how many documents were rewritten."""
    real = sum(document.real for document in documents)
    return (
        f"{real} of {len(documents)} pages are in their original coding system; the others are real pages rewritten "
        "in the coding systems of their language in turn. Charset declarations are removed from all pages: the "
        "method does not use them."
    )
