"""Tests that features and scores equal a readable twin, on all kinds of text and on both instruction sets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.lab.train.tiny import build_tiny
from tests.native.text.small_model import SAMPLES, random_model, random_text
from tests.twins.text.scorer import Scorer
from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.text.file import read_model


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(tmp_path_factory.mktemp("model") / "tiny.wtm")


@pytest.fixture(scope="module", params=["trained", "random"])
def tiny(
    request: pytest.FixtureRequest, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[object, Scorer]:
    trained = request.param == "trained"
    path = tiny_model if trained else random_model(tmp_path_factory.mktemp("model") / "random.wtm")
    return _kernel.LanguageModel(np.fromfile(path, np.uint8)), Scorer(read_model(path))


@pytest.fixture(params=["best", "baseline"])
def path_taken(request: pytest.FixtureRequest) -> Iterator[None]:
    _kernel.force_baseline(request.param == "baseline")
    yield
    _kernel.force_baseline(False)


@pytest.mark.usefixtures("path_taken")
def test_scores_equal_the_twin(tiny: tuple[object, Scorer]) -> None:
    model, twin = tiny
    rng = random.Random(5)
    texts = SAMPLES + [random_text(rng) for _ in range(300)]
    blob, offsets = pack_lines(texts)
    ids, logs, scores, facts = model.rank_many(blob, offsets, 8, decisive=False)  # type: ignore[attr-defined]
    for i, text in enumerate(texts):
        guesses, count, unseen = twin.rank(text)
        assert (count, unseen) == (facts[i, 0], facts[i, 1]), text
        got = [
            (model.labels[n], s, p)
            for n, s, p in zip(ids[i].tolist(), scores[i].tolist(), logs[i].tolist(), strict=True)
            if n >= 0
        ]  # type: ignore[attr-defined]
        assert got == guesses, text


def test_random_bytes_never_raise(tiny: tuple[object, Scorer]) -> None:
    rng = random.Random(6)
    lines = [rng.randbytes(rng.randrange(200)) for _ in range(300)]
    offsets = np.cumsum([0, *map(len, lines)]).astype(np.uint64)
    tiny[0].rank_many(b"".join(lines), offsets, 3)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["trained", "random"])
def test_damaged_files_are_refused_or_harmless(kind: str, tiny_model: Path, tmp_path: Path) -> None:
    raw = np.fromfile(
        tiny_model if kind == "trained" else random_model(tmp_path / "random.wtm", decisive=True), np.uint8
    )
    rng = random.Random(7)
    for _ in range(300):
        bad = raw.copy()
        for _ in range(rng.randrange(1, 40)):
            bad[rng.randrange(len(bad) if rng.random() < 0.5 else 400)] = rng.randrange(256)
        bad = bad[: rng.randrange(len(bad))] if rng.random() < 0.2 else bad
        try:
            model = _kernel.LanguageModel(np.ascontiguousarray(bad))
        except ValueError:
            continue
        text = "Füchse springen über the lazy dog Быстрая лиса".encode()
        model.rank_many(text, np.array([0, len(text)], np.uint64))
