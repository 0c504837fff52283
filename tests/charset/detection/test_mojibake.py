"""Mojibake from end to end: its language, its text, and the confidence in both."""

from __future__ import annotations

import html

import pytest

import webtongue
from tests.quality.garbled import decode_wrongly
from tests.quality.sentences import SENTENCES
from webtongue.charset.detection.mojibake import find_repair
from webtongue.labels import fold

OLD = {
    "rus_Cyrl": ("cp1251", "koi8-r", "iso8859-5", "mac-cyrillic"),
    "ukr_Cyrl": ("cp1251", "koi8-u"),
    "bul_Cyrl": ("cp1251",),
    "ell_Grek": ("cp1253", "iso8859-7"),
    "heb_Hebr": ("cp1255",),
    "arb_Arab": ("cp1256", "iso8859-6"),
    "pes_Arab": ("cp1256",),
    "tha_Thai": ("cp874",),
    "jpn_Jpan": ("shift_jis", "euc-jp"),
    "kor_Hang": ("euc-kr",),
    "zho_Hans": ("gbk",),
}
CASES = [(label, codec) for label, codecs in OLD.items() for codec in codecs]


@pytest.mark.parametrize(("label", "codec"), CASES)
def test_legacy_encodings_decoded_as_windows_1252(label: str, codec: str) -> None:
    for text in SENTENCES[label]:
        shown = decode_wrongly(text.encode(codec, "ignore"), "cp1252")
        for verdict in (webtongue.identify_text(shown), webtongue.identify(f"<p>{html.escape(shown)}".encode())):
            assert verdict.label == str(fold(label))
            assert verdict.confidence < 1
            assert any("repaired" in evidence.value for evidence in verdict.evidence)
    assert webtongue.decode(shown.encode()).repaired == text.encode(codec, "ignore").decode(codec)


@pytest.mark.parametrize("label", sorted(set(SENTENCES) - {"eng_Latn", "swh_Latn"}))
@pytest.mark.parametrize("times", [1, 2, 3])
def test_utf8_decoded_wrongly_several_times(label: str, times: int) -> None:
    text = shown = " ".join(SENTENCES[label])
    for _ in range(times):
        shown = decode_wrongly(shown.encode(), "cp1252")
    if shown == text:
        return
    repair = find_repair(shown, webtongue.Identifier().reader)
    assert repair is not None
    assert repair(shown) == text
    assert str(repair).count("utf-8 decoded as windows-1252") == times
    assert webtongue.identify_text(shown).label == str(fold(label))


@pytest.mark.parametrize("name", ["cp1251", "cp1250", "cp1254", "mac-roman", "cp850", "cp866"])
def test_utf8_decoded_as_other_encodings(name: str) -> None:
    text = SENTENCES["rus_Cyrl"][0]
    shown = text.encode().decode(name, "ignore")
    assert webtongue.identify_text(shown).label == "rus_Cyrl"


def test_legacy_encoding_decoded_wrongly_twice() -> None:
    text = SENTENCES["rus_Cyrl"][1]
    shown = decode_wrongly(decode_wrongly(text.encode("cp1251"), "cp1252").encode(), "cp1252")
    repair = find_repair(shown, webtongue.Identifier().reader)
    assert repair is not None
    assert [step.encoding for step in repair.steps] == ["utf-8", "windows-1251"]
    assert repair(shown) == text


def test_a_word_is_enough() -> None:
    verdict = webtongue.identify_text("Ïðèâåò, êàê äåëà?")
    assert (verdict.label, verdict.script) == ("rus_Cyrl", "Cyrl")


def test_other_lines_of_a_page_are_kept() -> None:
    shown = decode_wrongly(" ".join(SENTENCES["rus_Cyrl"]).encode("cp1251"), "cp1252")
    raw = f"<title>Café</title><p>Déjà vu – été</p><p>{shown}</p>".encode()
    decoded = webtongue.decode(raw)
    assert decoded.repaired.endswith(f"<p>{' '.join(SENTENCES['rus_Cyrl'])}</p>")
    contents = webtongue.Identifier().analyze(webtongue.Page(raw))
    assert [block.text for block in contents.blocks][:2] == ["Café", "Déjà vu – été"]
    assert contents.is_repaired


@pytest.mark.parametrize(
    "text",
    [
        "ÀÁÂÃÄÅ ÆÇÈÉÊË ÌÍÎÏÐÑ ÒÓÔÕÖØ",
        "¡¢£¤¥¦ §¨©ª«¬ ®¯°±²³ µ¶·¸¹º",
        "«Été» — «Noël» … «Pâques»",
        "½ ¼ ¾ ½ ¼ ¾ °C ±2 µm",
        "──┬── ├── └── │ ░▒▓ ═╗ ╚═",
        "ёлламакъ",
        "вежлавны",
    ],
)
def test_signs_and_letters_are_not_repaired(text: str) -> None:
    assert find_repair(text, webtongue.Identifier().reader) is None
    assert not webtongue.identify_text(text).reliable


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_sentences_are_not_repaired(label: str) -> None:
    for text in (*SENTENCES[label], *(sentence.upper() for sentence in SENTENCES[label])):
        assert find_repair(text, webtongue.Identifier().reader) is None
