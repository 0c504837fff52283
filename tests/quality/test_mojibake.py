"""Tests that mojibake is repaired, by kind, and that other text is not."""

from __future__ import annotations

import random

import pytest

import webtongue
from tests.quality import identify, samples
from tests.quality.garbled import MOJIBAKE
from tests.quality.sentences import SENTENCES
from webtongue.charset.detection.mojibake import find_repair
from webtongue.labels import fold

MIN_RIGHT_SHARE = 0.95
MIN_LEGACY_RIGHT_SHARE = 0.9  # includes text of 80 characters, and up to three wrong decodings


@pytest.mark.parametrize("form", [name for name in MOJIBAKE if "cp1252" in name or "latin-1" in name])
def test_repeated_mojibake_of_utf8_is_repaired(form: str) -> None:
    rng = random.Random(form)
    texts = [(label, MOJIBAKE[form](" ".join(sentences), rng)) for label, sentences in SENTENCES.items()]
    right = [label for label, text in texts if webtongue.identify_text(text).label == str(fold(label))]
    assert len(right) >= MIN_RIGHT_SHARE * len(texts), set(SENTENCES) - set(right)


def test_mojibake_of_legacy_encodings_is_repaired() -> None:
    legacy_samples = [sample for sample in samples("misread old encodings") if not sample.language.endswith("_Latn")]
    assert len(legacy_samples) >= 80
    wrong = [sample for sample in legacy_samples if identify(sample).label != sample.language]
    assert len(wrong) <= (1 - MIN_LEGACY_RIGHT_SHARE) * len(legacy_samples), wrong[:3]


@pytest.mark.parametrize(
    "kind", ["consonant skeletons", "ciphers", "codes of random letters", "bars from A to Z", "lists of members"]
)
def test_other_garbled_text_is_not_repaired(kind: str) -> None:
    reader = webtongue.Identifier().reader
    for sample in samples(kind):
        if isinstance(sample.content, str):
            assert find_repair(sample.content, reader) is None, sample.content
