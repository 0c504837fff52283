"""Tests that a Verdict is frozen, has evidence, and round-trips through JSON and pickle."""

from __future__ import annotations

import dataclasses
import json
import pickle

import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue.verdict import Evidence, Explanation, Guess, Segment, Verdict

PAGES_READ = [(PAGES / row["file"]).read_bytes() for row in rows(PAGES / "index.jsonl")]
ODD = [b"", b" ", b"1 2 3", b"<p>", b"\0\0", b"GIF89a", b"x", "Καλημέρα abc".encode(), b"<p>\xff\xfe\xfd"]


@pytest.mark.parametrize("raw", PAGES_READ + ODD)
def test_round_trips(raw: bytes) -> None:
    v = webtongue.identify(raw, url="http://example.org/", headers={"content-language": "el, en"})
    copy = pickle.loads(pickle.dumps(v))
    assert copy == v
    assert (copy.segments, copy.evidence, copy.declared_language) == (v.segments, v.evidence, v.declared_language)
    line = v.to_json()
    assert "\n" not in line
    line.encode()
    again = Verdict.from_dict(json.loads(line))
    assert again.to_dict() == v.to_dict()


@pytest.mark.parametrize("raw", PAGES_READ + ODD)
def test_every_answer_has_evidence(raw: bytes) -> None:
    v = webtongue.identify(raw)
    assert bool(v.reason) == (v.label in ("und", "zxx", "mul"))
    assert 0 <= v.confidence <= 1
    assert 0 <= v.encoding_confidence <= 1
    assert v.label == "zxx" or v.evidence
    assert v.language
    assert v.guesses == tuple(sorted(v.guesses, key=lambda g: -g.probability))


def test_frozen() -> None:
    v = webtongue.identify(b"<p>x")
    with pytest.raises(dataclasses.FrozenInstanceError):
        v.label = "eng_Latn"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        v.extra = 1  # type: ignore[attr-defined]
    for thing in (Guess("eng_Latn", 1.0), Segment(0, 1, "eng_Latn", 1.0), Evidence("a", "b")):
        with pytest.raises(AttributeError):
            thing.label = "x"  # type: ignore[misc]
    assert hash(v) == hash(webtongue.identify(b"<p>x"))


def test_agreement() -> None:
    def declared(language: str, encoding: str = "") -> Explanation:
        return Explanation(declared_language=language, declared_encoding=encoding)

    assert Verdict("srp_Latn", 0.9, details=declared("srp_Cyrl")).agrees is True
    assert Verdict("hrv_Latn", 0.9, details=declared("srp_Latn")).agrees is False
    assert Verdict("srp_Cyrl", 0.9, details=declared("srp_Latn")).agrees is False  # an explicit script
    assert Verdict("zho_Hans", 0.9, details=declared("zho_Hant")).agrees is False
    assert Verdict("zho_Hant", 0.9, details=declared("zho_Hans")).agrees is True
    assert Verdict("und", 0.0, details=declared("srp_Latn")).agrees is None
    assert Verdict("hrv_Latn", 0.9).agrees is None
    assert Verdict("hrv_Latn", 0.9, encoding="utf-8", details=declared("", "utf-8")).encoding_agrees is True
    assert Verdict("hrv_Latn", 0.9, encoding="utf-8", details=declared("", "koi8-r")).encoding_agrees is False


def test_invalid_headers_are_ignored() -> None:
    v = webtongue.identify(b"<p>x", headers={"content-language": "\ud800", "Content-Type": None, b"x": [b"y"]})  # type: ignore[dict-item]
    v.to_json().encode()
