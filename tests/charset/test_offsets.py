"""Offsets into a page in UTF-8 are mapped to the page that it was transcoded from."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.charset import offsets
from webtongue.charset.codecs import decode
from webtongue.charset.offsets import to_source_offsets
from webtongue.charset.wide import WIDE_ENCODINGS
from webtongue.markup.sniff import transcode

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
OWN = ("utf-16le", "utf-16be", "utf-32le", "utf-32be", "johab")  # every character has bytes of its own


def to_utf8(raw: bytes, encoding: str) -> bytes:
    return decode(raw, encoding).encode("utf-8", "replace") if encoding == "johab" else transcode(raw, encoding)


def decode_prefix(raw: bytes, encoding: str, codec: str) -> str:
    """Return the whole characters of a page that is decode_prefix off."""
    text = to_utf8(raw, encoding).decode() if encoding.startswith("iso") else raw.decode(codec, "ignore")
    return text.rstrip("\ufffd")


@pytest.mark.parametrize(("encoding", "codec", "letters"), ENCODINGS)
@settings(max_examples=40)
@given(data=st.data())
def test_offsets_of_character_starts(encoding: str, codec: str, letters: str, data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet=letters + MARKUP, max_size=60))
    raw = text.encode(codec)
    begins = [len(text[:i].encode()) for i in range(len(text) + 1)]
    offsets_in_page = to_source_offsets(raw, encoding, begins)
    assert offsets_in_page[-1] == len(raw)
    if encoding in OWN:
        assert offsets_in_page == [len(text[:i].encode(codec)) for i in range(len(text) + 1)]
    else:
        for number, at in enumerate(offsets_in_page[:-1]):
            # A digit of base64 may hold the end of a character and the beginning of the next.
            ends = (at, at + 1) if encoding == "utf-7" else (at,)
            assert text[:number] in [decode_prefix(raw[:end], encoding, codec) for end in ends]
    # Inside of a character: where it begins.
    inside = to_source_offsets(raw, encoding, range(begins[-1]))
    sizes = [len(char.encode()) for char in text]
    assert inside == [at for at, size in zip(offsets_in_page[:-1], sizes, strict=True) for _ in range(size)]


@pytest.mark.parametrize(("encoding", "codec", "letters"), ENCODINGS)
@pytest.mark.parametrize("chunk_bytes", [16, 1 << 15])
def test_damaged_pages(
    encoding: str, codec: str, letters: str, chunk_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every byte of the page in UTF-8 has an offset, in order and inside the page."""
    monkeypatch.setattr(offsets, "CHUNK_BYTES", chunk_bytes)
    monkeypatch.setattr(offsets, "CODEC_CHUNK_BYTES", chunk_bytes)
    monkeypatch.setattr(offsets, "UTF7_CHUNK_BYTES", chunk_bytes)
    r = random.Random(encoding)
    for _ in range(60):
        text = "".join(r.choices(letters + MARKUP, k=r.randrange(1, 80)))
        raw = bytearray(text.encode(codec)[: r.randrange(1, 300)])
        for _ in range(r.randrange(6)):
            raw[r.randrange(len(raw))] = r.randrange(0x80 if encoding == "utf-7" else 0x100)
        page = bytes(raw)
        utf8 = to_utf8(page, encoding)
        everything = list(range(len(utf8) + 3))
        assert sum(int(sizes.sum()) for _, sizes in offsets._chunks(page, encoding, everything)) == len(utf8)
        offsets_in_page = to_source_offsets(page, encoding, everything)
        assert offsets_in_page == sorted(offsets_in_page)
        assert offsets_in_page[0] >= 0 and offsets_in_page[len(utf8) :] == [len(page)] * 3
        some = sorted(r.sample(everything, min(3, len(everything))))  # the same, where most is not looked into
        assert to_source_offsets(page, encoding, some) == [offsets_in_page[offset] for offset in some]


@pytest.mark.parametrize("name", WIDE_ENCODINGS)
def test_a_byte_order_mark_is_a_character(name: str) -> None:
    raw = "\ufeff<p>x".encode(name[:6] + "-" + name[6:])
    assert to_source_offsets(raw, name, [0, 3, 6]) == [0, int(name[4:6]) // 8, int(name[4:6]) // 2]


def test_no_offsets_and_empty_pages() -> None:
    assert to_source_offsets(b"", "utf-16le", []) == []
    assert to_source_offsets(b"", "hz-gb-2312", [0, 5]) == [0, 0]
    assert to_source_offsets(b"+", "utf-7", [0, 1]) == [1, 1]  # a shift to nothing


def test_offsets_in_any_order() -> None:
    raw = "a日b".encode("utf-16-le")
    assert to_source_offsets(raw, "utf-16le", [4, 0, 1, 1]) == [4, 0, 2, 2]


def test_pair_of_two_characters() -> None:
    """A pair of JIS X 0213 can be a letter with a combining mark."""
    raw = b"\x1b$(O\x24\x77\x24\x22"
    assert to_source_offsets(raw, "iso-2022-jp-3", [0, 3, 6]) == [4, 5, 6]
