"""Chat in Latin letters: 20 sentences of each romanised label that nothing was trained on (romanised.tsv)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from webtongue import Identifier

LINES = (Path(__file__).parent / "romanised.tsv").read_text("utf-8").splitlines()
SENTENCES = [tuple(line.split("\t")[:2]) for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("priors", "right"), [("uniform", 0.93), ("web", 0.7)])
def test_romanised_text_is_named_or_left_open(priors: str, right: float) -> None:
    ident = Identifier(priors=priors)
    count: Counter[str] = Counter()
    for label, text in SENTENCES:
        verdict = ident.identify_text(text)
        count["right"] += verdict.label == label
        count["surely wrong"] += verdict.reliable and verdict.label != label
    assert len(SENTENCES) == 440
    assert count["right"] >= right * len(SENTENCES)
    assert count["surely wrong"] <= 0.005 * len(SENTENCES)
