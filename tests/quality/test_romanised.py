"""Tests of romanised chat: 20 sentences of each romanised label that nothing was trained on (romanised.tsv)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from webtongue import Identifier

LINES = (Path(__file__).parent / "romanised.tsv").read_text("utf-8").splitlines()
SENTENCES = [tuple(line.split("\t")[:2]) for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("priors", "min_right_share"), [("uniform", 0.93), ("web", 0.7)])
def test_romanised_text_is_right_or_not_reliable(priors: str, min_right_share: float) -> None:
    ident = Identifier(priors=priors)
    counts: Counter[str] = Counter()
    for label, text in SENTENCES:
        verdict = ident.identify_text(text)
        counts["right"] += verdict.label == label
        counts["confidently wrong"] += verdict.reliable and verdict.label != label
    assert len(SENTENCES) == 480
    assert counts["right"] >= min_right_share * len(SENTENCES)
    assert counts["confidently wrong"] <= 0.005 * len(SENTENCES)
