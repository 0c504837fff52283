"""Encoding detection without or with wrong declarations: the text of the example pages in all encodings that hold it."""

from __future__ import annotations

import random
import unicodedata
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from tests.cases import PAGES, rows
from webtongue import Page, markup
from webtongue.charset import detection
from webtongue.charset.arabic_forms import to_letters
from webtongue.charset.codecs import encode
from webtongue.charset.detection import byte_model
from webtongue.charset.languages import encoding_languages

READER = webtongue.Identifier().reader
MIN_ACCURACY = 0.97  # share of texts of 150 characters and more that must be right, over all encodings alike
EXACT = ("windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "koi8-r",
         "windows-874", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr")  # fmt: skip


def texts() -> list[tuple[str, str]]:
    """Return label and visible text of the example pages."""
    out = []
    for row in rows(PAGES / "index.jsonl"):
        page = Page((PAGES / row["file"]).read_bytes(), row.get("url"), row.get("headers") or {})
        if row["label"] not in ("und", "zxx", "mul"):
            out.append(
                (row["label"], unicodedata.normalize("NFC", detection.decode_page(markup.read(page), READER)[0].text))
            )
    return out


def same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", to_letters(one)) == other


def test_every_encoding_on_example_texts() -> None:
    hits: dict[str, list[bool]] = defaultdict(list)
    for label, text in texts():
        for name in byte_model.load().classes:
            if label[:3] not in encoding_languages()[name] and label not in encoding_languages()[name]:
                continue
            raw = encode(text, name)
            if raw is not None and not raw.isascii():
                hits[name].append(same(webtongue.decode(raw).text, text))
    assert len(hits) >= 60
    rates = {name: sum(results) / len(results) for name, results in hits.items()}
    assert sum(rates.values()) / len(rates) >= MIN_ACCURACY, sorted(rates.items(), key=lambda item: item[1])[:10]
    assert all(rates.get(name, 1) == 1 for name in EXACT), {
        name: rates[name] for name in EXACT if rates.get(name, 1) < 1
    }


RUSSIAN = "Библиотека открыта каждый день, кроме воскресенья: с девяти утра до шести вечера."
CZECH = "Knihovna je otevřena každý den kromě neděle, od devíti ráno do šesti večer."


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("iso-8859-1", "koi8-r"),
        ("windows-1251", "koi8-r"),
        ("utf-8", "koi8-r"),
        ("koi8-r", "koi8-r"),
        ("shift_jis", "koi8-r"),
    ],
)
def test_wrong_declarations_are_overruled(declared: str, expected: str) -> None:
    raw = f"<meta charset={declared}><p>{RUSSIAN}".encode("koi8-r")
    v = webtongue.identify(raw)
    assert (v.encoding, v.label) == (expected, "rus_Cyrl")
    assert v.encoding_agrees is (declared == expected)


def test_declaration_decides_if_bytes_do_not() -> None:
    """A single letter exists in the encodings of two languages."""
    assert webtongue.identify(b"<meta charset=windows-1254><p>\xfe").encoding == "windows-1254"
    assert webtongue.identify(b"<meta charset=windows-1257><p>\xfe").encoding == "windows-1257"


def test_declared_encodings_outside_the_model_are_accepted() -> None:
    raw = b'<meta charset="x-user-defined"><p>' + "Grüße".encode("hp-roman8")
    assert webtongue.identify(raw, headers={"content-type": "text/html; charset=hp-roman8"}).encoding in (
        "hp-roman8",
        "windows-1252",
    )


def test_johab_letters_that_look_like_tags() -> None:
    text = (
        "<p>"
        + "옛날 옛적에 호랑이가 담배를 피우던 시절 이야기입니다. 얘기를 들려 드리겠습니다. 쌓인 눈 위로 걸었다." * 2
    )
    raw = text.encode("johab")
    for page in (raw, b"<meta charset=johab>" + raw):
        v = webtongue.identify(page)
        assert (v.encoding, v.label) == ("johab", "kor_Hang")
    assert webtongue.decode(raw).text == text


def test_damaged_utf8_is_utf8() -> None:
    raw = CZECH.encode() * 3
    for damaged in (raw[:-1] + b"\xc5", raw[:50] + b"\xff" + raw[50:], raw[1:]):
        v = webtongue.identify(damaged)
        assert (v.encoding, v.label) == ("utf-8", "ces_Latn")


