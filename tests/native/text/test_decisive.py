"""Tests of decisive features: the kernel equals the readable twin, and probability stays within a group."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.native.text.small_model import SAMPLES, random_model, random_text
from tests.twins.text.decisive import Decisive, keys_of
from webtongue import _kernel
from webtongue.files import pack
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.text.file import LOOK_ALIKES, MAGIC, SECTIONS, VERSION, ModelFile, read_model

Ranked = list[list[tuple[str, int, int]]]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("model") / "random.wtm", decisive=True)


@pytest.fixture(scope="module")
def file(path: Path) -> ModelFile:
    return read_model(path)


def ranked(model: _kernel.LanguageModel, texts: list[str], max_guesses: int, decisive: bool) -> Ranked:
    ids, logs, scores, _ = model.rank_many(*pack_lines(texts), max_guesses, decisive=decisive)
    return [
        [(model.labels[n], s, p) for n, s, p in zip(*row, strict=True) if n >= 0]
        for row in zip(ids.tolist(), scores.tolist(), logs.tolist(), strict=True)
    ]


def test_equals_the_twin(path: Path, file: ModelFile) -> None:
    model, twin = _kernel.LanguageModel(np.fromfile(path, np.uint8)), Decisive(file)
    rng = random.Random(8)
    texts = SAMPLES + [random_text(rng) for _ in range(300)]
    before, after = ranked(model, texts, 8, False), ranked(model, texts, 8, True)
    assert before != after
    for text, plain, reranked in zip(texts, before, after, strict=True):
        assert reranked == twin.rerank(text, plain, file.labels), text


def test_fewer_guesses_are_a_prefix_of_more(path: Path) -> None:
    model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
    rng = random.Random(9)
    texts = [random_text(rng) for _ in range(100)]
    for few, many in zip(ranked(model, texts, 1, True), ranked(model, texts, 8, True), strict=True):
        assert few == many[:1]


def test_the_probability_of_the_group_does_not_change(path: Path, file: ModelFile) -> None:
    model, twin = _kernel.LanguageModel(np.fromfile(path, np.uint8)), Decisive(file)
    rng = random.Random(10)
    texts = [random_text(rng) for _ in range(200)]
    for plain, reranked in zip(ranked(model, texts, 8, False), ranked(model, texts, 8, True), strict=True):
        for labels, *_ in twin.groups:
            old = sum(np.exp(p / 1024) for label, _, p in plain if label in labels)
            new = sum(np.exp(p / 1024) for label, _, p in reranked if label in labels)
            assert new == pytest.approx(old, abs=0.02)


def test_ngrams_are_not_read_for_groups_that_words_distinguish(path: Path, file: ModelFile) -> None:
    rng = random.Random(11)
    texts = [random_text(rng) for _ in range(200)]
    memory = np.fromfile(path, np.uint8)
    every_kind, words_only = _kernel.LanguageModel(memory), _kernel.LanguageModel(memory, list(file.labels))
    # The features of this model are of all kinds, so that the answers differ.
    assert ranked(every_kind, texts, 8, True) != ranked(words_only, texts, 8, True)
    assert ranked(every_kind, texts, 8, False) == ranked(words_only, texts, 8, False)
    assert ranked(_kernel.LanguageModel(memory, ["xxx_Latn"]), texts, 8, True) == ranked(every_kind, texts, 8, True)


def test_a_feature_counts_once(path: Path) -> None:
    text = " ".join(SAMPLES[:3])
    assert keys_of(f"{text} . {text} . {text}") >= keys_of(text)
    keys, ends = _kernel.line_keys(*pack_lines([text, f"{text} {text}"]), 7)
    single, doubled = set(keys[: ends[0]].tolist()), set(keys[ends[0] :].tolist())
    assert single == keys_of(text)
    assert len(doubled - single) <= 1  # the pair of words where the two meet
    assert len(keys) == len(single) + len(doubled)


def test_presence_counts_lines() -> None:
    keys, lines = _kernel.presence(*pack_lines(["ja ja ja", "ja nein", "doch"]), 1, 2)
    assert sorted(lines.tolist()) == [1, 1, 2]
    assert len(_kernel.presence(*pack_lines(["ja ja ja", "ja nein", "doch"]), 2, 2)[0]) == 1
    assert keys.tolist() == sorted(keys.tolist())


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("bits", 0, "no labels or too many"),
        ("bits", 60, "no labels or too many"),
        ("size", 1, "no labels or too many"),
        ("size", 17, "no labels or too many"),
        ("count", 1 << 31, "cut short"),
        ("count", 0, "do not hold"),
    ],
)
def test_a_damaged_group_is_refused(file: ModelFile, field: str, value: int, sentence: str) -> None:
    groups = np.frombuffer(file.sections["look_alikes"], LOOK_ALIKES).copy()
    groups[field][3] = value
    sections = file.sections | {"look_alikes": groups.tobytes()}
    with pytest.raises(ValueError, match=sentence):
        _kernel.LanguageModel(np.frombuffer(pack(MAGIC, VERSION, {n: sections[n] for n in SECTIONS}), np.uint8))


def test_a_label_has_one_group(file: ModelFile) -> None:
    groups = np.frombuffer(file.sections["look_alikes"], LOOK_ALIKES).copy()
    for label in (int(groups["labels"][0][0]), 60_000):
        groups["labels"][3][0] = label
        sections = file.sections | {"look_alikes": groups.tobytes()}
        with pytest.raises(ValueError, match="in no group of look-alikes or in two"):
            _kernel.LanguageModel(np.frombuffer(pack(MAGIC, VERSION, {n: sections[n] for n in SECTIONS}), np.uint8))


def test_damaged_starts_are_refused_or_harmless(file: ModelFile) -> None:
    rng = random.Random(11)
    blob, offsets = pack_lines(SAMPLES)
    refused = 0
    for _ in range(200):
        name = rng.choice(["look_alikes", "decisive_starts", "decisive_tags", "decisive_weights"])
        part = bytearray(file.sections[name])
        for _ in range(rng.randrange(1, 4)):
            part[rng.randrange(len(part))] = rng.randrange(256)
        sections = file.sections | {name: bytes(part[: -rng.randrange(1, 9)] if rng.random() < 0.2 else part)}
        try:
            model = _kernel.LanguageModel(
                np.frombuffer(pack(MAGIC, VERSION, {n: sections[n] for n in SECTIONS}), np.uint8)
            )
        except ValueError:
            refused += 1
            continue
        model.rank_many(blob, offsets)
    assert refused > 20
