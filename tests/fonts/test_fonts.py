"""Font-coded text and pages from end to end, and ordinary ones that must be left alone."""

from __future__ import annotations

import html
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from tests.fonts.texts import FIRST, ORDINARY, TEXTS, coded
from tests.twins.fonts import source as twin
from webtongue import coding, markup
from webtongue.errors import ModelError
from webtongue.fonts import convert_source, guess
from webtongue.fonts.tables import font, named
from webtongue.page import Page


@pytest.mark.parametrize("name", sorted(named()))
def test_text_in_a_font(name: str) -> None:
    v = webtongue.identify_text(coded(name))
    assert (v.encoding, v.label) == (f"x-font-{name}", FIRST[name])
    assert any("drawn by a font" in e.value for e in v.evidence)
    assert v.segments[0].label == v.label


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "utf-16", "references"])
@pytest.mark.parametrize("name", sorted(named()))
def test_page_in_a_font(name: str, codec: str) -> None:
    text = html.escape(coded(name))
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
    assert (v.encoding, v.label) == (f"x-font-{name}", FIRST[name])
    assert v.encoding_confidence > 0.9
    assert any("drawn by a font over" in e.value for e in v.evidence)
    assert [s.label for s in v.segments if s.share > 0.5] == [v.label]


def test_blocks_and_links_are_converted_where_they_are_the_fonts() -> None:
    text = html.escape(coded("krutidev"))
    page = f"<p>Contact and copyright information<p><font face='Kruti Dev 010'>{text}</font> <a href=/a>Hkkjr ljdkj</a> <a href=/b>English version</a>"
    reader = webtongue.Identifier().reader
    scanned, decoding = coding.decode(markup.read(Page(page.encode())), reader)
    assert decoding.encoding == "x-font-krutidev"
    assert "named by the page" in decoding.how
    assert scanned.blocks[0].text == "Contact and copyright information"
    assert scanned.blocks[1].text.startswith(TEXTS["hin_Deva"][:30])
    assert [link.text for link in scanned.links] == ["भारत सरकार", "English version"]


@pytest.mark.parametrize("text", [*ORDINARY, *TEXTS.values()])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert webtongue.identify_text(text).encoding == ""
    assert webtongue.identify(f"<p>{html.escape(text)}</p>".encode()).encoding == "utf-8"
    assert webtongue.identify_text(f"{text}\n" * 9).encoding == ""


def test_an_example_in_a_font_does_not_make_the_page_one() -> None:
    page = "<p>" + " ".join(ORDINARY[:5]) + "<p>In Kruti Dev, Hkkjr ljdkj is what is typed for the Government of India."
    assert webtongue.identify(page.encode()).encoding == "utf-8"


@pytest.mark.parametrize("pattern", ["~{!!", "b\n", "Hk\n", "~k ", "PÀ£ÀßqÀ\n"])
def test_a_pattern_is_no_text(pattern: str) -> None:
    assert webtongue.identify_text(pattern * 400).encoding == ""
    assert webtongue.identify_text(pattern * 40).encoding == ""


def test_a_language_that_is_not_asked_for_is_not_found() -> None:
    text = coded("krutidev")
    assert webtongue.Identifier(languages=["hi", "en"]).identify_text(text).label == "hin_Deva"
    assert webtongue.Identifier(languages=["ta", "en"]).identify_text(text).encoding == ""


@pytest.mark.parametrize("name, words", [("krutidev", 2), ("nudi", 2), ("shreeori", 3)])
def test_less_text_is_enough_where_the_page_names_the_font(name: str, words: int) -> None:
    title = html.escape(" ".join(coded(name).split()[:words]))
    face = font(name).names[0]
    for style in (f"<font face='Arial, {face}'>", f"<span style='font-family: {face}'>"):
        assert webtongue.identify(f"<p>{style}{title}".encode()).encoding == f"x-font-{name}"
    assert webtongue.identify(f"<p>{title}".encode()).encoding == "utf-8"
    assert webtongue.identify(f"<p><font face={face}>About us, our history and contact".encode()).encoding == "utf-8"


def source_of(text: str, name: str = "krutidev") -> str:
    return "".join(convert_source(text.encode(), name))


def test_source_with_markup() -> None:
    assert source_of("<p title='Hkkjr'>Hkkjr ljdkj</p><script>var d=Hk;</script>") == (
        "<p title='Hkkjr'>भारत सरकार</p><script>var d=Hk;</script>"
    )
    assert source_of("< p <<< > x").count("<") == 4


@settings(max_examples=200)
@given(source=st.text(alphabet="<>/scriptyle &;HkjrA\n", max_size=60))
def test_any_source_is_converted(source: str) -> None:
    source_of(source)


PIECES = [
    "<p>", "<b class=x>", "</b>", "<script>", "</script>", "<STYLE a=b>", "</style >", "< script>", "<script/>", "<", ">", "&lt;",
    "&amp;", "&nbsp;", "&#10;", "&", "\n", " ", " the quick brown fox ", "é", "Hkkjr ljdkj esa ", "fgUnh gSA", "\u00a0",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_a_source_equals_its_twin(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    r = random.Random(seed)
    for _ in range(50):
        name = r.choice(["krutidev", "preeti", "bamini", "nudi", "sutonnymj"])
        glyphs = [glyph.sequence for glyph in font(name).glyphs]
        text = "".join(
            r.choice(PIECES) if r.random() < 0.6 else "".join(r.choices(glyphs, k=r.randrange(20)))
            for _ in range(r.randrange(30))
        )
        assert source_of(text, name) == twin.convert_source(text, name), text
        with monkeypatch.context() as patched:  # cut anywhere, tags stay what they are
            patched.setattr("webtongue.fonts.convert.CHUNK", r.choice([50, 64, 100]))
            assert twin.TAG.findall(source_of(text, name)) == twin.TAG.findall(text)


@pytest.mark.parametrize("text", ["Hkkjr ljdkj ", "<b>Hkkjr</b>", "<", ">", "<b a", "Hk\n", "<p><script>Hk</script>"])
def test_a_long_source_is_converted_in_chunks(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = twin.convert_source("<p>" + text * 100, "krutidev")
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK", 64)
    assert source_of("<p>" + text * 100).split() == whole.split()


def test_a_tag_longer_than_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK", 64)
    text = f"<script {'x' * 500}>Hkkjr</script ><p title='{'Hkkjr é ' * 50}'>Hkkjr ljdkj"
    assert source_of(text) == twin.convert_source(text, "krutidev")


def test_a_long_page_is_converted_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webtongue.fonts.convert.CHUNK", 700)
    text = html.escape(coded("nudi"))
    v = webtongue.identify(f"{'<p>Contact us'}{f'<p>{text}' * 9}".encode())
    assert v.label == "kan_Knda"
    assert v.encoding == "x-font-nudi"


def test_lone_surrogates_and_short_texts() -> None:
    assert webtongue.identify_text("Hkkjr \ud800 ljdkj").label
    assert webtongue.identify_text("Hk").encoding == ""


def test_a_damaged_model_is_refused(tmp_path: object) -> None:
    from pathlib import Path

    raw = guess.DEFAULT.read_bytes()
    path = Path(str(tmp_path)) / "fonts.wtf"
    for broken in (b"", raw[:100], b"X" + raw[1:], raw[:-1], raw[:32] + b"\xff" * 16 + raw[48:]):
        path.write_bytes(broken)
        guess.load.cache_clear()
        with pytest.raises(ModelError):
            guess.load(path)
    guess.load.cache_clear()
