"""Tests that the parts of a Verdict are consistent: label, guesses, segments, languages, group, evidence and reason.

Some thousand generated inputs here; `python -m tests.consistency 100000` looks at as many as you like.
"""

from __future__ import annotations

import json
import pickle
import random

import pytest

from tests.consistency import IDENTIFIERS, check_batch, check_page, check_text, check_url


@pytest.mark.parametrize("seed", range(8))
def test_verdicts_of_texts_are_consistent(seed: int) -> None:
    rng = random.Random(f"text {seed}")
    for _ in range(250):
        check_text(rng, IDENTIFIERS[seed % len(IDENTIFIERS)])


@pytest.mark.parametrize("seed", range(8))
def test_verdicts_of_pages_are_consistent(seed: int) -> None:
    rng = random.Random(f"page {seed}")
    for _ in range(120):
        verdict = check_page(rng, IDENTIFIERS[seed % len(IDENTIFIERS)])
        assert pickle.loads(pickle.dumps(verdict)).to_dict() == verdict.to_dict()
        assert verdict.to_json() == json.dumps(verdict.to_dict(), ensure_ascii=False)


def test_verdicts_of_urls_are_consistent() -> None:
    rng = random.Random("url")
    for _ in range(1000):
        check_url(rng, IDENTIFIERS[0])


@pytest.mark.parametrize("seed", range(4))
def test_batches_equal_single_verdicts(seed: int) -> None:
    rng = random.Random(f"batch {seed}")
    check_batch(rng, IDENTIFIERS[seed % len(IDENTIFIERS)], 100)
