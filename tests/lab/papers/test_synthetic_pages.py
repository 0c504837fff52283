"""Tests of the generated pages, of rewritten real pages and of the character-sequence parser."""

from __future__ import annotations

import random

from webtongue import Page, identify
from webtongue.fonts.tables import load_font
from webtongue.lab.methods.document import strip_tags
from webtongue.lab.papers.character_parser import assume_encoding, declared_charset, extract_by_characters
from webtongue.lab.papers.common import fold_language
from webtongue.lab.papers.real_pages import rewrite_encoding
from webtongue.lab.papers.synthetic_pages import generate_page, generate_pages

RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
CHARSET = '<meta http-equiv="Content-Type" content="text/html; charset={}">'


def test_a_made_page_is_what_it_says() -> None:
    page = generate_page("a", "rus_Cyrl", [RUSSIAN] * 3, random.Random(1), "koi8-r", "right")
    assert RUSSIAN in page.raw.decode("koi8-r")
    assert declared_charset(page.raw) == "koi8-r"
    assert page.name == "a-koi8-r"
    missing = generate_page("a", "rus_Cyrl", [RUSSIAN], random.Random(1), "koi8-r", "missing")
    assert declared_charset(missing.raw) == ""


def test_pages_are_drawn_from_a_seed() -> None:
    lines = [f"{RUSSIAN} {i}" for i in range(60)]
    first = list(generate_pages("rus_Cyrl", lines, 5, random.Random(3)))
    assert first == list(generate_pages("rus_Cyrl", lines, 5, random.Random(3)))
    assert all(page.label == "rus_Cyrl" for page in first)


def test_references_say_the_same() -> None:
    pages = [generate_page(str(i), "rus_Cyrl", [RUSSIAN], random.Random(i)) for i in range(80)]
    with_references = [page for page in pages if page.references]
    assert with_references
    for page in with_references:
        assert page.raw.isascii()
        assert RUSSIAN.encode() in strip_tags(page.raw, decode_references=True)
        assert RUSSIAN.encode() not in strip_tags(page.raw, decode_references=False)


def test_character_parser_gives_back_what_it_understood() -> None:
    raw = (CHARSET.format("koi8-r") + f"<p>{RUSSIAN}").encode("koi8-r")
    assert extract_by_characters(raw).decode("koi8-r") == RUSSIAN


def test_character_parser_loses_what_it_did_not() -> None:
    raw = (CHARSET.format("utf-8") + f"<p>{RUSSIAN}").encode("koi8-r")
    assert set(extract_by_characters(raw)) <= set(b"? ,.")
    assert strip_tags(raw, decode_references=False) == RUSSIAN.encode("koi8-r")


def test_without_a_valid_charset_mozilla_is_asked() -> None:
    raw = (CHARSET.format("x-user-defined") + f"<p>{RUSSIAN * 5}").encode("cp1251")
    assert declared_charset(raw) == ""
    assert assume_encoding(raw).lower() == "windows-1251"
    assert extract_by_characters(raw).decode("cp1251") == RUSSIAN * 5


def test_real_pages_are_put_into_another_encoding() -> None:
    text = f'<html><head><meta charset="utf-8"></head><body><p>{RUSSIAN} ☂ '
    declared = rewrite_encoding(Page(text.encode()), "windows-1251", "windows-1251").raw.decode("cp1251")
    assert f'<meta charset="windows-1251"></head><body><p>{RUSSIAN} &#9730; ' in declared
    assert "charset" not in rewrite_encoding(Page(text.encode()), "windows-1251", "").raw.decode("cp1251")
    assert identify(rewrite_encoding(Page(text.encode()), "windows-1251", "windows-1251").raw).label == "rus_Cyrl"


def test_arabic_is_one_language() -> None:
    assert {fold_language(label) for label in ("arz_Arab", "ara_Arab", "ary_Arab")} == {"ara"}


def test_a_page_in_a_font() -> None:
    text = "भारत में बहुत सी भाषाएँ बोली जाती हैं"
    page = generate_page("a", "hin_Deva", [text] * 5, random.Random(1), "x-font-krutidev", "user-defined")
    assert page.raw.count(b"Hkkjr") >= 5 and b"x-user-defined" in page.raw
    assert (
        load_font("krutidev").convert(strip_tags(page.raw, decode_references=True).decode("cp1252").splitlines()[-2])
        == text
    )
