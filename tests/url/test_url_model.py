"""The kernel's scores equal a readable twin that reads the model file itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.native.url.test_features import PIECES, TWIN
from tests.twins.url import features as twin
from webtongue import ModelError
from webtongue.train.url.file import BUCKET, LANES, MAGIC, UrlWeights, place, places, read_sections, write_url_model
from webtongue.url.model import DEFAULT, load, reader

READER = reader(load(), "web", None)
SECTIONS = read_sections(DEFAULT)
TAGS = np.frombuffer(SECTIONS["tags"], "<u2")
ROWS = np.frombuffer(SECTIONS["rows"], np.int8).reshape(BUCKET, -1, LANES).astype(np.int64)
BIAS = np.frombuffer(SECTIONS["bias"], "<i4").astype(np.int64)
SCALES = np.frombuffer(SECTIONS["scales"], "<u4").astype(np.int64)


def row_of(key: int) -> np.ndarray | None:
    buckets = len(TAGS) // BUCKET
    tag = key & 0xFFFF or 1
    for bucket in ((key >> 32) * buckets >> 32, (key & 0xFFFFFFFF) * buckets >> 32):
        for slot in range(bucket * BUCKET, bucket * BUCKET + BUCKET):
            if TAGS[slot] == tag:
                return ROWS[slot % BUCKET, bucket]
    return None


def totals(url: str) -> np.ndarray | None:
    reason, found = twin.features(url.encode(), TWIN)
    if reason:
        return None
    plain, text = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    texts = 0
    for key, kind in found:
        is_text = (kind & 0x7F) >= twin.KIND["word"]
        texts += is_text
        row = row_of(key)
        if row is not None:
            (text if is_text else plain).__iadd__(row)
    scores = plain * SCALES[0] + (text * SCALES[texts] if texts else 0)
    return BIAS + (scores >> 16)[: len(BIAS)]


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_scores_equal_the_twin(url: str) -> None:
    expected = totals(url)
    reason, ids, logs = READER.rank(url, 4)
    if expected is None or not ids:
        assert reason
        return
    best = sorted(range(len(expected)), key=lambda i: (-expected[i], i))[:4]
    assert ids == best[: len(ids)]
    for i, log in zip(ids, logs, strict=True):
        assert (logs[0] - log) == min(expected[ids[0]] - expected[i], logs[0] - log + 16) or log == 0


def tiny(path) -> None:
    keys = np.array([(7 << 32) | 5, (9 << 32) | 6], np.uint64)
    rows = np.array([[10, -10], [-20, 20]], np.int8)
    write_url_model(
        path,
        UrlWeights(["eng_Latn", "deu_Latn"], np.log([0.5, 0.5]), np.zeros(2), keys, np.array([1, 2]), rows, 0.1, 0.1),
        64,
        {"note": 1},
    )


def test_same_parts_same_bytes(tmp_path) -> None:
    tiny(tmp_path / "a")
    tiny(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_sections(tmp_path / "a")["labels"] == b"eng_Latn\ndeu_Latn"
    assert load(tmp_path / "a").manifest["note"] == 1


@pytest.mark.parametrize(
    "harm", [lambda b: b[:-1], lambda b: b"XXX" + b[3:], lambda b: b[:40] + b"\xff" * 8 + b[48:], lambda b: MAGIC]
)
def test_damaged_files_are_refused(tmp_path, harm) -> None:
    tiny(tmp_path / "a")
    (tmp_path / "b").write_bytes(harm((tmp_path / "a").read_bytes()))
    with pytest.raises(ModelError):
        load(tmp_path / "b")
    with pytest.raises(ValueError):
        read_sections(tmp_path / "b")


def test_places_are_apart_and_full_buckets_lose_the_last() -> None:
    keys = np.random.default_rng(1).integers(1, 2**63, 200).astype(np.uint64)
    slots = place(keys, 16)
    kept = slots[slots >= 0]
    assert len(set(kept.tolist())) == len(kept) <= 16 * BUCKET
    assert (slots[:16] >= 0).all()


def test_those_in_use_most_come_first_in_their_buckets() -> None:
    chance = np.random.default_rng(2)
    keys, uses = chance.integers(1, 2**63, 100).astype(np.uint64), chance.integers(0, 1000, 100)
    slots, plain = places(keys, uses, 16), place(keys, 16)
    assert (slots // BUCKET == plain // BUCKET).all()
    for bucket in range(16):
        inside = np.flatnonzero(slots // BUCKET == bucket)
        by_place = inside[np.argsort(slots[inside])]
        assert slots[by_place].tolist() == list(range(bucket * BUCKET, bucket * BUCKET + len(inside)))
        assert (np.diff(uses[by_place]) <= 0).all()
