"""Shares of sources, lengths and shapes of snippets."""

from __future__ import annotations

import random

from tests.lab.train.corpus.test_audit import FILLER
from webtongue.lab.train.corpus.sample import (
    SampleConfig,
    augment,
    compute_source_shares,
    draw_snippet,
    draw_unmarked_lines,
    strip_diacritics,
)


def test_no_source_rules_and_scripture_is_bounded() -> None:
    shares = compute_source_shares(
        {"ebible": 10**6, "tatoeba": 150_000, "ud": 150_000, "udhr": 150_000}, SampleConfig()
    )
    assert abs(sum(shares.values()) - 1) < 1e-9
    assert shares["ebible"] <= 0.151
    assert max(shares.values()) <= 0.41
    assert compute_source_shares({"ebible": 1000}, SampleConfig()) == {"ebible": 1.0}


def test_snippets_have_the_lengths_asked_for() -> None:
    rng, config = random.Random(1), SampleConfig(shortest=10, longest=60)
    lengths = [len(draw_snippet(FILLER, rng, config)) for _ in range(500)]
    assert max(lengths) <= 64
    assert min(lengths) >= 5
    assert augment("Straße", label="deu_Latn", rng=random.Random(2), config=SampleConfig(upper=1)) == "STRASSE"
    assert strip_diacritics("Ærøskøbing", spelt_out=True) == "AEroeskoebing"


def test_text_without_diacritics_is_drawn_for_latin_and_greek() -> None:
    lines = ["Mũndũ wa mbere", "no marks", "ĩno nĩ nyũmba"] * 4
    drawn = draw_unmarked_lines(lines, "kik_Latn", 2)
    assert drawn[0] == (0, "Mundu wa mbere")
    assert all(text != lines[number] for number, text in drawn)
    assert draw_unmarked_lines(["Καλημέρα σας"], "ell_Grek", 1) == [(0, "Καλημερα σας")]
    assert not draw_unmarked_lines(["Ёлка"], "rus_Cyrl", 1)
