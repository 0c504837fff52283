"""Tests that a Verdict is frozen, has evidence, and round-trips through JSON and pickle."""

from __future__ import annotations

import dataclasses
import inspect
import json
import pickle

import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import schema
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Segment, Verdict

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


def test_a_verdict_names_its_language_and_prints_short() -> None:
    v = webtongue.identify_text("Bókasafnið er opið alla daga vikunnar nema á sunnudögum.")
    assert v.name == "Icelandic"
    assert repr(v) == f"<Verdict is (Icelandic), {v.confidence:.1%}>"
    assert repr(webtongue.identify(b"")) == "<Verdict und (Undetermined), empty>"
    assert repr(webtongue.identify_text("Wie spät ist es?")).endswith(", not reliable>")


def test_notebooks_show_an_escaped_table() -> None:
    details = Explanation("<script>alert(1)</script>", declared_language="isl_Latn")
    html = Verdict("und", 0.0, reason=Reason.EMPTY, details=details)._repr_html_()
    assert "<script" not in html
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in html
    assert html.startswith("<table>")
    assert "isl_Latn" in html


def test_help_describes_every_field() -> None:
    names = [field.name for field in dataclasses.fields(Verdict)] + [field.name for field in schema.FIELDS]
    for name in {*names, "name", "explanation"}:
        assert inspect.getdoc(getattr(Verdict, name)), name


SENTENCES = {
    "12 letters, 15 are needed": b"Wie sp\xc3\xa4t ist es?",
    "11 letters, 20 are needed": "Halló heimur".encode(),
    "5 letters, 20 are needed; probability": b"hello",
    "3 words of running text, 4 are needed": "我们的图书馆".encode(),
    "a standard text of servers or tools": b"<title>404 Not Found</title><h1>Not Found</h1>The requested URL was not found on this server.",
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_answer_that_is_not_reliable_says_why(sentence: str) -> None:
    v = webtongue.identify(SENTENCES[sentence])
    assert not v.reliable
    assert not v.reason
    assert v.why.startswith(sentence)
    assert json.loads(v.to_json())["why"] == v.why
    assert webtongue.identify_batch({"raw": [SENTENCES[sentence]] * 2})["why"] == [v.why] * 2


def test_evidence_that_decides_against_the_text_is_named() -> None:
    text = b"<p>Dobro jutro, dobar dan, hvala lijepa</p>"
    links = [webtongue.Inlink(f"https://example{i}.rs/", "sr-Latn") for i in range(9)]
    v = webtongue.identify(text, url="https://example.rs/", country="RS", inlinks=links)
    assert v.label == "srp_Latn"
    assert not v.reliable
    assert v.why.startswith("other evidence decides: the text alone is ")


@pytest.mark.parametrize("raw", PAGES_READ + ODD)
@pytest.mark.parametrize("size", [30, 60, 1 << 20])
def test_a_sentence_is_given_exactly_if_the_answer_is_not_reliable(raw: bytes, size: int) -> None:
    links = [{"url": "https://example.is/", "language": "is"}]
    hints = {"url": "https://example.is/", "country": "IS", "inlinks": links}
    for verdict in (webtongue.identify(raw[-size:]), webtongue.identify(raw[-size:], **hints)):  # type: ignore[arg-type]
        assert bool(verdict.why) == (not verdict.reliable)
    columns = {name: [value] * 2 for name, value in ({"raw": raw[-size:]} | hints).items()}
    assert webtongue.identify_batch(columns)["why"] == [verdict.why] * 2


@pytest.mark.parametrize(
    "url", ["https://example.de/", "https://example.com/library/opening-hours", "https://example.is/frettir"]
)
def test_a_url_that_is_not_reliable_says_why(url: str) -> None:
    verdicts = [webtongue.identify_url(url), webtongue.identify_url(url, country="IS"), *webtongue.identify_urls([url])]
    for verdict in verdicts:
        assert bool(verdict.why) == (not verdict.reliable)
    links = [webtongue.Inlink(f"https://example{i}.is/", "is") for i in range(9)]
    by_links = webtongue.identify_url("https://example.com/4711", inlinks=links)
    assert by_links.label == "isl_Latn"
    assert "other evidence decides" in by_links.why
