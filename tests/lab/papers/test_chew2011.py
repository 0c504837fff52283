"""Tests of chew2011: the switch of table 4, the rates by which pages are generated, and pages without a model."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest

from webtongue import Page
from webtongue.charset.codecs import encode
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.encoded_texts import encode_in_all
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers import chew_rates, common
from webtongue.lab.papers.character_parser import assume_encoding, declared_charset, extract_by_characters
from webtongue.lab.papers.chew2011 import worst_claim
from webtongue.lab.papers.chew_abugida import find_cause
from webtongue.lab.papers.chew_background import diversity_claim
from webtongue.lab.papers.chew_corpora import (
    MAX_MODEL_CHARS,
    Training,
    Validation,
    cut_passage,
    join_corpora,
    split_short,
)
from webtongue.lab.papers.chew_languages import fold_language, is_in_iso_639_1
from webtongue.lab.papers.chew_levels import extended_claims, length_tables, publisher_tables, select_published
from webtongue.lab.papers.chew_pages import choose_real_pages, describe_generated
from webtongue.lab.papers.chew_parsers import ParsedPages, parser_claims, repair_claim
from webtongue.lab.papers.chew_steps import Step, step_claim
from webtongue.lab.papers.chew_tables import SCENARIOS, table_4, table_5
from webtongue.lab.papers.real_pages import RealPage
from webtongue.lab.papers.synthetic_pages import (
    UNKNOWN_FONT,
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
    assert list_untrained_encodings("नमस्ते", "sat_Deva") == [UNKNOWN_FONT]
    assert list_untrained_encodings("plain words", "swa_Latn") == []  # and no page is in UTF-16, which no model has
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


ARMENIAN = "Բարի լույս, սիրելի ընկերներ, այսօր գրադարանը բաց է ամբողջ օրը"


@pytest.mark.parametrize(("encoding", "text"), [("armscii-8", ARMENIAN), ("viscii", "Tiếng Việt rất hay và rất khó")])
def test_the_character_parser_has_all_encodings_of_webtongue(encoding: str, text: str) -> None:
    raw = f'<meta charset="{encoding}"><p>'.encode() + (encode(text, encoding) or b"")
    assert extract_by_characters(raw) == encode(text, encoding)


def test_without_a_detector_a_page_is_read_as_utf_8() -> None:
    raw = f"<p>{RUSSIAN * 5}".encode("cp1251")
    assert assume_encoding(raw, detector=False) == "utf-8"
    assert set(extract_by_characters(raw, detector=False)) <= set(b"? ,.")
    assert "б".encode("cp1251") in extract_by_characters(raw)


def test_chinese_is_one_language() -> None:
    assert {fold_language(label) for label in ("cjy_Hans", "zho_Hant", "yue_Hant", "wuu_Hans")} == {"zho"}
    assert fold_language("nan_Latn") == "nan" and common.fold_language("yue_Hant") == "yue"


def test_the_share_of_utf_8_is_counted() -> None:
    pages = [
        ValidationPage("a", b"", "rus_Cyrl", encoding, "right", False)
        for encoding in ("utf-8", "utf-8", "utf-8", "koi8-r")
    ]
    assert "75% in UTF-8" in describe_generated(pages, Rates())


def test_short_texts_get_no_model() -> None:
    kept, short = split_short({"orm_Latn": ["Mana"], "swa_Latn": ["maneno " * 400]})
    assert list(kept) == ["swa_Latn"] and short == {"orm_Latn": 4}
    folder = {
        "udhr": {"orm_Latn": "Mana\n", "swa_Latn": "maneno ya watu\n" * 200},
        "news": {"orm_Latn": "Manni kitaabaa\n" * 200},
    }
    training = read_training(folder, {"orm_Latn", "swa_Latn"})
    assert list(training.a) == ["swa_Latn"] and training.short == {"orm_Latn": 4}
    assert list(training.other) == ["orm_Latn"]  # a stub does not keep other text out
    assert "orm_Latn" not in training.ab and "orm_Latn" in training.extended


def test_a_step_is_decided_by_a_test() -> None:
    def step(gained: int, lost: int) -> Step:
        before = [False] * gained + [True] * lost + [True] * 50
        after = [True] * gained + [False] * lost + [True] * 50
        return Step.count(before, after)

    assert step(12, 1).holds is True and step(1, 12).holds is False
    assert step(5, 0).holds is None and step(8, 6).holds is None
    assert step(2, 1).cells == (53, 100 * 51 / 53, 100 * 52 / 53, 2, 1, "1")
    assert Step.count([True, False], [True, True], [False, True]).pages == 1
    claim = step_claim("more", step(5, 0))
    assert claim.holds is None and "may be chance" in claim.why and "more pages lost than gained" in claim.refuted_by


def test_parsers_are_compared_on_pages_of_the_papers_kind() -> None:
    lines = [f"{RUSSIAN} {i}" for i in range(5)]
    pages = [generate_page(str(i), "rus_Cyrl", lines, random.Random(i), "windows-1251", "missing") for i in range(8)]
    model = Suzuki.fit({"rus_Cyrl": [RUSSIAN], "eng_Latn": ["home news contact blog forum login, all rights reserved"]})
    russian = ParsedPages.read(pages, model)
    assert russian.hits["byte"] == russian.hits["character"] == [True] * 8
    assert russian.hits["character, no detector"] == [False] * 8
    english = [
        generate_page(str(i), "eng_Latn", ["home news contact"], random.Random(i), "utf-8", "missing") for i in range(8)
    ]
    as_utf8, by_detector, latin_works = parser_claims(russian, ParsedPages.read(english, model))
    assert as_utf8.holds is True and by_detector.holds is None and latin_works.holds is True

    assert repair_claim(russian, [True] * 8).holds is True
    hits = {"character, no detector": [False, False, True], "byte": [True, False, False]}
    claim = repair_claim(ParsedPages(russian.validation, hits), [True, False, True])
    assert claim.holds is False and claim.figures.startswith("1 of 2")
    assert "in an encoding that has a model 1 of 1 are right, of the others 0 of 1" in claim.why


def test_the_worst_writing_system_needs_a_significant_difference() -> None:
    def outcome(abugida: int, others: int, total: int) -> bool | None:
        return worst_claim({"Abjad": (others, total), "Abugida": (abugida, total), "Alphabet": (total, total)}).holds

    assert outcome(50, 95, 100) is True and outcome(95, 50, 100) is False
    assert outcome(8, 9, 10) is None, "ten pages decide nothing"


def test_a_region_may_have_more_scripts_than_asia() -> None:
    assert diversity_claim({"Asia": (30, 40, 17), "Africa": (7, 16, 1), "Europe": (4, 24, 0)}).holds is True
    claim = diversity_claim({"Asia": (30, 20, 17), "Europe": (4, 24, 0)})
    assert claim.holds is False and "20 encodings, another region at most 24" in claim.figures


def test_pages_are_grouped_by_length_and_publisher() -> None:
    model = Suzuki.fit({"rus_Cyrl": [RUSSIAN], "eng_Latn": ["plain words"]})
    raws = [f"<p>{RUSSIAN * times}".encode() for times in (1, 6, 80)]
    pages = [
        ValidationPage(str(i), raw, "rus_Cyrl", "utf-8", "right", False, source)
        for i, (raw, source) in enumerate(zip(raws, ("debian_html", "fsfe_html", "homes3_html"), strict=True))
    ]
    validation = Validation(pages)
    grouped, cut = length_tables(validation, model, [False, True, True], [True] * 3)
    assert [row[1:3] for row in grouped.rows] == [(1, 0.0), (1, 100.0), (0, 0.0), (1, 100.0)]
    assert [row[1] for row in cut.rows] == [100.0] * 4
    hits = {"one": [True, True, True], "two": [False, True, True], "four": [True, True, True]}
    sets, steps = publisher_tables(validation, hits)
    assert "2 of 3 real pages are of two publishers" in sets.note
    assert steps.rows[1][1:] == (3, 100.0, 100 * 2 / 3, 0, 1, "1") and steps.rows[2][1] == 1
    answers = [Answer("tat_Cyrl"), Answer("rus_Cyrl"), Answer("rus_Cyrl")]
    claims = list(extended_claims(validation, hits, answers, {"tat_Cyrl": []}))
    assert [claim.holds for claim in claims] == [None, None] and claims[1].why.startswith("1 of the 1 lost pages go to")
    training = Training({"rus_Cyrl": [RUSSIAN]}, {}, {}, {}, {})
    assert select_published(validation, training) == [True] * 3


def read_training(sources: dict[str, dict[str, str]], wanted: set[str]) -> Training:
    """Return the training text of a folder with these files."""
    with tempfile.TemporaryDirectory() as name:
        for source, texts in sources.items():
            for label, text in texts.items():
                path = Path(name, source, f"{label}.txt")
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8")
        return Training.read(Path(name), wanted)
