"""What the audit drops, and that it says so."""

from __future__ import annotations

import random

from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.read import Corpus
from webtongue.train.corpus.sample import SampleConfig, augment, plain_letters, snippet, source_shares

FILLER = [
    f"{a} {b} {c} words enough to keep a label alive in the audit" for a in "abcdefgh" for b in "ijklmn" for c in "opq"
]


def test_each_reason_is_counted() -> None:
    corpus = Corpus()
    corpus.lines["ui", "eng_Latn"] = [*FILLER, "Edit this page", "12 34", "совсем другое письмо"]
    corpus.lines["ui", "deu_Latn"] = [*(line + " und mehr" for line in FILLER), "Edit this page", "edit THIS page!"]
    clean, report = audit(corpus)
    dropped = {(reason, label): count for (reason, _, label), count in report.dropped.items()}
    assert dropped == {
        ("no letters", "eng_Latn"): 1,
        ("wrong script", "eng_Latn"): 1,
        ("repeated", "deu_Latn"): 1,
        ("several labels", "deu_Latn"): 1,
    }
    assert "Edit this page" in clean.lines["ui", "eng_Latn"]
    assert report.rows()[0]["lines"] == 1


def test_placeholders_are_stripped() -> None:
    corpus = Corpus({("ui", "eng_Latn"): [*FILLER, "see https://example.org/x now", "%s of {{count}} files"]})
    lines = audit(corpus)[0].lines["ui", "eng_Latn"]
    assert not any("example" in line or "count" in line for line in lines)


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
