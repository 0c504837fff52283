"""Encodings by table: known strings, and properties of every table."""

from __future__ import annotations

import random

import pytest

from webtongue.charset import longest_match
from webtongue.charset import tables as sequences
from webtongue.charset.arabic_forms import to_letters
from webtongue.charset.codecs import decode, encode
from webtongue.charset.names import resolve

# Written down from the standards' own charts, not by our tables.
KNOWN = [
    ("viscii", "56 69 AE 74 20 4E 61 6D", "Việt Nam"),
    ("tcvn", "56 69 D6 74 20 4E 61 6D", "Việt Nam"),
    ("tcvn", "AE AD EE 63", "được"),
    ("vps", "56 69 8C 74 20 4E 61 6D", "Việt Nam"),
    ("vni", "56 69 65 E4 74 20 4E 61 6D", "Việt Nam"),
    ("vni", "F1 F6 F4 EF 63", "được"),
    ("armscii-8", "B2 B3 B4 B5", "ԱաԲբ"),
    ("georgian-academy", "C0 C1 C2 C3 C4 C5 C6", "აბგდევზ"),
    ("georgian-ps", "C0 C1 C2 C3 C4 C5 C6 C7 C8", "აბგდევზჱთ"),
    ("geostd8", "C0 C1 C2 C3 C4 C5 C6", "აბგდევზ"),
    ("mik", "80 81 A0 BF", "АБая"),
    ("mac-hebrew", "F9 EC E5 ED", "שלום"),
    ("mac-thai", "A1 A2", "กข"),
    ("tscii", "BE C1 A2 FA", "தமிழ்"),
    ("tab", "EE F1 A4 F6 A2", "தமிழ்"),
    ("tam", "EE 49 9B", "தமிழ்"),
    ("x-iscii-de", "D8 DB C6 E8 C4 DC", "हिन्दी"),
    ("x-iscii-ta", "C2 CC DB D3 E8", "தமிழ்"),
    ("euc-tw", "C4 E3 C5 C6", "中文"),
    ("euc-tw", "8E A2 A1 A1", "乂"),
    ("johab", "D0 65 8B 69", "한글"),
]
HOLDS = {
    "viscii": "Tiếng Việt có dấu, ẮẴẪ và ỹ", "vps": "Tiếng Việt có dấu, và ỹ", "vni": "Tiếng Việt có dấu: ƯỚC MƠ, ỵ",
    "windows-1258": "Tiếng Việt có dấu", "tcvn": "Tiếng Việt có dấu, ữ", "tscii": "தமிழ் மொழி, கௌரவம், பூ ஸ்ரீ",
    "tab": "தமிழ் மொழி, பூ ஸ்ரீ", "tam": "தமிழ் மொழி பூ", "x-iscii-de": "हिन्दी में ज़रूर", "x-iscii-be": "বাংলা ভাষা",
    "x-iscii-te": "తెలుగు భాష", "mac-arabic": "مرحبا (1), 2", "mac-hebrew": "שלום (1)", "euc-tw": "繁體中文·測試", "armscii-8": "Հայերեն լեզու",
}  # fmt: skip


@pytest.mark.parametrize(("name", "raw", "text"), KNOWN)
def test_known_strings(name: str, raw: str, text: str) -> None:
    assert decode(bytes.fromhex(raw), name) == text


@pytest.mark.parametrize(("name", "text"), HOLDS.items())
def test_encoded_text_decodes_to_the_same(name: str, text: str) -> None:
    raw = encode(text, name)
    assert raw is not None
    if name != "windows-1258":  # tones are apart there
        assert decode(raw, name) == text


@pytest.mark.parametrize(
    ("name", "text"), [("geostd8", "ú"), ("viscii", "ñ"), ("tam", "Hallo"), ("vni", "中"), ("koi8-r", "ў")]
)
def test_text_that_cannot_be_encoded(name: str, text: str) -> None:
    assert encode(text, name) is None


@pytest.mark.parametrize("name", sequences.table_names())
def test_tables_have_a_name_and_are_consistent(name: str) -> None:
    assert resolve(name) is not None or name.startswith("x-font")
    table = sequences.load(name)
    assert table.decode_map
    for target, source in table.encode_map.items():
        assert table.decode_map[source] == target


def test_arabic_forms_become_letters() -> None:
    text = "المكتبة مفتوحة كل يوم"
    raw = encode(text, "cp864")
    assert raw is not None
    assert decode(raw, "cp864") != text
    assert to_letters(decode(raw, "cp864")) == text


LONG = [name for name in sequences.table_names() if max(map(len, sequences.load(name).decode_map)) > 1]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("size", [8, 50, 1 << 14])
def test_long_texts_decode_like_short_ones(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longest_match, "CHUNK_BYTES", size)
    r = random.Random(name)
    units = list(sequences.load(name).decode_map)
    for _ in range(40):
        fragments = (
            r.choice([*r.choices(units, k=4), r.choice(units)[:1], " ", "a", "\0"]) for _ in range(r.randrange(80))
        )
        raw = "".join(fragments).encode("latin-1") + r.randbytes(r.randrange(4))
        assert "".join(longest_match.decode(raw, name)) == sequences.load(name).decode(raw.decode("latin-1")), raw


@pytest.mark.parametrize("name", ["vni", "tscii", "euc-tw"])
def test_a_long_text_is_decoded(name: str) -> None:
    text = HOLDS[name] * 2000
    assert decode(encode(HOLDS[name], name) * 2000, name) == text  # type: ignore[operator]
