"""Reading text with the shipped model: settings, special answers, segments."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from webtongue import Identifier, ModelError, UsageError, _kernel

UNIFORM = Identifier(priors="uniform")
WEB = Identifier()
ENGLISH = "The library opens at nine in the morning and closes at six in the evening, except on Sundays."
FRENCH = "La bibliothèque ouvre à neuf heures du matin et ferme à dix-huit heures, sauf le dimanche."
SENTENCES = {
    "eng_Latn": ENGLISH,
    "fra_Latn": FRENCH,
    "deu_Latn": "Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags.",
    "spa_Latn": "La biblioteca abre a las nueve de la mañana y cierra a las seis de la tarde, salvo los domingos.",
    "rus_Cyrl": "Библиотека открывается в девять часов утра и закрывается в шесть вечера, кроме воскресенья.",
    "ukr_Cyrl": "Бібліотека відчиняється о дев'ятій ранку і зачиняється о шостій вечора, крім неділі.",
    "tur_Latn": "Kütüphane sabah dokuzda açılır ve pazar günleri dışında akşam altıda kapanır.",
    "jpn_Jpan": "図書館は日曜日を除いて朝九時に開き、夕方六時に閉まります。",
    "zho_Hans": "图书馆早上九点开门，晚上六点关门，星期天除外。",
    "zho_Hant": "圖書館早上九點開門，晚上六點關門，星期天除外。",
    "kor_Hang": "도서관은 일요일을 제외하고 아침 아홉 시에 열고 저녁 여섯 시에 닫습니다.",
    "ara_Arab": "تفتح المكتبة أبوابها في الساعة التاسعة صباحا وتغلق في السادسة مساء ما عدا يوم الأحد.",
    "hin_Deva": "पुस्तकालय रविवार को छोड़कर सुबह नौ बजे खुलता है और शाम छह बजे बंद हो जाता है।",
    "ell_Grek": "Η βιβλιοθήκη ανοίγει στις εννέα το πρωί και κλείνει στις έξι το απόγευμα, εκτός Κυριακής.",
    "vie_Latn": "Thư viện mở cửa lúc chín giờ sáng và đóng cửa lúc sáu giờ chiều, trừ chủ nhật.",
    "fin_Latn": "Kirjasto aukeaa aamulla yhdeksältä ja sulkeutuu illalla kuudelta, paitsi sunnuntaisin.",
    "swa_Latn": "Maktaba hufunguliwa saa tatu asubuhi na kufungwa saa kumi na mbili jioni, isipokuwa Jumapili.",
}


@pytest.mark.parametrize("label", SENTENCES)
def test_sentences_are_identified(label: str) -> None:
    for ident in (WEB, UNIFORM):
        v = ident.identify_text(SENTENCES[label])
        assert v.label == label, v.guesses
        assert v.guesses[0].label == label
        assert ident.classify(SENTENCES[label]) == label
    assert WEB.identify_text(SENTENCES[label]).reliable
    assert v.tier in (1, 2, 3)


MANY_TEXTS = [
    *SENTENCES.values(), "", "123", "x", "\ud800 abc", "CafÃ© crÃ¨me, sâ\x80\x99il vous plaÃ®t", '{"title": "Guten Morgen"}',
    *(f"{first} {second}" * 4 for first in SENTENCES.values() for second in SENTENCES.values()),
]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2, None])
def test_many_texts_have_the_answers_of_each(threads: int | None) -> None:
    labels, sure = WEB.classify_many(MANY_TEXTS, threads)
    assert labels == [WEB.classify(text) for text in MANY_TEXTS]
    assert all(0 <= p <= 1 for p in sure)
    verdicts, expected = WEB.identify_texts(MANY_TEXTS, threads), [WEB.identify_text(text) for text in MANY_TEXTS]
    assert verdicts == expected
    assert [v.segments for v in verdicts] == [v.segments for v in expected]
    assert len(MANY_TEXTS) > 256  # more than one chunk


def test_many_texts_are_a_list_of_str() -> None:
    assert WEB.identify_texts([]) == []
    assert WEB.classify_many([]) == ([], [])
    for call in (WEB.identify_texts, WEB.classify_many):
        with pytest.raises(TypeError, match="a text is str, not bytes"):
            call([b"Guten Tag"])  # type: ignore[list-item]
        with pytest.raises(TypeError, match="one goes to identify_text"):
            call("Guten Tag")
        for missing in (None, float("nan"), pd.NA):
            with pytest.raises(
                TypeError, match=r"item 1 is missing .*: leave it out, or pass a table to .*arrow.identify_texts"
            ):
                call(pd.Series(["Guten Tag", missing], dtype=object))
        for table in (pd.DataFrame({"text": ["Guten Tag"]}), pa.table({"text": ["Guten Tag"]}), {"text": "Guten Tag"}):
            with pytest.raises(TypeError, match=r"takes a list of texts, not a .*: pass one of its columns"):
                call(table)
        with pytest.raises(TypeError, match="an iterator of texts, not NoneType"):
            call(None)  # type: ignore[arg-type]


def test_many_texts_may_be_a_series_or_an_arrow_array() -> None:
    texts = ["Guten Tag, wie geht es Ihnen?", "Hvar er bókasafnið?"]
    for column in (pd.Series(texts), pa.array(texts), pa.chunked_array([texts]), np.array(texts), iter(texts)):
        assert [verdict.language for verdict in WEB.identify_texts(column)] == ["de", "is"]
    with pytest.raises(TypeError, match="item 1 is missing"):
        WEB.identify_texts(pa.array(["Guten Tag", None]))


def test_an_allowlist_restricts_answers() -> None:
    scandinavian = Identifier(languages=["da", "nb", "sv", "nno_Latn"])
    assert scandinavian.identify_text(ENGLISH).label in (
        "dan_Latn",
        "nob_Latn",
        "nor_Latn",
        "swe_Latn",
        "nno_Latn",
        "und",
    )
    assert Identifier(languages=["fr"]).identify_text(FRENCH).label == "fra_Latn"
    assert Identifier(languages=["el"]).classify(ENGLISH) == "und"
    with pytest.raises(UsageError, match="not a language"):
        Identifier(languages=["klingonish"])
    with pytest.raises(UsageError, match="at least one"):
        Identifier(languages=[])
    with pytest.raises(TypeError, match="list"):
        Identifier(languages="en")


def test_priors_change_answers() -> None:
    assert Identifier(priors={"en": 1.0, "fr": 1.0}).identify_text(ENGLISH).label == "eng_Latn"
    nan, inf = float("nan"), float("inf")
    for bad in ("often", {}, {"en": -1.0}, {"en": nan}, {"en": inf}, {"en": "x"}, {"en": True}):
        with pytest.raises(UsageError, match="prior"):
            Identifier(priors=bad)  # type: ignore[arg-type]
    for name in ("mul", "und", "zxx", None, 3, "klingonish"):
        with pytest.raises(UsageError, match="not a language"):
            Identifier(priors={name: 1.0})  # type: ignore[dict-item]
        with pytest.raises(UsageError, match="not a language"):
            Identifier(languages=[name])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", "mul"),
        ("<title>Heures d'ouverture de la bibliothèque municipale</title>", "fra_Latn"),
        ("<title>The opening hours of the public library</title>", "eng_Latn"),
        ("<html lang=fr>", "fra_Latn"),
        ("<html lang=en-GB>", "eng_Latn"),
        (
            "<html lang=fr><title>The opening hours of the public library</title>",
            "fra_Latn",
        ),  # few declare French falsely
        ("<html lang=en><title>Heures d'ouverture de la bibliothèque municipale</title>", "fra_Latn"),  # many English
        ("<html lang=de>", "mul"),
    ],
)
def test_title_and_declaration_decide_between_equal_languages(head: str, expected: str) -> None:
    english = "".join(f"<p>{ENGLISH} We look forward to your visit number {n}.</p>" for n in range(8))
    french = "".join(f"<p>{FRENCH} Nous attendons votre visite numéro {n} avec joie.</p>" for n in range(8))
    v = webtongue.identify(f"<!doctype html>{head}{english}{french}".encode())
    assert v.label == expected
    assert v.label == "mul" or v.label == v.guesses[0].label
    assert {label for label, _ in v.languages} == {"eng_Latn", "fra_Latn"}


def test_a_page_is_in_the_language_of_most_of_its_text() -> None:
    menu = "".join(f"<li><a href=/{n}>{word}</a>" for n, word in enumerate(("Home", "Products", "About us", "Contact")))
    german = (
        "<p>Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags und an Feiertagen.</p>"
        "<p>Wer ein Buch länger behalten möchte, kann die Frist am Schalter oder im Netz um zwei Wochen verlängern.</p>"
        "<p>Für Kinder gibt es jeden Mittwoch eine Vorlesestunde, zu der auch die Eltern herzlich eingeladen sind.</p>"
    )
    quoted = f"<blockquote>{ENGLISH}</blockquote>"
    for page in (
        f"<ul>{menu}</ul>{german}",
        german + quoted,
        quoted + german,
        f"<pre>x = 1; y = 2</pre>{german}{quoted}",
    ):
        assert webtongue.identify(f"<!doctype html>{page}".encode()).label == "deu_Latn"


def test_invalid_models_are_refused(tmp_path: object) -> None:
    with pytest.raises(ModelError):
        Identifier(model="no/such/model.wtm")
    with pytest.raises(ModelError):
        Identifier(model=__file__)


def test_identifiers_pickle_by_their_settings() -> None:
    ident = pickle.loads(pickle.dumps(Identifier(priors="uniform", languages=["en", "fr"])))
    assert ident == Identifier(priors="uniform", languages=["en", "fr"])
    assert ident.identify_text(FRENCH).label == "fra_Latn"


@pytest.mark.parametrize("text", ["", "   ", "12 34", "?!", "☺", "\ud800"])
def test_text_without_letters_is_und(text: str) -> None:
    v = WEB.identify_text(text)
    assert v.label in ("und", "zxx")
    assert v.reason


@pytest.mark.parametrize(
    "text", ["\ua4f2\ua4f3 \ua4eb\ua4f5 \ua4d3\ua4df", "\U00016b16\U00016b1d \U00016b04\U00016b1f"]
)
def test_the_script_of_unknown_text_is_answered(text: str) -> None:
    script = _kernel.script_names()[_kernel.script_of(ord(text[0]))]
    for v in (WEB.identify_text(text), WEB.identify(text.encode())):
        assert (v.label, v.script) == ("und", script)
        assert v.reason == "unknown_script"
        assert script in v.why


def test_code_is_not_language() -> None:
    code = (
        "for (int i = 0; i < n; ++i) { if (a[i] != b[i]) return false; }\nstatic void f(void) { x->y = g(&z); }\n" * 3
    )
    v = WEB.identify_text(code)
    assert v.label == "zxx"
    assert v.reason


def test_two_languages_on_a_page() -> None:
    english = "".join(f"<p>{ENGLISH} We look forward to your visit number {n}.</p>" for n in range(8))
    french = "".join(f"<p>{FRENCH} Nous attendons votre visite numéro {n} avec joie.</p>" for n in range(8))
    v = webtongue.identify(f"<!doctype html>{english}{french}".encode())
    assert (v.label, v.reason) == ("mul", "two_languages")
    assert "eng_Latn" in v.why
    assert "fra_Latn" in v.why
    assert {label for label, _ in v.languages} == {"eng_Latn", "fra_Latn"}
    assert [s.label for s in v.segments] == ["eng_Latn", "fra_Latn"]
    assert sum(s.share for s in v.segments) == pytest.approx(1)
    assert v.segments[0].end <= v.segments[1].begin + 1


def test_repeated_lines_count_once() -> None:
    page = (
        "<li>Skip to the English version of this page</li>" * 200 + f"<p>{FRENCH}</p>" + f"<p>{FRENCH[::1]} Merci.</p>"
    )
    assert webtongue.identify(page.encode()).label == "fra_Latn"


@settings(max_examples=300)
@given(text=st.text(max_size=300))
def test_any_text_gives_a_verdict(text: str) -> None:
    v = WEB.identify_text(text)
    assert 0 <= v.confidence <= 1
    assert v.reason or v.label not in ("und", "zxx", "mul")
    total = sum(g.probability for g in v.guesses)
    assert total <= 1.02  # fixed-point tables round
    v.to_json().encode()


BHOJPURI = (
    "हमनी के गाँव में एगो पुरान इस्कूल बा, जहाँ लइका लोग रोज पढ़े जाला।",
    "ओहिजा के मास्टर साहेब बहुत नीमन आदमी बाड़न आ सभे उनकर बात मानेला।",
    "बरखा के दिन में रास्ता में पानी भर जाला, त लोग नाव से आवत-जात रहेला।",
    "हमार बाबूजी कहत रहलन कि पहिले इहाँ एगो बड़का बगइचा रहे।",
    "अब त ओह में खाली दू गो आम के पेड़ बाचल बा।",
    "मेला के दिन सब लोग नया कपड़ा पहिर के निकलेला आ जिलेबी खाला।",
    "ई बात सभका मालूम बा कि माई के हाथ के खाना सबसे नीमन होला।",
    "काल्ह साँझ के हमनी के नदी किनारे घूमे गइल रहनी जा।",
)


def test_the_first_pass_does_not_hide_rare_languages() -> None:
    """Hindi is far likelier on the web, and a few n-grams of each line would leave it at that."""
    page = "".join(f"<p>{line}</p>" for line in BHOJPURI)
    assert webtongue.identify_text("\n".join(BHOJPURI)).label == "bho_Deva"
    assert webtongue.identify(f"<html><body>{page}</body></html>".encode()).label == "bho_Deva"


@pytest.mark.parametrize("blank", ["\n", "\t", "\r\n", " ", "\xa0", "\0", "\u3000"])
def test_blanks_around_sentences_do_not_change_the_shares_of_languages(blank: str) -> None:
    english = "The bus to the harbour leaves every twenty minutes. Please close the door when you leave the workshop."
    german = "Bitte schließen Sie die Tür, wenn Sie die Werkstatt verlassen."
    expected = [(segment.label, segment.share) for segment in webtongue.identify_text(f"{english} {german}").segments]
    assert [label for label, _ in expected] == ["eng_Latn", "deu_Latn"]
    for text in (f"{english} {german}{blank * 200}", f"{blank * 200}{english} {german}"):
        verdict = webtongue.identify_text(text)
        assert [(segment.label, segment.share) for segment in verdict.segments] == expected
        assert webtongue.classify(text) == verdict.label == "eng_Latn"
