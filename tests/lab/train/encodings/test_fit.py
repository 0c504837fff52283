"""Training a byte model: the same bytes twice, several right answers, and classes that are no encodings."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from webtongue import _kernel
from webtongue.charset.detection import byte_model
from webtongue.lab.train.encodings import classes, context
from webtongue.lab.train.encodings.file import ByteRule, ByteWeights, write_byte_model
from webtongue.lab.train.encodings.fit import FitConfig, Sample, fit_byte_model
from webtongue.lab.train.encodings.train import train

TEXTS = {
    "ces_Latn": "Příliš žluťoučký kůň úpěl ďábelské ódy a šel dál přes město".split(),
    "rus_Cyrl": "съешь ещё этих мягких французских булок да выпей чаю в городе".split(),
}
SMALL = FitConfig(rows=2048, min_samples=2, passes=3)


def corpus(folder: Path) -> Path:
    rng = random.Random(5)
    for label, words in TEXTS.items():
        (folder / "made").mkdir(parents=True, exist_ok=True)
        lines = [" ".join(rng.choices(words, k=9)) for _ in range(400)]
        (folder / "made" / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return folder


def test_same_corpus_same_bytes(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "corpus")
    for name in ("a.wtb", "b.wtb"):
        train(folder, tmp_path / name, 20, SMALL)
    assert (tmp_path / "a.wtb").read_bytes() == (tmp_path / "b.wtb").read_bytes()
    model = byte_model.load(tmp_path / "a.wtb")
    assert model.classes == classes.CLASSES
    assert model.manifest["kind"] == "encodings"
    none = array("i", [0] * len(model.classes))
    for text, codec, name in (("žluťoučký kůň", "cp1250", "windows-1250"), ("мягких булок", "koi8-r", "koi8-r")):
        detected, _, _, _ = model.kernel.detect(text.encode(codec), none, 1)
        right = classes.find_equivalent_classes(
            text.encode(codec), model.numbers[name], classes.build_code_tables(model.classes)
        )
        assert detected[0][0] in right


def test_encodings_that_read_alike_are_all_right() -> None:
    tables = classes.build_code_tables(classes.CLASSES)
    right = classes.find_equivalent_classes("Größe".encode("cp1252"), classes.CLASSES.index("windows-1252"), tables)
    names = {classes.CLASSES[k] for k in right}
    assert {"windows-1252", "iso-8859-15", "windows-1254", "iso-8859-2"} <= names
    assert not names & {"macintosh", "cp850", "shift_jis"}


def test_classes_of_plain_text(tmp_path: Path) -> None:
    """A rule that reads all text: the same file tells anything that is spelt differently."""
    rule = ByteRule(bytes([0x20] * 33) + bytes(range(33, 256)), (1, 2, 3), (1, 2, 3), True, 256)
    words = {"one": "alpha beta gamma", "two": "Hkkjr fganh esa"}
    rng = random.Random(2)
    samples = [
        Sample(" ".join(rng.choices(text.split(), k=8)).encode(), (number,))
        for _ in range(60)
        for number, text in enumerate(words.values())
    ]
    weights = fit_byte_model(samples, list(words), rule, SMALL)
    assert isinstance(weights, ByteWeights)
    write_byte_model(tmp_path / "x.wtb", weights, {})
    model = _kernel.ByteModel(np.fromfile(tmp_path / "x.wtb", np.uint8))
    for number, text in enumerate(words.values()):
        totals, known_ngrams = model.score(text.encode())
        assert known_ngrams > 10
        assert int(np.argmax(totals)) == number


def test_contexts_are_learnt_from_what_n_grams_leave_open() -> None:
    """A model that knows nothing of n-grams still tells a letter in a word from a sign."""
    rule = ByteRule(bytes([0x20] * 33) + bytes(range(33, 256)))
    names = ["windows-1252", "cp850", "windows-1251"]
    tables = classes.build_code_tables(names)
    letters, sorts = context.build_letter_tables(tables)
    count = len(names)
    blank = ByteWeights(
        names, rule, np.zeros(16, np.uint16), np.zeros((16, count), np.float32), np.zeros(count, np.float32), [0] * count, tables,
        letters, sorts,
    )  # fmt: skip
    words = "Straße Größe über Käse schön Mädchen Füße Öl hören süß".split()
    rng = random.Random(4)
    samples = [
        Sample(" ".join(rng.choices(words, k=4)).encode(codec), (number,))
        for number, codec in enumerate(("cp1252", "cp850")) for _ in range(200)
    ]  # fmt: skip

    def model(weights: ByteWeights, path: Path) -> Any:
        write_byte_model(path, weights, {})
        return _kernel.ByteModel(np.fromfile(path, np.uint8))

    with TemporaryDirectory() as folder:
        none = array("i", [0] * count)
        config = context.ContextConfig(bits=12)
        contexts = context.fit_contexts(model(blank, Path(folder) / "blank"), samples, none, config)
        trained = model(replace(blank, contexts=contexts), Path(folder) / "told")
    for number, codec in enumerate(("cp1252", "cp850")):
        detected, _, _, _ = trained.detect("Die Käserei öffnet früh".encode(codec), none, 1)
        assert detected[0][0] == number
