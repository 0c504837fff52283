"""Tests of chew2011: the switch of table 4, the rates by which pages are generated, and pages without a model."""

from __future__ import annotations

import random

import pytest

from webtongue import Page
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.encoded_texts import encode_in_all
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers import chew_rates
from webtongue.lab.papers.character_parser import assume_encoding, declared_charset, extract_by_characters
from webtongue.lab.papers.chew_abugida import find_cause, is_in_iso_639_1
from webtongue.lab.papers.chew_corpora import MAX_MODEL_CHARS, cut_passage, join_corpora
from webtongue.lab.papers.chew_pages import choose_real_pages, describe_generated
from webtongue.lab.papers.chew_tables import SCENARIOS, table_4, table_5
from webtongue.lab.papers.real_pages import RealPage
from webtongue.lab.papers.synthetic_pages import (
    UNKNOWN_FONT,
    UTF_16,
    Rates,
    ValidationPage,
    generate_page,
    generate_pages,
    list_untrained_encodings,
)

RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
HINDI = "भारत में बहुत सी भाषाएँ बोली जाती हैं और लोग हर दिन नई किताबें पढ़ते हैं"


def served(http: str, declared: str) -> Page:
    raw = f'<meta charset="{declared}"><p>{RUSSIAN}</p>'.encode("cp1251")
    return Page(raw, headers={"content-type": f"text/html; charset={http}"})


def test_override_http_is_a_switch() -> None:
    page = served("koi8-r", "windows-1251")
    assert (declared_charset(page), declared_charset(page, override_http=True)) == ("koi8-r", "windows-1251")
    assert assume_encoding(page) == "koi8-r" and assume_encoding(page, override_http=True) == "windows-1251"
    reversed_page = served("windows-1251", "koi8-r")
    assert extract_by_characters(reversed_page).decode("cp1251") == RUSSIAN
    assert assume_encoding(reversed_page, override_http=True) == "koi8-r"


def test_an_xml_declaration_is_before_meta() -> None:
    raw = (
        b'<?xml version="1.0" encoding="koi8-r"?><html><head><meta charset="windows-1251"></head><body>x</body></html>'
    )
    assert (
        declared_charset(Page(raw, headers={"content-type": "text/html; charset=utf-8"}), override_http=True)
        == "koi8-r"
    )


def test_every_scenario_of_table_4_is_reproduced() -> None:
    table = table_4()
    assert len(table.rows) == len(SCENARIOS) == 7
    for _, paper, ours, _ in table.rows:
        assert ours == paper


def test_table_5_equals_the_converter_output() -> None:
    assert all(paper == ours for _, paper, ours in table_5().rows)


def test_charsets_are_compared_with_the_truth() -> None:
    def classify(declared: str, encoding: str) -> str:
        tag = f'<meta charset="{declared}">' if declared else ""
        real = RealPage(Page(f"{tag}<p>{RUSSIAN}".encode(encoding)), "rus_Cyrl", "x", encoding)
        return chew_rates.classify_charset(real, chew_rates.find_encoding(real))

    assert classify("windows-1251", "windows-1251") == "right"
    assert classify("cp1251", "windows-1251") == "right"
    assert classify("utf-8", "windows-1251") == "wrong"
    assert classify("", "koi8-r") == "missing"
    assert classify("x-user-defined", "koi8-r") == "user-defined"


def test_references_are_letters_not_signs() -> None:
    references = RUSSIAN.encode("ascii", "xmlcharrefreplace")
    assert chew_rates.is_in_references(references)
    assert not chew_rates.is_in_references(RUSSIAN.encode() + references[:70])
    assert not chew_rates.is_in_references(b"&nbsp;&copy;&#8217;" * 50)


def test_encodings_without_a_model_occur() -> None:
    encodings = list_untrained_encodings(RUSSIAN, "rus_Cyrl")
    assert "cp855" in encodings and not set(encodings) & set(encode_in_all(RUSSIAN, "rus_Cyrl"))
    assert list_untrained_encodings("नमस्ते", "sat_Deva") == [UTF_16, UNKNOWN_FONT]
    always = Rates(untrained=(1.0, 1.0))
    pages = list(generate_pages("rus_Cyrl", [f"{RUSSIAN} {i}" for i in range(60)], 8, random.Random(1), always))
    assert {page.encoding for page in pages} <= set(encodings)
    model = Suzuki.fit({"rus_Cyrl": [RUSSIAN], "eng_Latn": ["plain words of the library"]})
    assert not {label.split("_", 2)[2] for label in model.labels} & set(encodings)


def test_an_unknown_font_is_no_language_to_a_model() -> None:
    page = generate_page("a", "hin_Deva", [HINDI] * 3, random.Random(1), UNKNOWN_FONT, "missing")
    model = Suzuki.fit({"hin_Deva": [HINDI], "eng_Latn": ["many languages are spoken"]})
    rates = model.score(page.raw)
    assert max(rates.values()) < 0.5
    again = generate_page("a", "hin_Deva", [HINDI] * 3, random.Random(1), UNKNOWN_FONT, "missing")
    assert page == again


def test_declaration_faults_follow_the_rates() -> None:
    lines = [f"{RUSSIAN} {i}" for i in range(60)]
    never = Rates(missing=(0, 0), wrong=(0, 0), references=0, untrained=(0, 0))
    always = Rates(missing=(1, 1), wrong=(0, 0), references=0, untrained=(0, 0))
    assert {page.charset for page in generate_pages("rus_Cyrl", lines, 20, random.Random(1), never)} <= {
        "right",
        "user-defined",
    }
    assert {page.charset for page in generate_pages("rus_Cyrl", lines, 20, random.Random(1), always)} == {"missing"}


def test_real_pages_are_taken_from_each_set_in_turn() -> None:
    real = [RealPage(Page(f"<p>{i}".encode()), "rus_Cyrl", source, "utf-8") for source in "ab" for i in range(5)]
    pages = choose_real_pages(real, 4)
    assert [page.source for page in pages] == ["a", "b", "a", "b"]
    assert describe_generated(pages, Rates()) == ""
    generated = [generate_page("a", "rus_Cyrl", [RUSSIAN], random.Random(1))]
    assert "1 of 5 pages" in describe_generated([*pages, *generated], Rates())


def test_a_model_is_one_passage() -> None:
    lines = [f"line {i:06}" for i in range(5000)]
    text = cut_passage(lines)
    assert len(text) == MAX_MODEL_CHARS and text in "\n".join(lines)
    assert cut_passage(lines[:3]) == "\n".join(lines[:3])
    assert len(join_corpora({"x": [text]}, {"x": [text]})["x"][0]) == MAX_MODEL_CHARS


@pytest.mark.parametrize(
    ("label", "encoding", "answer", "expected"),
    [
        ("hin_Deva", UNKNOWN_FONT, "eng_Latn", "in a font or encoding without a model"),
        ("hin_Deva", "x-font-krutidev", "eng_Latn", "in a font with a model"),
        ("hin_Deva", "utf-8", "nep_Deva", "another language of the script, both in ISO 639-1"),
        ("hin_Deva", "utf-8", "awa_Deva", "another language of the script, not both in ISO 639-1"),
        ("hin_Deva", "utf-8", "eng_Latn", "another script"),
    ],
)
def test_causes_of_errors(label: str, encoding: str, answer: str, expected: str) -> None:
    modelled = {("hin", "utf-8"), ("hin", "x-font-krutidev")}
    assert find_cause(ValidationPage("a", b"", label, encoding, "right", False), Answer(answer), modelled) == expected
    assert is_in_iso_639_1("hin_Deva") and not is_in_iso_639_1("awa_Deva")
