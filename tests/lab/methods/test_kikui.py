"""Kikui's algorithm by the worked example of section 4, its tables 1 to 3 and figure 1."""

from __future__ import annotations

import numpy as np
import pytest

from webtongue import Page
from webtongue.lab import methods
from webtongue.lab.methods.east_asian import CODINGS, match_escapes, match_pattern, match_text
from webtongue.lab.methods.kikui import Kikui, KikuiSettings, get_word_class, split_words

CODES = bytes.fromhex(
    "b8c0b8ecbcb1cacca4cecafdcba10a4964656e74696679696e6720746865204c616e67756167650a"  # section 4
)
TABLE_2 = {  # by coding and label: the log probabilities printed, and what the two elided must add up to
    "euc-gb": ("zho_Hans", (-11.05, -11.15, -8.47, -11.45, -15.51), -11.06),
    "euc-ks": ("kor_Hang", (-15.51, -15.51, -7.69, -15.51, -15.51), -14.39),
    "euc-jis": ("jpn_Jpan", (-7.25, -7.86, -8.68, -7.71, -3.40), -6.9),
    "big5": ("zho_Hant", (-12.62, -10.86, -12.42, -15.51, -7.50), -12.64),
}
TABLE_3 = {"eng_Latn": (-7.45, -3.11, -7.20), "deu_Latn": (-10.80, -9.40, -10.80), "ita_Latn": (-10.80, -7.21, -10.80)}


def decoded(coding: str) -> str:
    return match_pattern(CODES, next(c for c in CODINGS if c.name == coding)).text


def example() -> Kikui:
    """The models of tables 2 and 3."""
    labels = sorted({label for label, _, _ in TABLE_2.values()} | set(TABLE_3))
    characters = sorted(set("".join(decoded(coding) for coding in TABLE_2)))
    asian = np.full((len(labels), len(characters)), -15.51, np.float32)
    for coding, (label, logs, average) in TABLE_2.items():
        text = decoded(coding)
        elided = (average * 7 - sum(logs)) / 2
        for character, value in zip(text, (*logs, elided, elided), strict=True):
            asian[labels.index(label), characters.index(character)] = value
    classes = ("X-ying", "the", "X-uage")
    european = np.full((len(labels), len(classes)), -10.80, np.float32)
    for label, values in TABLE_3.items():
        european[labels.index(label)] = values
    return Kikui(KikuiSettings(utf8=False), tuple(labels), classes, tuple(characters), european, asian)


def test_every_pattern_of_table_1_extracts_the_same_fourteen_bytes() -> None:
    for coding in CODINGS[:4]:
        matched = match_pattern(CODES, coding)
        assert len(matched.text) == 7
        assert matched.rest.split() == [b"Identifying", b"the", b"Language"]
    assert decoded("euc-jis") == "言語識別の方法"  # figure 2


def test_worked_example() -> None:
    model = example()
    for coding, (label, _, average) in TABLE_2.items():
        strings = match_pattern(CODES, next(c for c in CODINGS if c.name == coding))
        assert model.likeliest(strings)[1] == label
        assert model.likeliest(strings)[0] == pytest.approx(average, abs=0.01)
    parts = model.parts(CODES)
    assert parts.asian is not None and parts.european is not None
    assert (parts.asian.label, parts.asian.encoding) == ("jpn_Jpan", "euc-jis")
    assert parts.asian.score == pytest.approx(-6.9, abs=0.01)
    assert parts.european.label == "eng_Latn"
    scores = model.score(CODES)
    assert [round(scores[label], 1) for label in TABLE_3] == [-5.9, -10.3, -9.6]
    answer = model.answer(CODES)
    assert (answer.label, answer.alternatives) == ("eng_Latn", ("jpn_Jpan",))  # 22 letters against 14 bytes


def test_word_classes() -> None:
    assert [get_word_class(word, 4) for word in split_words("Identifying the Language")] == ["X-ying", "the", "X-uage"]
    assert get_word_class("beautiful", 4) == "X-iful"


def test_probabilities_are_shares_with_a_floor() -> None:
    model = Kikui.fit({"eng_Latn": ["the cat the dog"], "zho_Hans": ["中文中"]})
    english = dict(zip(model.classes, model.european[model.labels.index("eng_Latn")], strict=True))
    assert english["the"] == pytest.approx(np.log(0.5))
    chinese = dict(zip(model.characters, model.asian[model.labels.index("zho_Hans")], strict=True))
    assert chinese["中"] == pytest.approx(np.log(2 / 3))
    assert model.score("the bird")["eng_Latn"] == pytest.approx((np.log(0.5) - 10.80) / 2)
    assert model.score("文国")["zho_Hans"] == pytest.approx((np.log(1 / 3) - 15.51) / 2)


