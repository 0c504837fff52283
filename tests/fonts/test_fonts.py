"""Text and pages for legacy fonts from end to end, and ordinary ones that must not be converted."""

from __future__ import annotations

import html
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from tests.fonts.texts import FIRST_LABEL, ORDINARY, TEXTS, encoded_text
from tests.twins.fonts import source as twin
from webtongue import markup
from webtongue.charset import detection
from webtongue.errors import ModelError
from webtongue.fonts import convert_source, detect
from webtongue.fonts.tables import all_fonts, load_font
from webtongue.page import Page


@pytest.mark.parametrize("name", sorted(all_fonts()))
def test_text_for_a_font(name: str) -> None:
    v = webtongue.identify_text(encoded_text(name))
    assert (v.encoding, v.label) == (f"x-font-{name}", FIRST_LABEL[name])
    assert any("text for a legacy font" in e.value for e in v.evidence)
    assert v.segments[0].label == v.label


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "utf-16", "references"])
@pytest.mark.parametrize("name", sorted(all_fonts()))
def test_page_for_a_font(name: str, codec: str) -> None:
    text = html.escape(encoded_text(name))
    page = f"<html><head><title>News</title></head><body><h1>Welcome</h1><p>{text}</p><p>{text}</p></body></html>"
    if codec == "references":
        raw = page.encode("ascii", "xmlcharrefreplace")
    elif codec == "cp1252":
        if name == "zawgyi":
            pytest.skip("has no bytes")
        raw = b"".join(bytes([ord(c)]) if 0x80 <= ord(c) < 0xA0 else c.encode("cp1252") for c in page)
    else:
        raw = page.encode(codec)
    v = webtongue.identify(raw)
    assert (v.encoding, v.label) == (f"x-font-{name}", FIRST_LABEL[name])
    assert v.encoding_confidence > 0.9
    assert any("text for a legacy font over" in e.value for e in v.evidence)
    assert [s.label for s in v.segments if s.share > 0.5] == [v.label]


def test_blocks_and_links_for_the_font_are_converted() -> None:
    text = html.escape(encoded_text("krutidev"))
    page = f"<p>Contact and copyright information<p><font face='Kruti Dev 010'>{text}</font> <a href=/a>Hkkjr ljdkj</a> <a href=/b>English version</a>"
    reader = webtongue.Identifier().reader
    scanned, decoding = detection.decode_page(markup.read(Page(page.encode())), reader)
    assert decoding.encoding == "x-font-krutidev"
    assert "named by the page" in decoding.reason
    assert scanned.blocks[0].text == "Contact and copyright information"
    assert scanned.blocks[1].text.startswith(TEXTS["hin_Deva"][:30])
    assert [link.text for link in scanned.links] == ["भारत सरकार", "English version"]


@pytest.mark.parametrize("text", [*ORDINARY, *TEXTS.values()])
def test_ordinary_text_is_not_converted(text: str) -> None:
    assert webtongue.identify_text(text).encoding == ""
    assert webtongue.identify(f"<p>{html.escape(text)}</p>".encode()).encoding == "utf-8"
    assert webtongue.identify_text(f"{text}\n" * 9).encoding == ""


def test_page_with_an_example_in_a_font_is_not_converted() -> None:
    page = "<p>" + " ".join(ORDINARY[:5]) + "<p>In Kruti Dev, Hkkjr ljdkj is what is typed for the Government of India."
    assert webtongue.identify(page.encode()).encoding == "utf-8"


@pytest.mark.parametrize("pattern", ["~{!!", "b\n", "Hk\n", "~k ", "PÀ£ÀßqÀ\n"])
def test_patterns_are_not_text(pattern: str) -> None:
    assert webtongue.identify_text(pattern * 400).encoding == ""
    assert webtongue.identify_text(pattern * 40).encoding == ""


def test_font_of_a_language_outside_the_allowlist_is_not_detected() -> None:
    text = encoded_text("krutidev")
    assert webtongue.Identifier(languages=["hi", "en"]).identify_text(text).label == "hin_Deva"
    assert webtongue.Identifier(languages=["ta", "en"]).identify_text(text).encoding == ""


@pytest.mark.parametrize("name, words", [("krutidev", 2), ("nudi", 2), ("shreeori", 3)])
def test_named_font_needs_less_text(name: str, words: int) -> None:
    title = html.escape(" ".join(encoded_text(name).split()[:words]))
    face = load_font(name).names[0]
    for style in (f"<font face='Arial, {face}'>", f"<span style='font-family: {face}'>"):
        assert webtongue.identify(f"<p>{style}{title}".encode()).encoding == f"x-font-{name}"
    assert webtongue.identify(f"<p>{title}".encode()).encoding == "utf-8"
    assert webtongue.identify(f"<p><font face={face}>About us, our history and contact".encode()).encoding == "utf-8"


@pytest.mark.parametrize("name", sorted(set(all_fonts()) - {"zawgyi"}))
def test_unnamed_font_needs_more_than_a_dozen_letters(name: str) -> None:
    text = encoded_text(name)[:18]
    assert webtongue.identify_text(text).encoding == ""
    assert webtongue.identify(f"<p>{html.escape(text)}".encode()).encoding == "utf-8"


