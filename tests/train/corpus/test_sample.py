"""Shares of sources, lengths and shapes of snippets."""

from __future__ import annotations

import random

from tests.train.corpus.test_audit import FILLER
from webtongue.train.corpus.sample import SampleConfig, augment, plain_letters, snippet, source_shares


def test_no_source_rules_and_scripture_is_bounded() -> None:
    shares = source_shares({"ebible": 10**6, "tatoeba": 150_000, "ud": 150_000, "udhr": 150_000}, SampleConfig())
    assert abs(sum(shares.values()) - 1) < 1e-9
    assert shares["ebible"] <= 0.151
    assert max(shares.values()) <= 0.41
    assert source_shares({"ebible": 1000}, SampleConfig()) == {"ebible": 1.0}


def test_snippets_have_the_lengths_asked_for() -> None:
    rnd, config = random.Random(1), SampleConfig(shortest=10, longest=60)
    lengths = [len(snippet(FILLER, rnd, config)) for _ in range(500)]
    assert max(lengths) <= 64
    assert min(lengths) >= 5
    assert augment("Straße", latin=True, rnd=random.Random(2), config=SampleConfig(upper=1)) == "STRASSE"
    assert plain_letters("Ærøskøbing", spelt=True) == "ÆRoeskoebing".replace("ÆR", "Ær")
