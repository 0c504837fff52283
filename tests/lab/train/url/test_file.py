"""The URL model file: the same parts give the same bytes, damage is noticed, features find their places."""

from __future__ import annotations

import numpy as np
import pytest

from webtongue import ModelError
from webtongue.lab.train.url.file import (
    BUCKET_SLOTS,
    MAGIC,
    UrlWeights,
    assign_slots,
    assign_sorted_slots,
    read_sections,
    write_url_model,
)
from webtongue.url.model import load


def tiny(path) -> None:
    keys = np.array([(7 << 32) | 5, (9 << 32) | 6], np.uint64)
    rows = np.array([[10, -10], [-20, 20]], np.int8)
    write_url_model(
        path,
        UrlWeights(
            ["eng_Latn", "deu_Latn"],
            np.log([0.5, 0.5]),
            np.zeros((4, 2)),
            np.ones((4, 8)),
            keys,
            np.array([1, 2]),
            rows,
            0.1,
            0.1,
        ),
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
    slots = assign_slots(keys, 16)
    placed = slots[slots >= 0]
    assert len(set(placed.tolist())) == len(placed) <= 16 * BUCKET_SLOTS
    assert (slots[:16] >= 0).all()


def test_those_in_use_most_come_first_in_their_buckets() -> None:
    rng = np.random.default_rng(2)
    keys, uses = rng.integers(1, 2**63, 100).astype(np.uint64), rng.integers(0, 1000, 100)
    slots, plain = assign_sorted_slots(keys, uses, 16), assign_slots(keys, 16)
    assert (slots // BUCKET_SLOTS == plain // BUCKET_SLOTS).all()
    for bucket in range(16):
        inside = np.flatnonzero(slots // BUCKET_SLOTS == bucket)
        by_place = inside[np.argsort(slots[inside])]
        assert slots[by_place].tolist() == list(range(bucket * BUCKET_SLOTS, bucket * BUCKET_SLOTS + len(inside)))
        assert (np.diff(uses[by_place]) <= 0).all()