TEXTS = {
    "eng_Latn": ["the house is on the hill and we are going there to see it"],
    "deu_Latn": ["das Haus steht auf dem Hügel und wir gehen dorthin, um es schön zu sehen"],
    "jpn_Jpan": ["この家は丘の上にあります。私たちはそこへ見に行きます。"],
    "zho_Hans": ["这座房子在山上，我们去那里看看。"],
    "zho_Hant": ["這座房子在山上，我們去那裡看看。"],
    "kor_Hang": ["이 집은 언덕 위에 있고 우리는 그것을 보러 갑니다"],
}


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("jpn_Jpan", "euc_jp"), ("jpn_Jpan", "shift_jis"), ("jpn_Jpan", "iso2022_jp"), ("zho_Hans", "gb2312"),
        ("zho_Hans", "hz"), ("zho_Hant", "big5"), ("kor_Hang", "euc_kr"), ("kor_Hang", "iso2022_kr"),
        ("eng_Latn", "ascii"), ("deu_Latn", "latin-1"), ("jpn_Jpan", "utf-8"), ("deu_Latn", "utf-8"),
    ],
)  # fmt: skip
def test_coding_systems(label: str, codec: str) -> None:
    model = Kikui.fit(TEXTS)
    assert model.answer(TEXTS[label][0].encode(codec)).label == label


def test_entity_references_are_letters() -> None:
    model = Kikui.fit(TEXTS)
    page = Page(b"<p>sch&ouml;n sehen auf dem H&uuml;gel")
    assert model.score(page) == model.score("schön sehen auf dem Hügel")


def test_tags_are_cut_after_escapes() -> None:
    text = "주어 소재 사무실"  # seven-bit bytes of these look like tags
    raw = text.encode("iso2022_kr")
    assert b"<" in raw
    model = Kikui.fit(TEXTS)
    parts = model.parts(Page(b"<p>the house<p>" + raw + b"\x0f<p>on the hill"))
    assert parts.asian_size == 2 * len(text.replace(" ", ""))
    assert parts.european is not None and parts.european.label == "eng_Latn"


def test_iso_2022_int_calls_in_several_sets() -> None:
    raw = b"see \x1b$B" + bytes(b & 0x7F for b in "日本".encode("euc_jp")) + b"\x1b(B and \x1b$(C"
    raw += bytes(b & 0x7F for b in "한국대".encode("euc_kr")) + b"\x1b(B end"
    matched = match_escapes(raw)
    assert matched is not None
    assert (
        matched.text == "日本한국대"
        and matched.encodings == ("euc-kr",)
        and matched.rest.split() == [b"see", b"and", b"end"]
    )


def test_accented_letters_in_a_row_are_not_east_asian() -> None:
    model = Kikui.fit({**TEXTS, "fra_Latn": ["une épée créée pour les fées, la mêlée"]})
    assert model.answer("une épée créée pour les fées".encode("latin-1")).label == "fra_Latn"


@pytest.mark.parametrize(
    ("raw", "coding"),
    [
        (b"the house is on the hill", "ascii"),
        (b"<p>das Haus auf dem H&uuml;gel", "ascii"),
        ("das Haus auf dem Hügel".encode("latin-1"), "iso-8859-1"),
        ("das Haus auf dem Hügel".encode(), "utf-8"),
        ("<p>das Haus auf dem Hügel".encode("utf-16"), "utf-16le"),
        (b"the house on the hill \x1b$B" + bytes(b & 0x7F for b in "家".encode("euc_jp")) + b"\x1b(B", "ascii"),
    ],
)
def test_the_european_part_has_a_coding_system(raw: bytes, coding: str) -> None:
    for document in (raw, Page(raw)):
        european = Kikui.fit(TEXTS).parts(document).european
        assert european is not None and european.label != "und" and european.encoding == coding


@pytest.mark.parametrize(
    "text", ["この家は丘 the house is on the hill and we are going", "この家は丘の上にあります。 the house", "xqzt 家"]
)
def test_scores_are_those_of_the_part_that_is_answered(text: str) -> None:
    model = Kikui.fit(TEXTS)
    parts, answer, scores = model.parts(text), model.answer(text), model.score(text)
    assert answer.label == max(scores, key=scores.__getitem__) and answer.score == scores[answer.label]
    chosen, other = (parts.asian_scores, parts.european_scores)[:: 1 if answer.label == "jpn_Jpan" else -1]
    assert {label: scores[label] for label in chosen} == chosen
    assert {scores[label] for label in other} == {-15.51}


