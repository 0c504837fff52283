"""Fitting a URL model: the kernel equals its twin."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twins.train import url as twin
from webtongue import _kernel
from webtongue.lab.train.url.file import LANES

FEATURES, LABELS = 40, 5
DROPS = (0.3, 0.2, 0.5)


def example(seed: int):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(60):
        ids = rng.permutation(FEATURES)[: rng.integers(1, 9)].astype(np.uint32)
        values = rng.random(len(ids)).astype(np.float32)
        rows.append((ids, rng.choice([0, 1, 2, 4], len(ids)).astype(np.uint8), values))
    starts = np.cumsum([0] + [len(row[0]) for row in rows]).astype(np.uint64)
    flat = [np.concatenate([row[i] for row in rows]) for i in range(3)]
    truth = rng.integers(0, LABELS, len(rows)).astype(np.uint16)
    return rows, (starts, *flat), truth, rng.random(len(rows)).astype(np.float32) + 0.5, rng


@pytest.mark.parametrize("seed", range(5))
def test_fit_and_predict_equal_the_twin(seed: int) -> None:
    rows, packed, truth, weights, rng = example(seed)
    order = rng.permutation(len(rows)).astype(np.uint32)
    kernel = [np.zeros((FEATURES, LANES), np.float32) for _ in range(2)] + [np.zeros(LANES, np.float32) for _ in "ab"]
    plain = [array.astype(np.float64) for array in kernel]
    loss = _kernel.fit_urls(*packed, order, truth, weights, 0.1, *DROPS, 0.02, seed, LABELS, *kernel)
    expected = twin.fit(rows, order, truth, weights, 0.1, DROPS, 0.02, seed, LABELS, *plain)
    assert loss == pytest.approx(expected, rel=1e-4)
    for ours, theirs in zip(kernel, plain, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)
    out = np.zeros((len(rows), LANES), np.float32)
    _kernel.predict_urls(*packed, kernel[0], kernel[2], out)
    np.testing.assert_allclose(out, twin.predict(rows, kernel[0], kernel[2]), atol=1e-4)
