"""Suzuki's R-values against values worked out by hand, and against a twin that counts in a dictionary."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue import Page, UsageError
from webtongue.lab.methods.document import TextBytes
from webtongue.lab.methods.encoded_texts import encode, encode_in_all
from webtongue.lab.methods.suzuki import Suzuki, SuzukiSettings, extract_codons


def fitted(rule: str = "best", **texts: bytes) -> Suzuki:
    return Suzuki.fit({f"{code}_Latn_utf-8": [raw] for code, raw in texts.items()}, SuzukiSettings(rule))


def rate(model: bytes, document: bytes) -> float:
    """Equation 1 as it reads."""
    codon_set = {model[i : i + 3] for i in range(len(model) - 2)}
    document_codons = [document[i : i + 3] for i in range(len(document) - 2)]
    return sum(codon in codon_set for codon in document_codons) / len(document_codons)


def test_codons_shift_by_one_byte() -> None:
    raw = bytes.fromhex("82B182F182C982BF82CD")  # the figure of section 3.1: ten bytes, eight codons
    assert [f"{codon:06X}" for codon in extract_codons(raw)] == [raw[i : i + 3].hex().upper() for i in range(8)]


def test_r_value_counts_the_document_only() -> None:
    # abcabc: abc bca cab abc, of which abc (twice) is in the first model, bca and cab as well in the second
    scores = fitted(aaa=b"abc", bbb=b"abcab", ccc=b"xyz").score(b"abcabc")
    assert scores == {"aaa_Latn_utf-8": 0.5, "bbb_Latn_utf-8": 1.0, "ccc_Latn_utf-8": 0.0}


def test_bounds_answer_only_where_one_stands_alone() -> None:
    alone = fitted("bounds", aaa=b"abcdefgh", bbb=b"xyz")
    assert alone.answer(b"abcdefgh").label == "aaa_Latn"
    two = fitted("bounds", aaa=b"abcdefgh", bbb=b"_abcdefgh")
    assert (two.answer(b"abcdefgh").label, two.answer(b"abcdefgh").reason) == ("und", "unable to detect")
    assert fitted("best", aaa=b"abcdefgh", bbb=b"_abcdefgh").answer(b"abcdefgh").label == "aaa_Latn"
    low = alone.answer(b"abcdefgh" + b"?" * 8)
    assert low.label == "und" and low.score < 0.95


def test_bounds_do_not_set_encodings_of_one_language_against_each_other() -> None:
    model = Suzuki.fit({"fra_Latn": ["le café et le thé"]}, SuzukiSettings("bounds"))
    assert len(model.labels) == 3
    assert model.answer("le café et le thé".encode("cp1252")).encoding == "windows-1252"


def test_answers_encoding_and_reads_pages_as_bytes() -> None:
    model = Suzuki.fit({"ell_Grek": ["Καλημέρα σε όλους τους φίλους"], "rus_Cyrl": ["Доброе утро всем друзьям"]})
    page = Page(b"<title>x</title><p>" + "Доброе утро всем".encode("koi8-r"))
    answer = model.answer(page)
    assert (answer.label, answer.encoding) == ("rus_Cyrl", "koi8-r")
    references = "".join(f"&#{ord(c)};" for c in "Καλημέρα σε όλους").encode()
    assert model.answer(Page(b"<p>" + references)).label == "ell_Grek"


EAST_ASIAN = {
    "jpn_Jpan": "この家は丘の上にあります。私たちはそこへ見に行きます。",
    "kor_Hang": "이 집은 언덕 위에 있고 우리는 그것을 보러 갑니다",
    "zho_Hans": "这座房子在山上，我们去那里看看。",
}


@pytest.mark.parametrize(
    ("label", "encoding", "codec"),
    [
        ("jpn_Jpan", "iso-2022-jp", "iso2022_jp"), ("kor_Hang", "iso-2022-kr", "iso2022_kr"), ("zho_Hans", "hz-gb-2312", "hz"),
        ("jpn_Jpan", "utf-16le", "utf-16-le"), ("zho_Hans", "utf-16be", "utf-16-be"), ("kor_Hang", "utf-8", "utf-8"),
    ],
)  # fmt: skip
def test_encodings_that_hide_markup_are_answered(label: str, encoding: str, codec: str) -> None:
    model = Suzuki.fit({name: [text] for name, text in EAST_ASIAN.items()})
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(codec, b"")
    page = Page(mark + f"<html><body><p>{EAST_ASIAN[label]}</p></body></html>".encode(codec))
    answer = model.answer(page)
    assert (answer.label, answer.encoding, answer.score) == (label, encoding, 1.0)


def test_labels_with_little_text_are_left_out() -> None:
    corpus = {"eng_Latn": ["many languages are spoken there"], "deu_Latn": ["kurz"], "ell_Grek": ["ναι"]}
    settings = SuzukiSettings(min_bytes=6)
    assert Suzuki.find_left_out(corpus, settings) == {"deu_Latn": 4}
    assert {label[:8] for label in Suzuki.fit(corpus, settings).labels} == {"eng_Latn", "ell_Grek"}
    assert len({label[:8] for label in Suzuki.fit(corpus).labels}) == 3
    with pytest.raises(UsageError, match=r"every label has less than 99 bytes of text"):
        Suzuki.fit(corpus, SuzukiSettings(min_bytes=99))


def test_nothing_to_go_by() -> None:
    model = fitted(aaa=b"abc")
    assert model.score(b"ab") == {}
    assert model.answer(b"").label == "und"
    assert model.answer(b"xyz").reason == "no codon of it is known"
    with pytest.raises(UsageError):
        Suzuki.fit({})
    with pytest.raises(UsageError):
        SuzukiSettings("first")


def test_saved_and_loaded(tmp_path: Path) -> None:
    model = Suzuki.fit({"ell_Grek": ["Καλημέρα"], "eng_Latn": ["good morning"]})
    model.save(tmp_path / "model")
    again = Suzuki.load(tmp_path / "model")
    assert again.score("morning Καλη") == model.score("morning Καλη")


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=4), st.binary(min_size=3, max_size=40))
def test_equals_its_twin(models: list[bytes], document: bytes) -> None:
    scores = Suzuki.fit({f"{i:03}_Latn_x": [raw] for i, raw in enumerate(models)}).score(TextBytes(document))
    assert list(scores.values()) == pytest.approx([rate(raw, document) for raw in models])


def test_writings_hold_all_letters() -> None:
    text = "Příliš žluťoučký kůň úpěl ďábelské ódy."
    encoded = encode_in_all(text, "ces_Latn")
    assert {"utf-8", "windows-1250", "iso-8859-2"} <= set(encoded)
    assert "windows-1252" not in encoded
    for name in ("windows-1250", "iso-8859-2"):
        assert encoded[name].decode(name) == text


def test_writings_substitute_what_an_encoding_lacks() -> None:
    assert encode("știință", "windows-1250") == "ştiinţă".encode("cp1250")
    assert encode("یک", "windows-1256") == "يک".encode("cp1256")
    assert list(encode_in_all("日本", "jpn_Latn")) == ["utf-8"]


def test_polytonic_greek_is_written_with_one_accent() -> None:
    text = "Ἐν ἀρχῇ ἦν ὁ λόγος"
    assert encode(text, "windows-1253").decode("cp1253") == "Εν αρχή ήν ο λόγος"
    assert "windows-1253" in encode_in_all(text, "ell_Grek")


def test_writings_by_table() -> None:
    text = "Բարի լույս, սիրելի ընկերներ"
    assert "armscii-8" in encode_in_all(text, "hye_Armn")
    assert list(encode_in_all("Tiếng Việt rất hay", "vie_Latn"))[-4:] == ["viscii", "tcvn", "vps", "vni"]
    model = Suzuki.fit({"hye_Armn": [text], "ell_Grek": ["Καλημέρα σε όλους τους φίλους"]})
    answer = model.answer(encode(text, "armscii-8"))
    assert (answer.label, answer.encoding) == ("hye_Armn", "armscii-8")


def test_writings_in_fonts() -> None:
    text = "भारत में बहुत सी भाषाएँ बोली जाती हैं"
    encoded = encode_in_all(text, "hin_Deva")
    assert encoded["x-font-krutidev"].startswith(b"Hkkjr")
    model = Suzuki.fit({"hin_Deva": [text], "eng_Latn": ["many languages are spoken there"]})
    answer = model.answer(encoded["x-font-krutidev"])
    assert (answer.label, answer.encoding) == ("hin_Deva", "x-font-krutidev")
