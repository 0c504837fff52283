"""Text in UTF-8 inside text in a legacy encoding is decoded as UTF-8."""

from __future__ import annotations

import pytest

from webtongue.charset import mixed
from webtongue.charset.codecs import decode, encode

RUSSIAN = "Библиотека открыта каждый день. Вечером придёт дедушка и расскажет, как раньше ловили рыбу."
GERMAN = "Die Brücke über den Fluß ist für Fußgänger gesperrt. Schöne Grüße aus München."
JAPANESE = "図書館は毎日開いています。夕方には祖父が来て、昔の話をしてくれます。"
KOREAN = "도서관은 매일 문을 엽니다. 저녁에는 할아버지가 와서 옛날이야기를 들려주십니다."
THAI = "ห้องสมุดเปิดทุกวัน ตอนเย็นคุณปู่จะมาเล่าเรื่องเก่าให้พวกเราฟัง"
TEXTS = {
    "windows-1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "ibm866": RUSSIAN,
    "windows-1252": GERMAN,
    "shift_jis": JAPANESE,
    "euc-jp": JAPANESE,
    "euc-kr": KOREAN,
    "windows-874": THAI,
}


def in_encoding(text: str, name: str) -> bytes:
    raw = encode(text, name)
    assert raw is not None
    return raw


@pytest.mark.parametrize("widget", [RUSSIAN, GERMAN, JAPANESE, KOREAN, THAI])
@pytest.mark.parametrize("name", sorted(TEXTS))
def test_parts_in_utf8_are_decoded(name: str, widget: str) -> None:
    text = TEXTS[name]
    own = in_encoding(text, name)
    raw = own + b"\n" + widget.encode() + b"\n" + own + b"\n"
    assert mixed.decode(raw, name) == f"{text}\n{widget}\n{text}\n"
    split = mixed.split_utf8(raw, name)
    assert widget[1:-1].encode() in raw[split.utf8_spans[0][0] - 8 : split.utf8_spans[-1][1] + 8]
    assert len(split.legacy_bytes) >= 2 * len(own)
    assert 0 < split.utf8_characters <= len(widget)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_in_one_encoding_is_not_split(name: str) -> None:
    raw = in_encoding(TEXTS[name], name) * 20
    assert mixed.split_utf8(raw, name).utf8_spans == ()
    assert mixed.split_utf8(raw).utf8_spans == ()
    assert mixed.decode(raw, name) == decode(raw, name)


def test_legacy_byte_inside_utf8_is_decoded() -> None:
    raw = GERMAN.encode() + b" caf\xe9 " + GERMAN.encode()
    assert mixed.decode(raw, "windows-1252") == f"{GERMAN} café {GERMAN}"


def test_capital_before_quotation_mark_is_not_utf8() -> None:
    for text in (
        "Le «CAFÉ» du port et la rue de la LIBERTÉ… demain",
        "PUBLICITÉ\u00a0: ACTUALITÉ\u00a0: ",
        "„Spaß“ und Gruß…",
    ):
        assert mixed.decode(text.encode("cp1252"), "windows-1252") == text
