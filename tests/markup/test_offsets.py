"""Offsets of blocks and segments are in order and inside the page's own bytes, also in damaged pages."""

from __future__ import annotations

import html
import random
from itertools import pairwise

import pytest

import webtongue
from tests.cases import PAGES, rows
from tests.fonts.texts import encoded_text
from tests.inputs import ENCODINGS, TEXTS, damage, random_page
from webtongue import Identifier, markup
from webtongue.charset import detection
from webtongue.charset.codecs import encode
from webtongue.charset.languages import encoding_languages
from webtongue.fonts.tables import all_fonts
from webtongue.markup import Block, Markup, Syntax
from webtongue.page import Page

READER = Identifier().reader
EXAMPLES = [(PAGES / row["file"]).read_bytes() for row in rows(PAGES / "index.jsonl")]
ATTRIBUTES = ("alt", "meta")
PAGE = (
    "<html lang=en><head><title>{0}</title><meta name=description content='{1}'></head><body><h1>{1}</h1><nav><a href=/>{0}</a>"
    "<a href=/x>{1}</a></nav><p lang=de>{0} <i lang=fr>{1}</i> &amp; <img src=x alt='{0}'>{1}</p><ul><li>{1}<li>{0}</ul>{1}"
)


def filled(first: str, second: str) -> str:
    return PAGE.format(html.escape(first), html.escape(second))


def mojibake(text: str) -> str:
    """Return UTF-8 decoded as windows-1252."""
    return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in text.encode())


def pages(rnd: random.Random) -> list[bytes]:
    """Return a page of each kind."""
    first, second = rnd.choice(TEXTS), rnd.choice(TEXTS)
    font = encoded_text(rnd.choice([name for name in all_fonts() if name != "zawgyi"]))
    glyphs = filled(font, font)
    old = rnd.choice(sorted(encoding_languages()))
    return [
        random_page(rnd),
        rnd.choice(EXAMPLES),
        filled(first, second).encode(rnd.choice(ENCODINGS), "xmlcharrefreplace"),
        filled(mojibake(first), mojibake(second)).encode(),
        glyphs.encode(rnd.choice(["utf-8", "utf-16", "utf-7"])),
        "".join(char for char in glyphs if ord(char) < 0x100).encode("latin-1"),
        next(filter(None, (encode(filled(text, text), old) for text in rnd.sample(TEXTS, len(TEXTS)))), b""),
    ]


def mutated(raw: bytes, other: bytes, rnd: random.Random) -> bytes:
    """Return a page that is cut, doubled, flipped or spliced with another page, up to five times."""
    for _ in range(rnd.randrange(6)):
        if rnd.random() < 0.2:
            at, to = rnd.randrange(len(raw) + 1), rnd.randrange(len(other) + 1)
            raw = raw[:at] + other[to : to + rnd.randrange(200)] + raw[at:]
        else:
            raw = damage(raw, rnd)
    return raw


def check_blocks(blocks: list[Block], size: int) -> None:
    """Check that blocks are inside the page, and that visible blocks and those of attributes are in order and disjoint."""
    assert all(0 <= block.begin < block.end <= size for block in blocks)
    for is_attribute in (False, True):
        some = [block for block in blocks if (block.kind in ATTRIBUTES) == is_attribute]
        assert all(a.end <= b.begin for a, b in pairwise(some))


def check_segments(segments: tuple[webtongue.Segment, ...], size: int) -> None:
    assert all(0 <= segment.begin <= segment.end <= size for segment in segments)
    assert all(a.end <= b.begin for a, b in pairwise(segments))


def decoded(raw: bytes) -> Markup:
    scanned = markup.read(Page(raw))
    return scanned if scanned.syntax is Syntax.NONE else detection.decode_page(scanned, READER)[0]


@pytest.mark.parametrize("seed", range(30))
def test_mutated_pages(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(5):
        some = pages(rnd)
        for raw in some:
            page = mutated(raw, rnd.choice(some), rnd)
            check_blocks(decoded(page).blocks, len(page))
            check_segments(webtongue.identify(page).segments, len(page))


@pytest.mark.parametrize("seed", range(10))
def test_offsets_of_undamaged_pages_enclose_the_text(seed: int) -> None:
    """The bytes of an undamaged page from begin to end are exactly the block."""
    rnd = random.Random(seed)
    for encoding in (
        "utf-8",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "cp1251",
        "iso2022_jp",
        "iso2022_kr",
        "hz",
        "utf-7",
    ):
        texts = {"iso2022_jp": TEXTS[6:7], "iso2022_kr": TEXTS[8:9], "cp1251": TEXTS[5:6], "hz": TEXTS[0:1]}.get(
            encoding, TEXTS
        )
        text = rnd.choice(texts).replace("&", "")
        raw = f"<html><title>{text}</title><p>{text}<p>{text}<img alt='{text}'></html>".encode(encoding)
        blocks = decoded(raw).blocks
        assert [block.text for block in blocks] == [" ".join(text.split())] * 4
        for block in blocks:
            assert block.text in decode_block(raw, block, encoding)


def decode_block(raw: bytes, block: Block, encoding: str) -> str:
    """Return the bytes of a block as text, decoded with the shifts before them."""
    if encoding.startswith(("utf-16", "utf-32", "cp", "utf-8")):
        return raw[block.begin : block.end].decode(encoding)
    before, both = raw[: block.begin].decode(encoding, "ignore"), raw[: block.end].decode(encoding, "ignore")
    return both[len(before.rstrip("\ufffd")) :]
