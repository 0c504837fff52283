"""The small models that ship with the package."""

from __future__ import annotations

import json
import unicodedata

import pytest

from tests.lab.methods.texts import NEW
from webtongue import Page
from webtongue.lab import methods
from webtongue.lab.methods.base import read_file, split_label
from webtongue.lab.methods.nfc import Nfc

MOST_BYTES = 2_600_000
SHIPPED = sorted(path.stem for path in methods.SHIPPED.glob(f"*{methods.SUFFIX}"))
# A tree of some 500 leaves for a hundred languages is what it is; NFC has 90 n-grams a language, maximum entropy 700 for all (German
# is near Luxembourgish); one sentence may lie beyond the border that the composite approach sets for pages.
WEAK = {"composite", "decision_tree", "max_entropy", "nfc"}


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in methods.SHIPPED.iterdir()) < MOST_BYTES
    assert len(SHIPPED) >= 14


def test_every_file_has_its_words_in_the_manifest() -> None:
    manifest = json.loads((methods.SHIPPED / "manifest.json").read_text("utf-8"))
    assert {name: about["bytes"] for name, about in manifest.items()} == {
        path.name: path.stat().st_size for path in methods.SHIPPED.glob(f"*{methods.SUFFIX}")
    }
    for name, about in manifest.items():
        head, _ = read_file(methods.SHIPPED / name)
        assert head["manifest"] == {key: value for key, value in about.items() if key != "bytes"}


def test_no_stub_of_a_declaration_is_a_model() -> None:
    """Such a model matches the pages of its own language less than others do: all pages in Oromo were wrong."""
    suzuki = methods.ready("suzuki")
    head, _ = read_file(methods.SHIPPED / "suzuki.wtp")
    left_out = head["manifest"]["left_out"]
    assert "orm_Latn" in left_out and max(left_out.values()) < head["settings"]["min_bytes"] == 2000
    assert not {split_label(label)[0] for label in suzuki.labels} & set(left_out)


CHINESE = (
    "球队输了比赛，可是观众还是拍手。", "面条煮三分钟，再放一点盐和酱油。", "电影院旁边新开了一家书店。",
    "小猫躲在床下不肯出来。", "飞机晚点了两个小时。", "那座桥是一百年前用石头修的。",
)  # fmt: skip


def test_chinese_is_not_answered_as_one_of_its_varieties() -> None:
    """Declarations in Wu, Gan or Xiang are in the same characters: their models took sentences from that of Mandarin."""
    suzuki = methods.ready("suzuki")
    assert {suzuki.answer(sentence).label for sentence in CHINESE} == {"zho_Hans"}


def test_terms_are_described_as_the_manifest_has_them() -> None:
    manifest = json.loads((methods.SHIPPED / "manifest.json").read_text("utf-8"))
    terms = {term for about in manifest.values() for source in about["sources"].values() for term in source}
    root = methods.SHIPPED.parents[3]
    documents = ("docs/methods.md", "tools/weights/make_methods.py")
    if any("-NC" in term for term in terms):
        assert all("non-commercial" in (root / name).read_text("utf-8") for name in documents)


def test_the_domain_answers() -> None:
    model = methods.ready("tld")
    urls = {"https://www.example.de/": "deu_Latn", "http://example.fi/a": "fin_Latn", "https://example.jp": "jpn_Jpan"}
    assert {url: model.answer(url).label for url in urls} == urls
    assert model.answer("https://192.0.2.1/").label == "und"


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - {"tld"}))
def test_they_answer(name: str) -> None:
    model = methods.ready(name)
    right = sum(model.answer(text).label == label for label, text in NEW.items())
    assert right >= len(NEW) - (name in WEAK) * 2
    head, _ = read_file(methods.SHIPPED / f"{name}{methods.SUFFIX}")
    assert set(head["manifest"]["sources"]) == ({"udhr"} if name == "suzuki" else {"udhr", "tatoeba", "commonvoice"})


def test_nfc_has_enough_trigrams_of_latin_letters() -> None:
    """Fisher's criterion prefers trigrams of scripts with one language: of 3,000 only 693 were left for the languages in Latin
    letters, more than half of all."""
    nfc = Nfc.load(methods.SHIPPED / "nfc.wtp")
    latin = [name for name in nfc.names if any("LATIN" in unicodedata.name(letter, "") for letter in name)]
    languages = sum(label.endswith("_Latn") for label in nfc.labels)
    assert len(nfc.names) == 9000 and languages > 50 and len(latin) > 40 * languages


RAW_PAGES = (
    f"<html><head><title>{NEW['deu_Latn'][:40]}</title><style>p {{margin: 0}}</style></head><p class=x>{NEW['deu_Latn']}".encode(),
    "<p>図書館は毎日朝九時から夕方六時まで開いています。子どもは親と一緒に来て、本を三冊借りることができます。</p>".encode(
        "euc_jp"
    ),
    NEW["ita_Latn"].encode(),
)


@pytest.mark.parametrize("name", ["suzuki", "kikui", "nfc", "rank_order", "markov", "composite", "martins_silva"])
def test_raw_bytes_are_read_like_a_page(name: str) -> None:
    """Every method removes the markup of raw bytes, whether it decodes them or not."""
    model = methods.ready(name)
    for raw in RAW_PAGES:
        assert model.answer(raw) == model.answer(Page(raw)) and model.score(raw) == model.score(Page(raw))
    tags = b"<div class=wrapper><ul><li></li></ul></div>" * 20
    assert model.answer(tags + RAW_PAGES[2]).label == model.answer(RAW_PAGES[2]).label == "ita_Latn"
