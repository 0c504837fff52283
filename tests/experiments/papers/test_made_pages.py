"""The pages that experiments are made of, and the character-sequence parser they are read by."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "experiments" / "papers"))

from character_parser import believed, character_text, valid_charset
from made_pages import language_of, make, pages_of
from real_pages import rewritten

from webtongue import Page, identify
from webtongue.fonts.tables import font
from webtongue.methods.document import tagless

RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
CHARSET = '<meta http-equiv="Content-Type" content="text/html; charset={}">'


def test_a_made_page_is_what_it_says() -> None:
    page = make("a", "rus_Cyrl", [RUSSIAN] * 3, random.Random(1), "koi8-r", "right")
    assert RUSSIAN in page.raw.decode("koi8-r")
    assert valid_charset(page.raw) == "koi8-r"
    assert page.name == "a-koi8-r"
    missing = make("a", "rus_Cyrl", [RUSSIAN], random.Random(1), "koi8-r", "missing")
    assert valid_charset(missing.raw) == ""


def test_pages_are_drawn_from_a_seed() -> None:
    lines = [f"{RUSSIAN} {i}" for i in range(60)]
    first = list(pages_of("rus_Cyrl", lines, 5, random.Random(3)))
    assert first == list(pages_of("rus_Cyrl", lines, 5, random.Random(3)))
    assert all(page.label == "rus_Cyrl" for page in first)


def test_references_say_the_same() -> None:
    pages = [make(str(i), "rus_Cyrl", [RUSSIAN], random.Random(i)) for i in range(80)]
    found = [page for page in pages if page.references]
    assert found
    for page in found:
        assert page.raw.isascii()
        assert RUSSIAN.encode() in tagless(page.raw, references=True)
        assert RUSSIAN.encode() not in tagless(page.raw, references=False)


def test_character_parser_gives_back_what_it_understood() -> None:
    raw = (CHARSET.format("koi8-r") + f"<p>{RUSSIAN}").encode("koi8-r")
    assert character_text(raw).decode("koi8-r") == RUSSIAN


def test_character_parser_loses_what_it_did_not() -> None:
    raw = (CHARSET.format("utf-8") + f"<p>{RUSSIAN}").encode("koi8-r")
    assert set(character_text(raw)) <= set(b"? ,.")
    assert tagless(raw, references=False) == RUSSIAN.encode("koi8-r")


def test_without_a_valid_charset_mozilla_is_asked() -> None:
    pytest.importorskip("cchardet")
    raw = (CHARSET.format("x-user-defined") + f"<p>{RUSSIAN * 5}").encode("cp1251")
    assert valid_charset(raw) == ""
    assert believed(raw).lower() == "windows-1251"
    assert character_text(raw).decode("cp1251") == RUSSIAN * 5


def test_real_pages_are_put_into_another_encoding() -> None:
    text = f'<html><head><meta charset="utf-8"></head><body><p>{RUSSIAN} ☂ '
    declared = rewritten(Page(text.encode()), "windows-1251", "windows-1251").raw.decode("cp1251")
    assert f'<meta charset="windows-1251"></head><body><p>{RUSSIAN} &#9730; ' in declared
    assert "charset" not in rewritten(Page(text.encode()), "windows-1251", "").raw.decode("cp1251")
    assert identify(rewritten(Page(text.encode()), "windows-1251", "windows-1251").raw).label == "rus_Cyrl"


def test_arabic_is_one_language() -> None:
    assert {language_of(label) for label in ("arz_Arab", "ara_Arab", "ary_Arab")} == {"ara"}


def test_a_page_in_a_font() -> None:
    text = "भारत में बहुत सी भाषाएँ बोली जाती हैं"
    page = make("a", "hin_Deva", [text] * 5, random.Random(1), "x-font-krutidev", "user-defined")
    assert page.raw.count(b"Hkkjr") >= 5 and b"x-user-defined" in page.raw
    assert font("krutidev").convert(tagless(page.raw, references=True).decode("cp1252").splitlines()[-2]) == text
