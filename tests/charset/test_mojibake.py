"""Mojibake is detected by its characters and undone."""

from __future__ import annotations

import pytest

from tests.quality.sentences import SENTENCES
from webtongue.charset.codecs import decode, encode
from webtongue.charset.mojibake import MULTIBYTE, SINGLE_BYTE, Mojibake, detect_utf8_mojibake, find_mojibake_lines

RUSSIAN, CHINESE = SENTENCES["rus_Cyrl"][0], SENTENCES["zho_Hans"][0]


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_utf8_decoded_as_single_byte_encoding_is_detected(name: str) -> None:
    garbled = decode(RUSSIAN.encode(), name)
    if "\ufffd" in garbled:
        pytest.skip("bytes were lost")
    mojibake = detect_utf8_mojibake(garbled)
    assert mojibake is not None
    assert (mojibake.encoding, mojibake.undo(garbled)) == ("utf-8", RUSSIAN)
    assert mojibake.confidence > 0.9


@pytest.mark.parametrize("name", MULTIBYTE)
def test_utf8_decoded_as_multibyte_encoding_is_detected(name: str) -> None:
    garbled = " ".join(decode(word.encode(), name) for word in ("测试", "中文", "文字", "编码")).replace("\ufffd", "")
    mojibake = detect_utf8_mojibake(garbled)
    assert mojibake is None or mojibake.decoded_as in MULTIBYTE
    if name == "gb18030":
        assert mojibake is not None
        assert mojibake.undo(garbled) == "测试 中文 文字 编码"


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_sentences_are_not_mojibake(label: str) -> None:
    for text in (*SENTENCES[label], *(sentence.upper() for sentence in SENTENCES[label])):
        assert detect_utf8_mojibake(text) is None
        if label.endswith("_Latn"):
            assert find_mojibake_lines(text) == []


@pytest.mark.parametrize("name", ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"])
def test_bytes_decoded_as_windows_1252_are_restored(name: str) -> None:
    garbled = decode(encode(RUSSIAN, name) or b"", "windows-1252")
    page = f"Café menu – About us\n{garbled}\nété"
    assert Mojibake(name, "windows-1252").undo(page) == f"Café menu – About us\n{RUSSIAN}\nété"
    assert find_mojibake_lines(page) == [encode(RUSSIAN, name)]


def test_characters_outside_windows_1252_are_kept() -> None:
    text = "Ïðèâåò 中 Ïðèâåò"
    assert Mojibake("windows-1251", "windows-1252").undo(text) == "Привет 中 Привет"
