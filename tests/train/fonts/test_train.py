"""Training a font model on a made-up corpus: the same bytes twice, and a model that has learnt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fonts.texts import ORDINARY, TEXTS, coded
from webtongue.fonts import guess
from webtongue.train.fonts import texts
from webtongue.train.fonts.train import train


def make_corpus(folder: Path) -> Path:
    """Every text of the fonts' languages, and English, with their words shuffled into many lines."""
    (folder / "made").mkdir(parents=True)
    chance = random.Random(3)
    for label, text in {**TEXTS, "eng_Latn": " ".join(ORDINARY[:5])}.items():
        lines = [" ".join(chance.sample(text.split(), len(text.split()))) for _ in range(20)]
        (folder / "made" / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return folder


def test_same_corpus_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "CODE_TEXT", 20_000)
    monkeypatch.setattr(texts, "MADE_LINES", 200)
    folder = make_corpus(tmp_path / "corpus")
    manifests = [train(folder, tmp_path / name) for name in ("a.wtf", "b.wtf")]
    assert manifests[0] == manifests[1]
    assert (tmp_path / "a.wtf").read_bytes() == (tmp_path / "b.wtf").read_bytes()
    model = guess.load(tmp_path / "a.wtf")
    for name in ("krutidev", "nudi", "zawgyi"):
        raw = coded(name).encode()
        assert model.suspects_text(raw)
        assert model.names[model.lines(raw.replace(b"\n", b" "), 0)[0][0]] == name
    assert not model.suspects_text(ORDINARY[0].encode())
