"""A Verdict never contradicts itself: its label, guesses, segments, languages, group, evidence and reason tell one story.

Some thousand generated inputs here; `python -m tests.consistency 100000` looks at as many as you like.
"""

from __future__ import annotations

import json
import pickle
import random

import pytest

from tests.consistency import IDENTS, check_batch, check_page, check_text, check_url


@pytest.mark.parametrize("seed", range(8))
def test_texts(seed: int) -> None:
    rnd = random.Random(f"text {seed}")
    for _ in range(250):
        check_text(rnd, IDENTS[seed % len(IDENTS)])


@pytest.mark.parametrize("seed", range(8))
def test_pages(seed: int) -> None:
    rnd = random.Random(f"page {seed}")
    for _ in range(120):
        verdict = check_page(rnd, IDENTS[seed % len(IDENTS)])
        assert pickle.loads(pickle.dumps(verdict)).to_dict() == verdict.to_dict()
        assert verdict.to_json() == json.dumps(verdict.to_dict(), ensure_ascii=False)


def test_urls() -> None:
    rnd = random.Random("url")
    for _ in range(1000):
        check_url(rnd, IDENTS[0])


@pytest.mark.parametrize("seed", range(4))
def test_batches(seed: int) -> None:
    rnd = random.Random(f"batch {seed}")
    check_batch(rnd, IDENTS[seed % len(IDENTS)], 100)
