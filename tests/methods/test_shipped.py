"""The small models that ship with the package."""

from __future__ import annotations

import pytest

from tests.methods.texts import NEW
from webtongue import methods
from webtongue.methods.base import read_file

MOST_BYTES = 1_500_000
SHIPPED = sorted(path.stem for path in methods.SHIPPED.glob(f"*{methods.SUFFIX}"))
# A tree of some 500 leaves for a hundred languages is what it is; NFC has 10 n-grams a language; one sentence may lie beyond
# the border that the composite approach sets for pages.
WEAK = {"composite", "decision_tree", "nfc"}


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in methods.SHIPPED.iterdir()) < MOST_BYTES
    assert len(SHIPPED) >= 12


@pytest.mark.parametrize("name", SHIPPED)
def test_they_answer(name: str) -> None:
    model = methods.ready(name)
    right = sum(model.answer(text).label == label for label, text in NEW.items())
    assert right >= len(NEW) - (name in WEAK) * 2
    head, _ = read_file(methods.SHIPPED / f"{name}{methods.SUFFIX}")
    assert set(head["manifest"]["sources"]) == {"udhr", "tatoeba", "commonvoice"}
