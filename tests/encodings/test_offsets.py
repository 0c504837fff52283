"""Offsets into a page in UTF-8 as offsets into the page that it was transcoded from."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.encodings import positions
from webtongue.encodings.codecs import decode
from webtongue.encodings.offsets import to_page
from webtongue.encodings.wide import WIDE
from webtongue.markup.sniff import transcoded

MARKUP = "<p>a b~ + - </b>\n"
JAPANESE, KOREAN, CHINESE, ANY = "日本語のテキスト。", "한국어가나다", "中文我是猫。", "Grüße😀日한\u0300"
# Encoding, the codec that writes it, characters.
ENCODINGS = [
    ("utf-16le", "utf-16-le", ANY),
    ("utf-16be", "utf-16-be", ANY),
    ("utf-32le", "utf-32-le", ANY),
    ("utf-32be", "utf-32-be", ANY),
    ("iso-2022-jp", "iso2022_jp", JAPANESE),
    ("iso-2022-jp-2", "iso2022_jp_2", JAPANESE + "한中é"),
    ("iso-2022-jp-3", "iso2022_jp_3", JAPANESE + "ヷ𠂉"),
    ("iso-2022-kr", "iso2022_kr", KOREAN),
    ("hz-gb-2312", "hz", CHINESE),
    ("utf-7", "utf-7", ANY),
    ("johab", "johab", KOREAN),
]
OWN = ("utf-16le", "utf-16be", "utf-32le", "utf-32be", "johab")  # every character has its own bytes


def utf8_of(raw: bytes, encoding: str) -> bytes:
    return decode(raw, encoding).encode("utf-8", "replace") if encoding == "johab" else transcoded(raw, encoding)


def cut(raw: bytes, encoding: str, codec: str) -> str:
    """The characters of a page that is cut off, without the one that is cut."""
    text = utf8_of(raw, encoding).decode() if encoding.startswith("iso") else raw.decode(codec, "ignore")
    return text.rstrip("\ufffd")


@pytest.mark.parametrize(("encoding", "codec", "letters"), ENCODINGS)
@settings(max_examples=40)
@given(data=st.data())
def test_characters_are_found_where_they_begin(encoding: str, codec: str, letters: str, data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet=letters + MARKUP, max_size=60))
    raw = text.encode(codec)
    begins = [len(text[:i].encode()) for i in range(len(text) + 1)]
    found = to_page(raw, encoding, begins)
    assert found[-1] == len(raw)
    if encoding in OWN:
        assert found == [len(text[:i].encode(codec)) for i in range(len(text) + 1)]
    else:
        for number, at in enumerate(found[:-1]):
            # A digit of base64 may hold the end of a character and the beginning of the next.
            ends = (at, at + 1) if encoding == "utf-7" else (at,)
            assert text[:number] in [cut(raw[:end], encoding, codec) for end in ends]
    # Inside of a character: where it begins.
    inside = to_page(raw, encoding, range(begins[-1]))
    sizes = [len(char.encode()) for char in text]
    assert inside == [at for at, size in zip(found[:-1], sizes, strict=True) for _ in range(size)]


@pytest.mark.parametrize(("encoding", "codec", "letters"), ENCODINGS)
@pytest.mark.parametrize("stretch", [16, 1 << 15])
def test_damaged_pages(encoding: str, codec: str, letters: str, stretch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every byte of the page in UTF-8 is counted, in order and inside of the page."""
    monkeypatch.setattr(positions, "STRETCH", stretch)
    monkeypatch.setattr(positions, "STEP", stretch)
    monkeypatch.setattr(positions, "SHIFTED", stretch)
    r = random.Random(encoding)
    for _ in range(60):
        text = "".join(r.choices(letters + MARKUP, k=r.randrange(1, 80)))
        raw = bytearray(text.encode(codec)[: r.randrange(1, 300)])
        for _ in range(r.randrange(6)):
            raw[r.randrange(len(raw))] = r.randrange(0x80 if encoding == "utf-7" else 0x100)
        page = bytes(raw)
        utf8 = utf8_of(page, encoding)
        everything = list(range(len(utf8) + 3))
        assert sum(int(sizes.sum()) for _, sizes in positions._stretches(page, encoding, everything)) == len(utf8)
        found = to_page(page, encoding, everything)
        assert found == sorted(found)
        assert found[0] >= 0 and found[len(utf8) :] == [len(page)] * 3
        some = sorted(r.sample(everything, min(3, len(everything))))  # the same, where most is not looked into
        assert to_page(page, encoding, some) == [found[offset] for offset in some]


@pytest.mark.parametrize("name", WIDE)
def test_a_byte_order_mark_is_a_character(name: str) -> None:
    raw = "\ufeff<p>x".encode(name[:6] + "-" + name[6:])
    assert to_page(raw, name, [0, 3, 6]) == [0, int(name[4:6]) // 8, int(name[4:6]) // 2]


def test_nothing_asked_for_and_nothing_there() -> None:
    assert to_page(b"", "utf-16le", []) == []
    assert to_page(b"", "hz-gb-2312", [0, 5]) == [0, 0]
    assert to_page(b"+", "utf-7", [0, 1]) == [1, 1]  # a shift to nothing


def test_offsets_in_any_order() -> None:
    raw = "a日b".encode("utf-16-le")
    assert to_page(raw, "utf-16le", [4, 0, 1, 1]) == [4, 0, 2, 2]


def test_two_characters_that_are_one_pair() -> None:
    """JIS X 0213 has letters with a mark."""
    raw = b"\x1b$(O\x24\x77\x24\x22"
    assert to_page(raw, "iso-2022-jp-3", [0, 3, 6]) == [4, 5, 6]
