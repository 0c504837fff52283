"""The pages that Cai 2009 is run on: real ones as they are, and the same as pages of 2008 might have been.

Real pages are those of dev/html whose labels come from no declaration. Most of the web is in UTF-8 today, so few of their charsets
name a language. For the web of the thesis they are put into the encodings of their languages, with the omissions and lies that are
counted here on the real pages in such encodings: nothing is right because we wrote it so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from real_pages import RealPage, real_pages, rewritten

from webtongue import Page, labels
from webtongue.encodings.languages import language_of_encoding
from webtongue.encodings.names import Encoding, resolve
from webtongue.markup import read
from webtongue.methods.composite import declared_encoding
from webtongue.methods.writings import codec_of, writings

SEED = 2009
BY_STRUCTURE = ("debian_html", "fsfe_html", "urls_pages")  # the label is that of a folder, a site, a list
BY_HAND = ("hard_html", "legacy_html", "linked_html", "world_html")  # read by people
SELECTED = "hard_html"  # chosen for being hard: no rate is measured on it
LEGACY = (
    2 / 3
)  # share of pages that were not in UTF-8 in 2008: assumed, for our data have no count of charsets before 2019
ENGLISH = "eng_Latn"
UNICODE = ("utf-8", "ascii", "us-ascii", "")
HEAD_TAG = re.compile(rb"(?i)<head\b[^>]*>")
META = b'<meta http-equiv="Content-Type" content="text/html; charset=%s">'


@dataclass(frozen=True, slots=True)
class Rates:
    """What is counted on real pages whose encoding is known.

    ``old`` are not in UTF-8, and ``missing`` of them declare nothing; ``declaring`` pages declare an encoding, in which ``wrong``
    are not (names as often as they are declared falsely); ``naming`` are in an encoding that names a language, and ``foreign``
    of these are in another language, which is English.
    """

    old: int
    missing: int
    declaring: int
    wrong: tuple[str, ...]
    naming: int
    foreign: int

    def declared(self, encoding: str, chance: random.Random) -> str:
        """What a page in an encoding declares."""
        if chance.random() * self.old < self.missing:
            return ""
        lies = [name for name in self.wrong if name != encoding]
        return chance.choice(lies) if lies and chance.random() * self.declaring < len(self.wrong) else encoding

    def described(self) -> str:
        """For tables."""
        return (
            f"{LEGACY:.0%} of the pages (assumed) are put into the commonest old encoding of their language. As counted on real "
            f"pages: {self.missing} of {self.old} that are not in UTF-8 declare no encoding, {len(self.wrong)} of {self.declaring} "
            f"that declare one declare a false one ({', '.join(sorted(set(self.wrong))) or 'none'}), {self.foreign} of "
            f"{self.naming} in an encoding that names a language are in another, English. So do and are the pages made"
        )


def independent(data: Path) -> list[RealPage]:
    """Real pages whose label comes from nothing that they declare, and is one language."""
    known = (*BY_HAND, *BY_STRUCTURE)
    return [r for r in real_pages(data) if r.source in known and r.label not in labels.SPECIAL and not r.accept]


def sampled(pages: Sequence[RealPage], count: int) -> list[RealPage]:
    """All pages that people read, and so many of the others."""
    others = [real for real in pages if real.source not in BY_HAND]
    drawn = random.Random(SEED).sample(others, min(count, len(others)))
    return [*(real for real in pages if real.source in BY_HAND), *drawn]


def measured(pages: Iterable[RealPage]) -> Rates:
    """Omissions, lies and strangers among real pages."""
    old = missing = declaring = naming = foreign = 0
    wrong: list[str] = []
    for real in pages:
        if not (true := resolve(real.encoding)) or real.source == SELECTED:
            continue
        named = language_of_encoding(true.name)
        is_old = real.encoding not in UNICODE
        declared = resolve(declared_encoding(read(real.page).claims))
        old += is_old
        missing += is_old and not declared
        declaring += declared is not None
        if declared and not alike(real.page.raw, declared, true):
            wrong.append(declared.name)
        if is_old and named:
            naming += 1
            foreign += named[:3] != real.label[:3]
    return Rates(old, missing, declaring, tuple(wrong), naming, foreign)


def alike(raw: bytes, first: Encoding, second: Encoding) -> bool:
    """Whether two encodings give the same text of some bytes: names that differ may mean the same, and ASCII is in all."""
    one, other = (codec_of(encoding.name) for encoding in (first, second))
    return one == other or raw.decode(one, "replace") == raw.decode(other, "replace")


def aged(pages: Sequence[RealPage], rates: Rates, share: float = LEGACY) -> list[RealPage]:
    """Pages of today as they might have been in 2008; those that are in an old encoding already are left out."""
    chance = random.Random(SEED)
    modern = [real for real in pages if real.encoding in UNICODE]
    encodings = [old_encoding(real) if chance.random() < share else "" for real in modern]
    naming = [encoding for encoding in encodings if language_of_encoding(encoding)]
    english = [i for i, real in enumerate(modern) if real.label == ENGLISH and encodings[i]]
    strangers = round(len(naming) * rates.foreign / max(rates.naming - rates.foreign, 1))
    for i in chance.sample(english, min(strangers, len(english))):
        encodings[i] = chance.choice(naming)
    return [
        put_into(real, encoding, rates.declared(encoding, chance)) if encoding else real
        for real, encoding in zip(modern, encodings, strict=True)
    ]


def put_into(real: RealPage, encoding: str, declared: str) -> RealPage:
    """A page in an encoding, declaring it, another or none."""
    return replace(real, page=declaring(rewritten(real.page, encoding, declared), declared), encoding=encoding)


def old_encoding(real: RealPage) -> str:
    """The commonest encoding but UTF-8 that holds a page's text, empty if there is none."""
    text = real.page.raw.decode("utf-8", "ignore")
    held = [name for name in writings(text, real.label) if name != "utf-8" and codec_of(name) != "ascii"]
    if real.label == "tur_Latn":
        return "windows-1254"
    return held[0] if held else "windows-1252" if real.label.endswith("_Latn") else ""


def declaring(page: Page, encoding: str) -> Page:
    """A page that declares an encoding, in its head, if it has not declared any."""
    if not encoding or declared_encoding(read(page).claims):
        return page
    tag = META % encoding.encode()
    found = HEAD_TAG.search(page.raw)
    end = found.end() if found else 0
    return Page(page.raw[:end] + tag + page.raw[end:], page.url)
