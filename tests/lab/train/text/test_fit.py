"""Training end to end on a toy corpus: it learns, it is repeatable, the file says what went in."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from tests.lab.train.text_samples import SENTENCES
from tests.lab.train.tiny import TINY, build_tiny
from webtongue import _kernel
from webtongue.lab.train.text.file import read_model
from webtongue.lab.train.text.fit import assign_tier
from webtongue.lab.train.text.train import read_texts, train


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(tmp_path_factory.mktemp("model") / "tiny.wtm")


def test_it_learns_what_it_is_told(tiny_model: Path) -> None:
    model = _kernel.LanguageModel(np.fromfile(tiny_model, np.uint8))

    def best(text: str) -> str | None:
        number = model.rank_many(text.encode(), np.array([0, len(text.encode())], np.uint64), 1)[0][0, 0]
        return None if number < 0 else model.labels[number]

    assert best("She said that the children were at the house") == "eng_Latn"
    assert best("Die Kinder sind zu Hause und warten auf den Zug") == "deu_Latn"
    assert best("Les enfants sont dans la maison") == "fra_Latn"
    assert best("Діти чекають вдома, бо холодно") == "ukr_Cyrl"
    assert best("Γεια") == "ell_Grek"
    assert best("12 + 34") is None


def test_same_bytes_every_time(tiny_model: Path, tmp_path: Path) -> None:
    assert build_tiny(tmp_path / "again.wtm").read_bytes() == tiny_model.read_bytes()


def test_train_from_a_folder(tmp_path: Path) -> None:
    for label in ("eng_Latn", "deu_Latn"):
        source = tmp_path / "corpus" / "mine"
        source.mkdir(parents=True, exist_ok=True)
        lines = [f"{a} {b}" for a in SENTENCES[label] for b in SENTENCES[label]]
        (source / f"{label}.txt.xz").write_bytes(lzma.compress("\n".join(lines).encode()))
    (tmp_path / "corpus" / "mine" / "fra_Latn.txt").write_text("trop peu", "utf-8")
    report = train(tmp_path / "corpus", tmp_path / "out.wtm", TINY, progress=lambda message: None)
    model = read_model(tmp_path / "out.wtm")
    assert model.labels == ["deu_Latn", "eng_Latn"]
    assert list(report.labels_dropped) == ["fra_Latn"]
    assert set(model.manifest["sources"]["mine"]) == {"deu_Latn", "eng_Latn"}


def test_damage_is_noticed(tiny_model: Path, tmp_path: Path) -> None:
    raw = bytearray(tiny_model.read_bytes())
    raw[-1] ^= 1
    (tmp_path / "bad.wtm").write_bytes(raw)
    with pytest.raises(ValueError, match="checksum"):
        read_model(tmp_path / "bad.wtm")
    (tmp_path / "short.wtm").write_bytes(raw[:50])
    with pytest.raises(ValueError, match="not a webtongue model"):
        read_model(tmp_path / "short.wtm")


def test_tiers() -> None:
    assert assign_tier({"tatoeba": ["x" * 250_000]}) == 1
    assert assign_tier({"ebible": ["x" * 250_000], "udhr": ["x" * 15_000]}) == 3
    assert assign_tier({"ebible": ["x" * 250_000], "tatoeba": ["x" * 15_000]}) == 2


def test_the_commercial_switch_leaves_sources_out(tmp_path: Path) -> None:
    for source in ("ebible", "tatoeba"):
        (tmp_path / source).mkdir()
        (tmp_path / source / "eng_Latn.txt").write_text("some words here\n", "utf-8")
    rows = "source\tlabel\tlicence\nebible\teng_Latn\tCC BY-NC-ND 4.0\ntatoeba\teng_Latn\tCC BY 2.0 FR\n"
    (tmp_path / "manifest.tsv").write_text(rows, "utf-8")
    assert set(read_texts([tmp_path], [], commercial=True).lines) == {("tatoeba", "eng_Latn")}
    assert len(read_texts([tmp_path], []).lines) == 2