@pytest.mark.parametrize("name", sorted(all_fonts()))
def test_confidence_in_the_font_limits_that_of_the_verdict(name: str) -> None:
    text = encoded_text(name)
    for v in (webtongue.identify_text(text), webtongue.identify(f"<p>{html.escape(text)}".encode())):
        assert v.encoding == f"x-font-{name}"
        assert 0.5 <= v.encoding_confidence <= detect.MAX_CONFIDENCE
        assert v.confidence <= v.encoding_confidence
        assert v.reliable


def test_uncertain_font_is_not_reliable(monkeypatch: pytest.MonkeyPatch) -> None:
    text = encoded_text("krutidev")
    monkeypatch.setattr("webtongue.fonts.detect.MAX_CONFIDENCE", 0.7)
    for v in (webtongue.identify_text(text), webtongue.identify(f"<p>{html.escape(text)}".encode())):
        assert (v.label, v.encoding, v.reliable) == ("hin_Deva", "x-font-krutidev", False)
        assert v.confidence <= v.encoding_confidence == 0.7


@pytest.mark.parametrize(
    "text",
    [
        "Prhln, skrvn dkrvn rvz skrtch pd vm vtl Sprvn hspdk pr prk pr",  # Czech without vowels
        "N PRMVR. PRDMS LTM NBS PRQ RN DMR MT MS D Q TNHMS PRVST. S VC DXR",
        "zmqxlnlrrtts bdtcqxhlvbshl qwfldknlrzk hndnnjmpndqbkgf wgfwnwqjzqpdwp",
        "ertyuio jf fgh dfghdfg dfghj fgh mz l;jk asdfghj ghjfg kl;j ghdf",
    ],
)
def test_letters_of_no_font_are_not_converted(text: str) -> None:
    assert webtongue.identify_text(text).encoding == ""
    assert not webtongue.identify_text(text).reliable


def convert_to_text(text: str, name: str = "krutidev") -> str:
    return "".join(convert_source(text.encode(), name))


def test_source_with_markup() -> None:
    assert convert_to_text("<p title='Hkkjr'>Hkkjr ljdkj</p><script>var d=Hk;</script>") == (
        "<p title='Hkkjr'>भारत सरकार</p><script>var d=Hk;</script>"
    )
    assert convert_to_text("< p <<< > x").count("<") == 4


@settings(max_examples=200)
@given(source=st.text(alphabet="<>/scriptyle &;HkjrA\n", max_size=60))
def test_any_source_is_converted(source: str) -> None:
    convert_to_text(source)


SOURCE_PARTS = [
    "<p>", "<b class=x>", "</b>", "<script>", "</script>", "<STYLE a=b>", "</style >", "< script>", "<script/>", "<", ">", "&lt;",
    "&amp;", "&nbsp;", "&#10;", "&", "\n", " ", " the quick brown fox ", "é", "Hkkjr ljdkj esa ", "fgUnh gSA", "\u00a0",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_source_equals_its_twin(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    r = random.Random(seed)
    for _ in range(50):
        name = r.choice(["krutidev", "preeti", "bamini", "nudi", "sutonnymj"])
        glyphs = [glyph.sequence for glyph in load_font(name).glyphs]
        text = "".join(
            r.choice(SOURCE_PARTS) if r.random() < 0.6 else "".join(r.choices(glyphs, k=r.randrange(20)))
            for _ in range(r.randrange(30))
        )
        assert convert_to_text(text, name) == twin.convert_source(text, name), text
        with monkeypatch.context() as patched:  # tags are kept wherever the source is cut
            patched.setattr("webtongue.fonts.convert.CHUNK_BYTES", r.choice([50, 64, 100]))
            assert twin.TAG.findall(convert_to_text(text, name)) == twin.TAG.findall(text)


@pytest.mark.parametrize("text", ["Hkkjr ljdkj ", "<b>Hkkjr</b>", "<", ">", "<b a", "Hk\n", "<p><script>Hk</script>"])
def test_long_source_is_converted_in_chunks(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = twin.convert_source("<p>" + text * 100, "krutidev")
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK_BYTES", 64)
    assert convert_to_text("<p>" + text * 100).split() == whole.split()


def test_tag_longer_than_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK_BYTES", 64)
    text = f"<script {'x' * 500}>Hkkjr</script ><p title='{'Hkkjr é ' * 50}'>Hkkjr ljdkj"
    assert convert_to_text(text) == twin.convert_source(text, "krutidev")


def test_long_page_is_converted_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK_BYTES", 700)
    text = html.escape(encoded_text("nudi"))
    v = webtongue.identify(f"{'<p>Contact us'}{f'<p>{text}' * 9}".encode())
    assert v.label == "kan_Knda"
    assert v.encoding == "x-font-nudi"


def test_lone_surrogates_and_short_texts() -> None:
    assert webtongue.identify_text("Hkkjr \ud800 ljdkj").label
    assert webtongue.identify_text("Hk").encoding == ""


def test_damaged_model_is_rejected(tmp_path: object) -> None:
    from pathlib import Path

    raw = detect.DEFAULT.read_bytes()
    path = Path(str(tmp_path)) / "fonts.wtf"
    for broken in (b"", raw[:100], b"X" + raw[1:], raw[:-1], raw[:32] + b"\xff" * 16 + raw[48:]):
        path.write_bytes(broken)
        detect.load.cache_clear()
        with pytest.raises(ModelError):
            detect.load(path)
    detect.load.cache_clear()
