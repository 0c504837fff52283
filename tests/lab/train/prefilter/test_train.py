"""Training the prefilter on a made-up corpus: the same bytes twice, and a model that has learnt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.quality.sentences import SENTENCES
from webtongue.lab.train.prefilter import texts
from webtongue.lab.train.prefilter import train as training
from webtongue.lab.train.prefilter.texts import generate_markup, list_forms, select_lines
from webtongue.lab.train.prefilter.train import train
from webtongue.page import Page
from webtongue.text.prefilter import load, prefilter

LABELS = ("eng_Latn", "isl_Latn", "rus_Cyrl", "kat_Geor", "jpn_Jpan")


def make_corpus(folder: Path) -> Path:
    """Sentences of a few languages, their words shuffled into many lines."""
    (folder / "made").mkdir(parents=True)
    rng = random.Random(3)
    for label in LABELS:
        words = " ".join(SENTENCES[label]).split() * 3
        lines = [" ".join(rng.sample(words, len(words))) for _ in range(120)]
        (folder / "made" / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return folder


def test_same_corpus_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "SNIPPETS_PER_LABEL", 60)
    monkeypatch.setattr(training, "add_romanised", lambda corpus: [])  # takes longer than all the rest
    folder = make_corpus(tmp_path / "corpus")
    manifests = [train(folder, tmp_path / name) for name in ("a.wtp", "b.wtp")]
    assert manifests[0] == manifests[1]
    assert (tmp_path / "a.wtp").read_bytes() == (tmp_path / "b.wtp").read_bytes()
    model = load(tmp_path / "a.wtp")
    assert set(model.numbers) == set(LABELS)
    around = generate_markup(9000, 1)
    for label in LABELS:
        look = prefilter([label], model)
        assert look.may_hold(Page(around + " ".join(SENTENCES[label]).encode()))
        assert not look.may_hold(Page(around))


def test_forms_of_text() -> None:
    lines = ["Þetta er íslensk setning um veðrið og sjóinn."] * 60
    by_name = {form.name: form for form in list_forms("isl_Latn", lines)}
    assert by_name["windows-1252"].write("þú") == b"\xfe\xfa"
    assert by_name["named references"].write("þú") == b"&thorn;&uacute;"
    assert by_name["references"].write("þú") == b"&#254;&#250;"
    assert by_name["without accents"].write("ú") == b"u"
    assert by_name["misread"].write("ú") == "Ãº".encode()
    assert "koi8-r" not in by_name
    assert abs(sum(form.share for form in by_name.values()) - 1) < 1e-9


def test_fonts_are_forms() -> None:
    lines = list(SENTENCES["hin_Deva"]) * 30
    names = [form.name for form in list_forms("hin_Deva", lines)]
    assert "krutidev" in names and "hex references" in names


def test_sources_by_their_shares() -> None:
    lines = select_lines({"ebible": ["a" * 50] * 4000, "news": ["b" * 50] * 6000}, 10_000, "x")
    assert 0.1 < sum(line[0] == "a" for line in lines) / len(lines) < 0.35
    assert select_lines({"news": ["b"]}, 100, "x") == ["b"]


def test_furniture_is_made_of_many_parts() -> None:
    markup = generate_markup(20_000, 1)
    assert markup == generate_markup(20_000, 1) and 20_000 <= len(markup) < 21_000
    assert all(part in markup for part in (b"<div", b"{", b"function", b"https://www.example.com/"))
    assert texts.generate_markup(1, 2) != texts.generate_markup(1, 3)
