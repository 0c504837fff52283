"""The pages of the experiments on Cai 2009: real ones as they are, and the same as pages of 2008 might have been.

Real pages are those of dev/html whose labels come from no declaration. Most of the web is in UTF-8 today, so few of their
charsets name a language. For the web of the thesis the pages are rewritten in the encodings of their languages, with the rates
of missing and false declarations that are measured here on the real pages in such encodings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webtongue import Page, labels
from webtongue.charset.languages import language_of_encoding
from webtongue.charset.names import Encoding, resolve
from webtongue.lab.methods.composite import find_declared_encoding
from webtongue.lab.methods.encoded_texts import encode_in_all, get_codec
from webtongue.lab.papers.real_pages import RealPage, read_real_pages, rewrite_encoding
from webtongue.markup import read

SEED = 2009
BY_STRUCTURE = ("debian_html", "fsfe_html", "urls_pages")  # labelled by a folder, a site or a list
# Labelled by people. The pages of hard_html were chosen for being hard: no rate is measured on them.
BY_HAND = ("legacy_html", "linked_html", "world_html")
# Assumed share of pages that were not in UTF-8 in 2008: our data have no count of charsets before 2019.
LEGACY_SHARE = 2 / 3
ENGLISH = "eng_Latn"
MODERN_ENCODINGS = ("utf-8", "ascii", "us-ascii", "")
HEAD_TAG = re.compile(rb"(?i)<head\b[^>]*>")
META = b'<meta http-equiv="Content-Type" content="text/html; charset=%s">'


@dataclass(frozen=True, slots=True)
class DeclarationRates:
    """Counts over real pages whose encoding is known.

    ``old`` pages are not in UTF-8, and ``missing`` of them declare nothing; ``declaring`` pages declare an encoding, and ``wrong``
    lists the false declarations; ``naming`` pages are in an encoding that names a language, and ``foreign`` of these are in another
    language, which is English.
    """

    old: int
    missing: int
    declaring: int
    wrong: tuple[str, ...]
    naming: int
    foreign: int

    def declared(self, encoding: str, rng: random.Random) -> str:
        """Return a random declaration of a page in an encoding."""
        if rng.random() * self.old < self.missing:
            return ""
        false_names = [name for name in self.wrong if name != encoding]
        return rng.choice(false_names) if false_names and rng.random() * self.declaring < len(self.wrong) else encoding

    def describe(self) -> str:
        """Return a statement of the rates for tables."""
        return (
            f"{LEGACY_SHARE:.0%} of the pages (assumed) are rewritten in the most common old encoding of their "
            f"language. As counted on real pages: {self.missing} of {self.old} that are not in UTF-8 declare no "
            f"encoding, {len(self.wrong)} of {self.declaring} that declare one declare a false one "
            f"({', '.join(sorted(set(self.wrong))) or 'none'}), {self.foreign} of {self.naming} in an encoding that "
            "names a language are in another, English. The generated pages follow these counts"
        )


def read_independent_pages(data: Path) -> list[RealPage]:
    """Return the real pages in one language whose label does not come from their own declarations."""
    sources = (*BY_HAND, *BY_STRUCTURE)
    return [
        page
        for page in read_real_pages(data)
        if page.source in sources and page.label not in labels.SPECIAL and not page.accept
    ]


def sample_pages(pages: Sequence[RealPage], count: int) -> list[RealPage]:
    """Return all pages labelled by people, and a sample of the others."""
    others = [real for real in pages if real.source not in BY_HAND]
    sample = random.Random(SEED).sample(others, min(count, len(others)))
    return [*(real for real in pages if real.source in BY_HAND), *sample]


def measure_rates(pages: Iterable[RealPage]) -> DeclarationRates:
    """Return the counts of missing and false declarations and of foreign pages among real pages."""
    old = missing = declaring = naming = foreign = 0
    wrong: list[str] = []
    for real in pages:
        if not (true_encoding := resolve(real.encoding)):
            continue
        named_language = language_of_encoding(true_encoding.name)
        is_old = real.encoding not in MODERN_ENCODINGS
        declared = resolve(find_declared_encoding(read(real.page).declarations))
        old += is_old
        missing += is_old and not declared
        declaring += declared is not None
        if declared and not decode_alike(real.page.raw, declared, true_encoding):
            wrong.append(declared.name)
        if is_old and named_language:
            naming += 1
            foreign += named_language[:3] != real.label[:3]
    return DeclarationRates(old, missing, declaring, tuple(wrong), naming, foreign)


def decode_alike(raw: bytes, first: Encoding, second: Encoding) -> bool:
    """Return True if two encodings decode the bytes to the same text: different names may mean the same, and all contain ASCII."""
    first_codec, second_codec = (get_codec(encoding.name) for encoding in (first, second))
    return first_codec == second_codec or raw.decode(first_codec, "replace") == raw.decode(second_codec, "replace")


def age_pages(pages: Sequence[RealPage], rates: DeclarationRates, share: float = LEGACY_SHARE) -> list[RealPage]:
    """Return pages of today as they might have been in 2008, without those that are in an old encoding already."""
    rng = random.Random(SEED)
    modern = [real for real in pages if real.encoding in MODERN_ENCODINGS]
    encodings = [choose_old_encoding(real) if rng.random() < share else "" for real in modern]
    naming_encodings = [encoding for encoding in encodings if language_of_encoding(encoding)]
    english_indexes = [i for i, real in enumerate(modern) if real.label == ENGLISH and encodings[i]]
    foreign_pages = round(len(naming_encodings) * rates.foreign / max(rates.naming - rates.foreign, 1))
    for i in rng.sample(english_indexes, min(foreign_pages, len(english_indexes))):
        encodings[i] = rng.choice(naming_encodings)
    return [
        rewrite_page(real, encoding, rates.declared(encoding, rng)) if encoding else real
        for real, encoding in zip(modern, encodings, strict=True)
    ]


def rewrite_page(real: RealPage, encoding: str, declared: str) -> RealPage:
    """Return a page in an encoding, with a true, false or no declaration."""
    return replace(
        real, page=add_declaration(rewrite_encoding(real.page, encoding, declared), declared), encoding=encoding
    )


def choose_old_encoding(real: RealPage) -> str:
    """Return the commonest encoding but UTF-8 that can encode a page's text, empty if there is none."""
    text = real.page.raw.decode("utf-8", "ignore")
    encodings = [name for name in encode_in_all(text, real.label) if name != "utf-8" and get_codec(name) != "ascii"]
    if real.label == "tur_Latn":
        return "windows-1254"
    return encodings[0] if encodings else "windows-1252" if real.label.endswith("_Latn") else ""


def add_declaration(page: Page, encoding: str) -> Page:
    """Return the page with a declaration of an encoding in its head, if it has none."""
    if not encoding or find_declared_encoding(read(page).declarations):
        return page
    tag = META % encoding.encode()
    head = HEAD_TAG.search(page.raw)
    end = head.end() if head else 0
    return Page(page.raw[:end] + tag + page.raw[end:], page.url)
