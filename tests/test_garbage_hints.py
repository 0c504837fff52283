"""Garbage in every hint of calls and of batches gives a Verdict; ``bench/evidence.py --only garbage`` makes ten times as many."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from typing import Any

import pytest

import webtongue

SPEC = importlib.util.spec_from_file_location("garbage", Path(__file__).parents[1] / "bench" / "garbage.py")
assert SPEC and SPEC.loader
garbage: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(garbage)


@pytest.mark.parametrize("seed", range(10))
def test_identify_returns_a_verdict_for_garbage_hints(seed: int) -> None:
    rng, ident = Random(seed), webtongue.Identifier()
    for _ in range(50):
        raw, hints = garbage.random_call(rng)
        verdict = ident.identify(raw, **hints)
        assert isinstance(verdict, webtongue.Verdict), hints
        verdict.to_json().encode()


def test_batch_answers_every_row_of_garbage() -> None:
    columns = garbage.random_columns(Random(1), 500)
    assert len(webtongue.Identifier().identify_batch(columns)["label"]) == 500
