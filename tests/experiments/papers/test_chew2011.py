"""Chew 2011 again: the switch of table 4, the rates that pages are made by, and pages that no model was made for."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "experiments" / "papers"))

import chew_rates
from character_parser import believed, character_text, valid_charset
from chew_abugida import cause, in_scope
from chew_corpora import LONGEST, joined, passage
from chew_pages import chosen, made_of
from chew_tables import SCENARIOS, table_4, table_5
from made_pages import UNKNOWN_FONT, WIDE, MadePage, Rates, make, pages_of, untrained
from real_pages import RealPage

from webtongue import Page
from webtongue.methods.base import Answer
from webtongue.methods.suzuki import Suzuki
from webtongue.methods.writings import writings

RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
HINDI = "भारत में बहुत सी भाषाएँ बोली जाती हैं और लोग हर दिन नई किताबें पढ़ते हैं"


def served(http: str, own: str) -> Page:
    raw = f'<meta charset="{own}"><p>{RUSSIAN}</p>'.encode("cp1251")
    return Page(raw, headers={"content-type": f"text/html; charset={http}"})


def test_override_http_is_a_switch() -> None:
    page = served("koi8-r", "windows-1251")
    assert (valid_charset(page), valid_charset(page, override_http=True)) == ("koi8-r", "windows-1251")
    assert believed(page) == "koi8-r" and believed(page, override_http=True) == "windows-1251"
    turned = served("windows-1251", "koi8-r")
    assert character_text(turned).decode("cp1251") == RUSSIAN
    assert believed(turned, override_http=True) == "koi8-r"


def test_an_xml_declaration_is_before_meta() -> None:
    raw = (
        b'<?xml version="1.0" encoding="koi8-r"?><html><head><meta charset="windows-1251"></head><body>x</body></html>'
    )
    assert (
        valid_charset(Page(raw, headers={"content-type": "text/html; charset=utf-8"}), override_http=True) == "koi8-r"
    )


def test_every_scenario_of_table_4_comes_out() -> None:
    found = table_4()
    assert len(found.rows) == len(SCENARIOS) == 7
    for _, paper, ours, _ in found.rows:
        assert ours == paper


def test_table_5_is_what_the_converter_gives() -> None:
    assert all(paper == ours for _, paper, ours in table_5().rows)


def test_charsets_are_compared_with_the_truth() -> None:
    def of(declared: str, encoding: str) -> str:
        tag = f'<meta charset="{declared}">' if declared else ""
        real = RealPage(Page(f"{tag}<p>{RUSSIAN}".encode(encoding)), "rus_Cyrl", "x", encoding)
        return chew_rates.charset_of(real, chew_rates.encoding_of(real))

    assert of("windows-1251", "windows-1251") == "right"
    assert of("cp1251", "windows-1251") == "right"
    assert of("utf-8", "windows-1251") == "wrong"
    assert of("", "koi8-r") == "missing"
    assert of("x-user-defined", "koi8-r") == "user-defined"


def test_references_are_letters_not_signs() -> None:
    references = RUSSIAN.encode("ascii", "xmlcharrefreplace")
    assert chew_rates.in_references(references)
    assert not chew_rates.in_references(RUSSIAN.encode() + references[:70])
    assert not chew_rates.in_references(b"&nbsp;&copy;&#8217;" * 50)


def test_encodings_without_a_model_occur() -> None:
    found = untrained(RUSSIAN, "rus_Cyrl")
    assert "cp855" in found and not set(found) & set(writings(RUSSIAN, "rus_Cyrl"))
    assert untrained("नमस्ते", "sat_Deva") == [WIDE, UNKNOWN_FONT]
    every = Rates(untrained=(1.0, 1.0))
    pages = list(pages_of("rus_Cyrl", [f"{RUSSIAN} {i}" for i in range(60)], 8, random.Random(1), every))
    assert {page.encoding for page in pages} <= set(found)
    model = Suzuki.fit({"rus_Cyrl": [RUSSIAN], "eng_Latn": ["plain words of the library"]})
    assert not {label.split("_", 2)[2] for label in model.labels} & set(found)


def test_an_unknown_font_is_no_language_to_a_model() -> None:
    page = make("a", "hin_Deva", [HINDI] * 3, random.Random(1), UNKNOWN_FONT, "missing")
    model = Suzuki.fit({"hin_Deva": [HINDI], "eng_Latn": ["many languages are spoken"]})
    rates = model.score(page.raw)
    assert max(rates.values()) < 0.5
    again = make("a", "hin_Deva", [HINDI] * 3, random.Random(1), UNKNOWN_FONT, "missing")
    assert page == again


def test_lies_and_omissions_follow_the_rates() -> None:
    lines = [f"{RUSSIAN} {i}" for i in range(60)]
    never = Rates(missing=(0, 0), wrong=(0, 0), references=0, untrained=(0, 0))
    always = Rates(missing=(1, 1), wrong=(0, 0), references=0, untrained=(0, 0))
    assert {page.charset for page in pages_of("rus_Cyrl", lines, 20, random.Random(1), never)} <= {
        "right",
        "user-defined",
    }
    assert {page.charset for page in pages_of("rus_Cyrl", lines, 20, random.Random(1), always)} == {"missing"}


def test_real_pages_are_taken_from_each_set_in_turn() -> None:
    real = [RealPage(Page(f"<p>{i}".encode()), "rus_Cyrl", source, "utf-8") for source in "ab" for i in range(5)]
    found = chosen(real, 4)
    assert [page.source for page in found] == ["a", "b", "a", "b"]
    assert made_of(found, Rates()) == ""
    made = [make("a", "rus_Cyrl", [RUSSIAN], random.Random(1))]
    assert "1 of 5 pages" in made_of([*found, *made], Rates())


def test_a_model_is_one_passage() -> None:
    lines = [f"line {i:06}" for i in range(5000)]
    text = passage(lines)
    assert len(text) == LONGEST and text in "\n".join(lines)
    assert passage(lines[:3]) == "\n".join(lines[:3])
    assert len(joined({"x": [text]}, {"x": [text]})["x"][0]) == LONGEST


@pytest.mark.parametrize(
    ("label", "encoding", "said", "expected"),
    [
        ("hin_Deva", UNKNOWN_FONT, "eng_Latn", "in a font or encoding without a model"),
        ("hin_Deva", "x-font-krutidev", "eng_Latn", "in a font with a model"),
        ("hin_Deva", "utf-8", "nep_Deva", "another language of the script, both in ISO 639-1"),
        ("hin_Deva", "utf-8", "awa_Deva", "another language of the script, not both in ISO 639-1"),
        ("hin_Deva", "utf-8", "eng_Latn", "another script"),
    ],
)
def test_causes_of_errors(label: str, encoding: str, said: str, expected: str) -> None:
    known = {("hin", "utf-8"), ("hin", "x-font-krutidev")}
    assert cause(MadePage("a", b"", label, encoding, "right", False), Answer(said), known) == expected
    assert in_scope("hin_Deva") and not in_scope("awa_Deva")
