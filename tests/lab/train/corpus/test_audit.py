"""What the audit drops, and that it says so."""

from __future__ import annotations

from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.read import Corpus

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
