"""Stateful encodings are detected and decoded."""

from __future__ import annotations

import pytest

from webtongue import decode, identify
from webtongue.charset import stateful

JAPANESE = "<html><p>吾輩は猫である。名前はまだ無い。どこで生れたか"
KOREAN = "<html><p>나는 고양이다. 이름은 아직 없다."
CHINESE = "<html><p>我是一只猫，还没有名字。"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (JAPANESE, "iso2022_jp_1", "iso-2022-jp"),
        (JAPANESE + "丒丟丯", "iso2022_jp_1", "iso-2022-jp-1"),
        (JAPANESE + "ヷ𠂉", "iso2022_jp_3", "iso-2022-jp-3"),
        (JAPANESE + "한국 图书馆", "iso2022_jp_2", "iso-2022-jp-2"),
        (JAPANESE + "ﾈｺ", "iso2022_jp_ext", "iso-2022-jp"),
        (KOREAN, "iso2022_kr", "iso-2022-kr"),
        (CHINESE, "hz", "hz-gb-2312"),
        (JAPANESE, "utf-7", "utf-7"),
        ("<html><p>Straße, Größe, Äpfel und Übermut", "utf-7", "utf-7"),
        ("<html><p>The last train – there is only one", "utf-7", "utf-7"),
        ("<html><p>Das ist eine kleine Tür im Hof", "utf-7", "utf-7"),
    ],
)
def test_detected_and_decoded(text: str, codec: str, name: str) -> None:
    raw = text.encode(codec)
    assert stateful.detect(raw) == name
    assert stateful.decode(raw, name).decode() == text
    v = identify(raw)
    assert v.encoding == name
    assert v.script in ("Jpan", "Hang", "Hans", "Latn")


def test_iso_2022_cn() -> None:
    """Decode GB 2312 and both planes of CNS 11643."""
    raw = b"\x1b$)A\x0eVPND\x0f, \x1b$)G\x0eDcEF\x0f, \x1b$*H\x1bN!!"
    assert stateful.detect(raw) == "iso-2022-cn"
    assert stateful.decode(raw, "iso-2022-cn").decode() == "中文, 中文, 乂"


def test_shifts_are_not_utf16() -> None:
    raw = b"\x1b$)A\x0e" + bytes(b & 0x7F for b in "我说因为我很高兴".encode("gb2312")) + b"\x0f"
    assert decode(raw).text == "我说因为我很高兴"


def test_mixture_of_families_is_iso_2022_int_1() -> None:
    raw = "日本".encode("iso2022_jp") + b" \x1b$)C\x0eGQ19\x0f \x1b$A\x56\x50\x4e\x44\x1b(B"
    assert stateful.detect(raw) == "iso-2022-int-1"
    assert stateful.decode(raw, "iso-2022-int-1").decode() == "日本 한국 中文"


@pytest.mark.parametrize(
    "raw",
    [
        b"1+1",
        b"a+b-c",
        b"q=search+term",
        b"+49 30 1234567",
        b"C++11 and C++14",
        b"+AGE-",
        b"an x+IBM-y thing",
        b"REST+API-docs",
    ],
)
def test_plus_sign_is_not_utf7(raw: bytes) -> None:
    assert stateful.detect(raw) == ""


@pytest.mark.parametrize(
    "raw", [b"", b"plain", b"~{ no pairs", b"\x1b[31mred\x1b[0m", b"~{!!", "é ~{VPND~}".encode(), b"\x1b"]
)
def test_other_text_is_not_detected(raw: bytes) -> None:
    assert stateful.detect(raw) == ""


def test_damaged_shifts_are_accepted() -> None:
    raw = JAPANESE.encode("iso2022_jp")
    for cut in range(len(raw)):
        identify(raw[:cut] + b"\xff<p>x")
