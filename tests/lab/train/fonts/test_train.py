"""Training a font model on a made-up corpus: the same bytes twice, and a model that has learnt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fonts.texts import ORDINARY, TEXTS, encoded_text
from webtongue.fonts import detect
from webtongue.lab.train.fonts import texts
from webtongue.lab.train.fonts.train import train


def make_corpus(folder: Path) -> Path:
    """Every text of the fonts' languages, and English, with their words shuffled into many lines."""
    (folder / "made").mkdir(parents=True)
    rng = random.Random(3)
    for label, text in {**TEXTS, "eng_Latn": " ".join(ORDINARY[:5])}.items():
        lines = [" ".join(rng.sample(text.split(), len(text.split()))) for _ in range(20)]
        (folder / "made" / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return folder


def test_same_corpus_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "CODE_CHARS", 20_000)
    monkeypatch.setattr(texts, "GENERATED_LINES", 200)
    folder = make_corpus(tmp_path / "corpus")
    manifests = [train(folder, tmp_path / name) for name in ("a.wtf", "b.wtf")]
    assert manifests[0] == manifests[1]
    assert (tmp_path / "a.wtf").read_bytes() == (tmp_path / "b.wtf").read_bytes()
    model = detect.load(tmp_path / "a.wtf")
    for name in ("krutidev", "nudi", "zawgyi"):
        raw = encoded_text(name).encode()
        assert model.may_have_font_text(raw)
        assert model.names[model.lines(raw.replace(b"\n", b" "), 0)[0][0]] == name
    assert not model.may_have_font_text(ORDINARY[0].encode())
