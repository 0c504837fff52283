"""Tests that presentation forms and width variants are read like ordinary letters."""

from __future__ import annotations

import unicodedata

import pytest

import webtongue
from tests.quality.sentences import SENTENCES

LATIN = ("eng_Latn", "deu_Latn", "fra_Latn", "spa_Latn", "pol_Latn", "swe_Latn")


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def bold(text: str) -> str:
    first = {c: 0x1D400 + i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")}
    return "".join(chr(first[c]) if c in first else c for c in text)


def with_ligatures(text: str) -> str:
    for ligature in "ﬃﬄﬁﬂﬀ":
        text = text.replace(unicodedata.normalize("NFKC", ligature), ligature)
    return text


@pytest.mark.parametrize("dress", [full_width, bold, with_ligatures])
@pytest.mark.parametrize("label", LATIN)
def test_full_width_latin(label: str, dress: object) -> None:
    for text in SENTENCES[label]:
        shown = dress(text)  # type: ignore[operator]
        plain = webtongue.identify_text(text)
        for verdict in (webtongue.identify_text(shown), webtongue.identify(f"<p>{shown}</p>".encode())):
            assert (verdict.label, verdict.script, verdict.reliable) == (label, "Latn", plain.reliable)


def test_full_width_words_with_full_width_spaces() -> None:
    text = full_width("My neighbour repairs old bicycles in his garage").replace(" ", "\u3000")
    assert webtongue.identify_text(text).label == "eng_Latn"


@pytest.mark.parametrize("text", ["ﾆﾎﾝｺﾞﾉﾃｷｽﾄﾃﾞｽ", "ｲﾏｽｸﾞﾚﾝﾗｸｼﾃｸﾀﾞｻｲ"])
def test_half_width_kana(text: str) -> None:
    assert webtongue.identify_text(text).label == "jpn_Jpan"


def test_arabic_presentation_forms() -> None:
    forms = {
        unicodedata.normalize("NFKC", chr(code)): chr(code)
        for code in range(0xFE80, 0xFEF5)
        if "MEDIAL" in unicodedata.name(chr(code), "") or "ISOLATED" in unicodedata.name(chr(code), "")
    }
    for text in SENTENCES["arb_Arab"]:
        shown = "".join(forms.get(c, c) for c in text)
        assert shown != text
        assert webtongue.identify_text(shown) == webtongue.identify_text(text)