def test_below_the_threshold_is_else() -> None:
    model = Kikui.fit(TEXTS)
    parts = model.parts(b"xqzt wvbn kjhg 12.5")
    assert parts.asian is None and parts.european is not None
    assert parts.european.label == "und" and parts.european.reason


CHINESE = "这座房子在山上，我们去那里看看。"
TAIWANESE = "這座房子在山上，我們去那裡看看。"
JAPANESE = "この家は丘の上にあります。私たちはそこへ見に行きます。"
KOREAN = "이 집은 언덕 위에 있고 우리는 그것을 보러 갑니다"
# A few characters of a neighbour do not make a text its own.
MIXED = [
    ("zho_Hans", CHINESE + "の"),
    ("zho_Hans", "の" + CHINESE),
    ("zho_Hans", CHINESE.replace("房子", "「房子」") + "カ"),
    ("zho_Hans", CHINESE + "한"),
    ("zho_Hans", CHINESE + "한국の"),
    ("zho_Hans", "“" + CHINESE + "”——" + CHINESE + "…"),
    ("zho_Hans", CHINESE + " the house の"),
    ("zho_Hant", TAIWANESE + "の"),
    ("zho_Hant", TAIWANESE + "ㄅ한"),
    ("jpn_Jpan", JAPANESE + "한"),
    ("jpn_Jpan", JAPANESE + "们"),
    ("jpn_Jpan", "私達家上丘見行。"),
    ("kor_Hang", KOREAN + "の家"),
    ("kor_Hang", KOREAN + " 房子"),
]
UNITED = {  # forms in which Unicode comes
    "str": lambda text: text,
    "utf-8": lambda text: text.encode(),
    "utf-8 with mark": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "page": lambda text: Page(f"<html><body><p>{text}</p>".encode()),
    "page in utf-16": lambda text: Page(f"<html><body><p>{text}</p>".encode("utf-16")),
    "references": lambda text: Page(b"<p>" + text.encode("ascii", "xmlcharrefreplace")),
}
LEGACY = {"zho_Hans": "gb2312", "zho_Hant": "big5", "jpn_Jpan": "euc_jp", "kor_Hang": "euc_kr"}


@pytest.mark.parametrize("form", UNITED)
@pytest.mark.parametrize(("label", "text"), MIXED)
def test_unicode_is_judged_by_likelihood(label: str, text: str, form: str) -> None:
    assert Kikui.fit(TEXTS).answer(UNITED[form](text)).label == label


@pytest.mark.parametrize(("label", "text"), MIXED)
def test_unicode_and_the_old_coding_agree(label: str, text: str) -> None:
    raw = text.encode(LEGACY[label], "ignore")
    held = raw.decode(LEGACY[label])
    model = Kikui.fit(TEXTS)
    old, new = model.parts(raw).asian, model.parts(held).asian
    assert old is not None and new is not None
    assert old.label == new.label == label
    assert old.score == pytest.approx(new.score)


def test_the_shipped_model_too() -> None:
    model = methods.ready("kikui")
    text = "我们今天在图书馆里学习中文，明天去看一部关于の的电影，因为很多人都说这个很有意思。"
    assert [model.answer(form).label for form in (text, text.encode(), text.encode("gbk"))] == ["zho_Hans"] * 3


def test_all_languages_are_compared() -> None:
    model = Kikui.fit(TEXTS)
    scores = model.score(CHINESE + "の")
    floor = min(model.settings.unseen_class, model.settings.unseen_character)
    assert scores["zho_Hans"] > scores["zho_Hant"] > scores["jpn_Jpan"] > floor


def test_a_sign_of_both_worlds_stays_with_its_neighbours() -> None:
    matched = match_text("“Hello” … “中文”…… — end —")
    assert matched is not None and matched.text == "“中文”……"
    assert match_text("“Hello” — 3 × 4 …") is None
    assert match_text("…" * 200_000) is None  # and without trying every start


def test_references_join_the_characters_of_a_coding() -> None:
    model = Kikui.fit(TEXTS)
    raw = CHINESE.encode("gb2312") + b" &#23478; the house"
    parts = model.parts(raw)
    assert parts.asian_size == 2 * (len(CHINESE) + 1)
    assert parts.european is not None and parts.european.label == "eng_Latn"


def test_characters_are_kept_apart_from_classes() -> None:
    model = Kikui.fit(TEXTS, KikuiSettings(classes=5))
    assert len(model.classes) == 10 and len(model.characters) > 50
    assert len(Kikui.fit(TEXTS, KikuiSettings(characters=5)).characters) <= 20
