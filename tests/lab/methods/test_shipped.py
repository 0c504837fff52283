"""The small models that ship with the package."""

from __future__ import annotations

import json

import pytest

from tests.lab.methods.texts import NEW
from webtongue.lab import methods
from webtongue.lab.methods.base import read_file

MOST_BYTES = 2_600_000
SHIPPED = sorted(path.stem for path in methods.SHIPPED.glob(f"*{methods.SUFFIX}"))
# A tree of some 500 leaves for a hundred languages is what it is; NFC has 30 n-grams a language, maximum entropy 700 for all (German
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