PLACES = {
    "the station": "opens at dawn", "the old bridge": "is closed for repairs", "our garden": "needs rain in the spring",
    "the museum": "shows maps and coins", "a small harbour": "lies below the town", "the market": "sells bread and cheese",
}  # fmt: skip
LONG = " ".join(f"Number {n}: {a} {b}, as far as we know." for n in range(40) for a, b in PLACES.items())


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman", "cp850", "cp1250", "cp1257"])
@pytest.mark.parametrize("sign", [" – ", " “quite” ", " 20 °C ", " café ", " 2½ ", " £5 "])
def test_one_byte_decides_in_a_long_text(codec: str, sign: str) -> None:
    text = LONG[:4000] + sign + LONG[4000:]
    try:
        raw = text.encode(codec)
    except UnicodeEncodeError:
        pytest.skip("the encoding has no such sign")
    assert webtongue.decode(raw).text == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Вечером мы пошли к реке.", "latin-1"),
        ("Η πόλη είναι μεγάλη και όμορφη.", "latin-1"),
        ("Žluťoučký kůň a švec", "latin-1"),
    ],
)
def test_control_codes_of_doubly_encoded_text(text: str, wrong: str) -> None:
    assert webtongue.decode(text.encode().decode(wrong).encode()).repaired == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "Река за городом была широкой",
        "நூலகம் காலை திறக்கும்",
        "ספרייה פתוחה בבוקר",
        "図書館はHTMLの本を貸す",
        "पुस्तकालय सुबह खुलता है",
    ],
)
def test_short_wide_text_of_other_scripts(codec: str, text: str) -> None:
    assert webtongue.decode(text.encode(codec)).text == text


def test_half_of_the_sequences_may_be_broken() -> None:
    """No legacy encoding has as many well-formed sequences as ill-formed ones."""
    raw = "पुस्तकालय हर दिन खुला रहता है".encode()
    for cut in (1, 2):
        assert webtongue.decode(raw[cut:]).encoding == "utf-8"
    assert webtongue.decode(raw.replace("न".encode(), b"\xa8")).encoding == "utf-8"


def test_east_asian_text_with_english_is_divided() -> None:
    """Both parts are identified separately, as Kikui 1996 does."""
    japanese = "図書館は毎日午前九時から午後六時まで開いています。日曜日は休みです。" * 4
    english = "The library is open every day from nine to six, except on Sundays and public holidays. " * 4
    v = webtongue.identify(f"<p>{japanese}<p>{english}".encode("euc_jp"))
    assert v.encoding == "euc-jp"
    assert {s.label for s in v.segments} == {"jpn_Jpan", "eng_Latn"}


@pytest.mark.parametrize(
    ("text", "codec"),
    [("Das Café im Süden öffnet früh; die Gäste müssen über die Brücke.", "cp1252"), (RUSSIAN, "cp1251")],
)
def test_doubly_encoded_text_is_repaired(text: str, codec: str) -> None:
    raw = text.encode().decode(codec, "replace").encode()
    v = webtongue.identify(raw)
    assert v.label in ("deu_Latn", "rus_Cyrl")
    assert any("repaired" in e.value for e in v.evidence)
    decoded = webtongue.decode(raw)
    assert decoded.encoding == "utf-8"
    assert decoded.repaired.startswith(text[:20])
    assert webtongue.decode(text.encode()).repaired == ""


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text", [RUSSIAN, CZECH, "图书馆早上九点开门，晚上六点关门。星期天休息。", "도서관은 매일 아홉 시에 문을 엽니다."]
)
def test_wide_text_without_byte_order_mark(codec: str, text: str) -> None:
    assert webtongue.decode(text.encode(codec)).text == text


def test_detect_has_chardets_shape() -> None:
    result = webtongue.detect(RUSSIAN.encode("cp1251"))
    assert (result["encoding"], result["language"]) == ("windows-1251", "ru")
    assert 0.9 < result["confidence"] < 1
    assert webtongue.detect(b"\x89PNG\r\n\x1a\n") == {"encoding": None, "confidence": 0.0, "language": ""}


@settings(max_examples=200)
@given(raw=st.binary(max_size=300))
def test_any_bytes_are_decoded(raw: bytes) -> None:
    result = webtongue.decode(raw)
    assert 0 <= result.confidence <= 1
    result.text.encode("utf-8", "surrogatepass")
    webtongue.detect(raw)


@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "gb18030", "big5", "cp949", "johab", "euc_kr"])
def test_pages_cut_anywhere_are_decoded(codec: str) -> None:
    raw = "日本中文한국".encode(codec, "ignore") * 5
    for cut in range(len(raw)):
        webtongue.decode(raw[:cut])


def test_random_bytes_are_not_sure() -> None:
    chance = random.Random(3)
    sure = [webtongue.identify(chance.randbytes(400)).reliable for _ in range(50)]
    assert sum(sure) == 0


def test_cyrillic_cut_in_the_middle_of_a_letter() -> None:
    """The search for mojibake stops at the last byte, even inside a letter."""
    for size in range(2040, 2056):
        webtongue.identify(("Р" * 3).encode() + b"x" * (size - 7) + b"\xd0" + b"\xa0")
        webtongue.identify(b"x" * (size - 1) + b"\xd0")
