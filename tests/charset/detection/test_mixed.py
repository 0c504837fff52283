"""Pages in two encodings keep their blocks, links and offsets; damage is not detected as a second encoding."""

from __future__ import annotations

import pytest

import webtongue
from tests.quality.sentences import SENTENCES
from webtongue import markup
from webtongue.charset import detection
from webtongue.page import Page

RUSSIAN = "Библиотека открыта каждый день, вечером придёт дедушка"
GREEK = "Το μουσείο κλείνει νωρίς σήμερα και ανοίγει πάλι αύριο"


def page(codec: str) -> bytes:
    own = f"<p>{RUSSIAN} <a href=https://example.org/a>{RUSSIAN}</a></p>".encode(codec)
    return own + f"<p>{GREEK} <a href=https://example.net/b>{GREEK}</a></p>".encode() + own


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r"])
def test_blocks_and_links(codec: str) -> None:
    raw = page(codec)
    scanned, decoding = detection.decode_page(markup.read(Page(raw)), webtongue.Identifier().reader)
    assert decoding.legacy
    assert [block.text for block in scanned.blocks] == [f"{text} {text}" for text in (RUSSIAN, GREEK, RUSSIAN)]
    begins = [raw[block.begin : block.end].count(b"<a ") for block in scanned.blocks]
    assert begins == [1, 1, 1]
    assert [link.text for link in scanned.links] == [RUSSIAN, GREEK, RUSSIAN]
    assert [anchor for _, anchor, _ in scanned.outlinks(b"example.com")] == [RUSSIAN, GREEK]


def test_larger_part_gives_the_encoding() -> None:
    greek = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES["ell_Grek"])
    raw = greek.encode() + f"<p>{RUSSIAN}</p>".encode("cp1251")
    verdict = webtongue.identify(raw)
    assert (verdict.encoding, verdict.label) == ("utf-8", "ell_Grek")
    assert webtongue.decode(raw).text == f"{greek}<p>{RUSSIAN}</p>"


@pytest.mark.parametrize("damage", [b"\xff", b"\xed\xa0\xbd\xed\xb8\x80", b"\x80\x80\x80", b"\xd0"])
def test_damaged_utf8_is_in_one_encoding(damage: bytes) -> None:
    raw = damage.join([f"<p>{GREEK} ".encode()] * 12)
    _, decoding = detection.decode_page(markup.read(Page(raw)), webtongue.Identifier().reader)
    assert (decoding.encoding, decoding.legacy) == ("utf-8", "")
    assert webtongue.identify(raw).label == "ell_Grek"
