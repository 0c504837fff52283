"""The analysis of a page: its verdict with blocks, segments and languages."""

from __future__ import annotations

import pytest

from webtongue import Identifier, Page

TEXT = "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis fyrir börn."
HINDI = 'Hkkjr esa cgqr lh Hkk"kk,¡ cksyh tkrh gSaA'  # in a legacy font; it shows भारत में बहुत सी भाषाएँ बोली जाती हैं।


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "utf-32-le", "cp861"])
def test_text_is_unicode_in_every_encoding(ident: Identifier, encoding: str) -> None:
    raw = f"<html><title>Safnið</title><p>{TEXT}</p><script>var a = 1</script><p>{TEXT.upper()}</p>".encode(encoding)
    analysis = ident.analyze(Page(raw))
    assert analysis.verdict.label == "isl_Latn"
    assert [block.text for block in analysis.blocks] == ["Safnið", TEXT, TEXT.upper()]


def test_offsets_are_those_of_segments(ident: Identifier) -> None:
    raw = f"<p>{TEXT}</p>".encode("utf-16")
    analysis = ident.analyze(Page(raw))
    segment, block = analysis.verdict.segments[0], analysis.blocks[0]
    assert segment.begin <= block.begin < block.end <= segment.end <= len(raw)
    assert raw[block.begin : block.end].decode("utf-16-le") == TEXT


def test_text_of_a_legacy_font_is_converted(ident: Identifier) -> None:
    analysis = ident.analyze(Page(f"<p>{HINDI}</p>".encode()))
    assert analysis.verdict.encoding == "x-font-krutidev"
    assert analysis.blocks[0].text == "भारत में बहुत सी भाषाएँ बोली जाती हैं।"


def test_mojibake_is_repaired(ident: Identifier) -> None:
    twice = "Příliš žluťoučký kůň úpěl ďábelské ódy a všichni ho slyšeli.".encode().decode("cp1252", "replace")
    right = ident.analyze(Page(f"<p>{twice}</p>".replace("�", "").encode())).blocks[0].text
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
        analysis, verdict = ident.analyze(page), ident.identify(raw, page.url)
        assert analysis.verdict.to_json() == verdict.to_json()
        assert (analysis.languages, analysis.declared.language) == (verdict.languages, verdict.declared_language)


def test_no_text_has_no_blocks(ident: Identifier) -> None:
    assert ident.analyze(Page(b"%PDF-1.4 " + bytes(range(256)))).blocks == []
    assert ident.analyze(Page(b"")).blocks == []


def test_decoded_text_has_no_markup(ident: Identifier) -> None:
    analysis = ident.analyze(Page(f"{TEXT}\n\n<b>&amp; {TEXT}".encode()), is_text=True)
    assert [block.text for block in analysis.blocks] == [TEXT, f"<b>&amp; {TEXT}"]


def test_sentences_lie_inside_their_block(ident: Identifier) -> None:
    raw = f"<p>{TEXT} The library is open every day of the week, and children need not pay. {TEXT}".encode()
    block = ident.analyze(Page(raw)).blocks[0]
    parts = block.sentences()
    assert len(parts) == 3 and " ".join(part.text for part in parts) == block.text
    marks = [mark for part in parts for mark in (part.begin, part.end)]
    assert marks == sorted(marks) and marks[0] == block.begin and marks[-1] == block.end
