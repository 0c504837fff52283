"""A page's verdict together with its text, block by block."""

from __future__ import annotations

import pytest

from webtongue import Identifier, Page
from webtongue.contents import sentences

TEXT = "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis fyrir börn."
HINDI = 'Hkkjr esa cgqr lh Hkk"kk,¡ cksyh tkrh gSaA'  # as a font draws it: भारत में बहुत सी भाषाएँ बोली जाती हैं।


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "utf-32-le", "cp861"])
def test_text_is_unicode_whatever_the_page_is_in(ident: Identifier, encoding: str) -> None:
    raw = f"<html><title>Safnið</title><p>{TEXT}</p><script>var a = 1</script><p>{TEXT.upper()}</p>".encode(encoding)
    found = ident.contents(Page(raw))
    assert found.verdict.label == "isl_Latn"
    assert [block.text for block in found.blocks] == ["Safnið", TEXT, TEXT.upper()]


def test_offsets_are_those_of_segments(ident: Identifier) -> None:
    raw = f"<p>{TEXT}</p>".encode("utf-16")
    found = ident.contents(Page(raw))
    segment, block = found.verdict.segments[0], found.blocks[0]
    assert segment.begin <= block.begin < block.end <= segment.end <= len(raw)
    assert raw[block.begin : block.end].decode("utf-16-le") == TEXT


def test_text_drawn_by_a_font_is_converted(ident: Identifier) -> None:
    found = ident.contents(Page(f"<p>{HINDI}</p>".encode()))
    assert found.verdict.encoding == "x-font-krutidev"
    assert found.blocks[0].text == "भारत में बहुत सी भाषाएँ बोली जाती हैं।"


def test_text_that_was_misread_is_repaired(ident: Identifier) -> None:
    twice = "Příliš žluťoučký kůň úpěl ďábelské ódy a všichni ho slyšeli.".encode().decode("cp1252", "replace")
    right = ident.contents(Page(f"<p>{twice}</p>".replace("�", "").encode())).blocks[0].text
    assert "žlu" in right and "kůň" in right


def test_a_verdict_is_that_of_identify(ident: Identifier) -> None:
    for raw in (
        b"",
        b"%PDF-1.4 \x00\x01",
        b"<p>",
        f"<html lang=is><p>{TEXT}".encode(),
        TEXT.encode("cp1252"),
        b"\xff\xfe\x00",
    ):
        page = Page(raw, "https://example.is/")
        found, verdict = ident.contents(page), ident.identify_page(page)
        assert found.verdict.to_json() == verdict.to_json()
        assert (found.languages, found.declared_language) == (verdict.languages, verdict.declared_language)


def test_no_text_has_no_blocks(ident: Identifier) -> None:
    assert ident.contents(Page(b"%PDF-1.4 " + bytes(range(256)))).blocks == []
    assert ident.contents(Page(b"")).blocks == []


def test_decoded_text_has_no_markup(ident: Identifier) -> None:
    found = ident.contents(Page(f"{TEXT}\n\n<b>&amp; {TEXT}".encode()), is_text=True)
    assert [block.text for block in found.blocks] == [TEXT, f"<b>&amp; {TEXT}"]


def test_sentences_lie_inside_their_block(ident: Identifier) -> None:
    raw = f"<p>{TEXT} The library is open every day of the week, and children need not pay. {TEXT}".encode()
    block = ident.contents(Page(raw)).blocks[0]
    parts = sentences(block)
    assert len(parts) == 3 and " ".join(part.text for part in parts) == block.text
    marks = [mark for part in parts for mark in (part.begin, part.end)]
    assert marks == sorted(marks) and marks[0] == block.begin and marks[-1] == block.end
