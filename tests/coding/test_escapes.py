"""Encodings that shift by escapes."""

from __future__ import annotations

import pytest

from webtongue import identify
from webtongue.coding import escapes

JAPANESE = "<html><p>吾輩は猫である。名前はまだ無い。どこで生れたか"
KOREAN = "<html><p>나는 고양이다. 이름은 아직 없다."
CHINESE = "<html><p>我是一只猫，还没有名字。"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (JAPANESE, "iso2022_jp_1", "iso-2022-jp"),
        (KOREAN, "iso2022_kr", "iso-2022-kr"),
        (CHINESE, "hz", "hz-gb-2312"),
    ],
)
def test_found_and_decoded(text: str, codec: str, name: str) -> None:
    raw = text.encode(codec)
    assert escapes.find(raw) == name
    assert escapes.decode(raw, name).decode() == text
    v = identify(raw)
    assert v.encoding == name
    assert v.script in ("Jpan", "Hang", "Hans")


@pytest.mark.parametrize(
    "raw", [b"", b"plain", b"~{ no pairs", b"\x1b[31mred\x1b[0m", b"~{!!", "é ~{VPND~}".encode(), b"\x1b"]
)
def test_not_found(raw: bytes) -> None:
    assert escapes.find(raw) == ""


def test_cut_and_broken_shifts_are_read() -> None:
    raw = JAPANESE.encode("iso2022_jp")
    for cut in range(len(raw)):
        identify(raw[:cut] + b"\xff<p>x")
