"""A page that is known by its URL and by what others say of it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.consistency import check
from webtongue import Identifier, Inlink, Verdict

IDENT = Identifier()
SILENT = "http://192.0.2.7/4711/"
NAMELESS = "https://example.com/4711"
GERMAN = "https://www.example.de/nachrichten/aus-der-region/die-neue-bibliothek.html"


def weights(verdict: Verdict) -> dict[str, float]:
    return {row.source: row.weight for row in verdict.evidence if row.weight}


def linked(language: str, count: int = 3) -> list[Inlink]:
    return [Inlink(f"https://site-{number}.example/", language) for number in range(count)]


def test_nothing_given_changes_nothing() -> None:
    for url in (GERMAN, NAMELESS, SILENT, "nonsense"):
        plain = IDENT.identify_url(url)
        for evidence in ({"inlinks": []}, {"host": {}}, {"country": ""}, {"ip": ""}, {"inlinks": [{}]}, {"anchor": ""}):
            verdict = IDENT.identify_url(url, **evidence)  # type: ignore[arg-type]
            assert verdict == plain and verdict.to_dict() == plain.to_dict()


def test_sources_speak_for_languages_that_no_url_is_known_in() -> None:
    for evidence in (
        {"inlinks": linked("is")},
        {"inlinks": linked("is"), "host": {"isl": 50}},
        {"inlinks": linked("is"), "country": "IS"},
    ):
        verdict = IDENT.identify_url(NAMELESS, **evidence)  # type: ignore[arg-type]
        assert verdict.label == "isl_Latn", evidence
        assert verdict.tier == IDENT.tiers["isl_Latn"] and verdict.script == "Latn"
    assert IDENT.identify_url("https://example.is/frettir", country="IS").label == "isl_Latn"


def test_a_clear_address_is_not_overturned() -> None:
    for evidence in ({"country": "IS"}, {"country": "US"}, {"inlinks": linked("en", 1)}):
        assert IDENT.identify_url(GERMAN, **evidence).language == "de"  # type: ignore[arg-type]


def test_scripts_of_a_language_that_urls_are_known_in() -> None:
    assert IDENT.identify_url("https://www.example.tw/4711", country="TW").label == "zho_Hant"
    assert IDENT.identify_url("https://www.example.cn/4711", country="CN").label == "zho_Hans"


def test_scripts_that_nothing_tells_apart_stay_one() -> None:
    verdict = IDENT.identify_url("https://www.example.rs/vesti/4711", country="RS", host={"srp": 50})
    assert verdict.label == "srp_Cyrl" and verdict.confidence > 0.9


def test_silent_addresses() -> None:
    assert IDENT.identify_url(SILENT, inlinks=linked("fr")).language == "fr"
    unknown = IDENT.identify_url(SILENT, inlinks=[Inlink("https://example.org/")])
    assert (unknown.label, unknown.reason) == ("und", "says_nothing")
    v6 = IDENT.identify_url("http://[2001:db8::1]/", inlinks=linked("fr"))
    assert v6.language == "fr"
    words = IDENT.identify_url(SILENT, anchor="Íslenskar fréttir af veðri og færð á vegum landsins")
    assert words.language == "is"


@pytest.mark.parametrize("url", ["", "nonsense", "javascript:void(0)", "https://user:x@example.is/", "x" * 70_000])
def test_what_is_no_address_stays_none(url: str) -> None:
    verdict = IDENT.identify_url(url, inlinks=linked("is"), country="IS", host={"isl": 10})
    assert verdict.label == "und" and verdict.reason == IDENT.identify_url(url).reason
    assert verdict.country == "IS" and verdict.guesses == ()


def test_lists_of_languages_are_kept() -> None:
    verdict = Identifier(languages=["de", "fr"]).identify_url(NAMELESS, inlinks=linked("is"))
    assert (verdict.label, verdict.reason) == ("und", "not_asked")
    assert all(guess.label in ("deu_Latn", "fra_Latn") for guess in verdict.guesses)
    swahili = Identifier(languages=["sw"])
    assert swahili.identify_url("https://example.co.tz/habari", inlinks=linked("sw"), country="TZ").language == "sw"
    assert swahili.identify_url(GERMAN, country="DE").reason == "not_asked"


def test_sources_that_are_not_listened_to() -> None:
    evidence: dict[str, Any] = {"inlinks": linked("is"), "country": "IS", "host": {"isl": 100}}
    assert Identifier(evidence=()).identify_url(NAMELESS, **evidence).label == IDENT.identify_url(NAMELESS).label
    assert set(weights(Identifier(evidence=["links"]).identify_url(NAMELESS, **evidence))) == {"url", "prior", "links"}
    assert set(weights(IDENT.identify_url(NAMELESS, **evidence))) == {"url", "prior", "links", "country", "host"}


def test_words_of_a_link_weigh_what_they_did() -> None:
    verdict = IDENT.identify_url(NAMELESS, anchor="Alle Nachrichten aus der Region auf einen Blick lesen")
    plain = IDENT.identify_url(NAMELESS)
    most = 0.35 * math.log2(10_000)  # what a probability of 1 is evidence one of 1 in 10,000
    assert 3 < abs(weights(verdict)["anchor"]) <= most + 0.01
    assert dict(verdict.guesses)["deu_Latn"] > dict(plain.guesses).get("deu_Latn", 0.0)


def test_garbage_gives_a_verdict() -> None:
    rnd = random.Random(8)
    junk: list[Any] = [
        None,
        "",
        "\ud800",
        "x" * 5000,
        0,
        -1.5,
        float("nan"),
        float("inf"),
        10**400,
        b"is",
        [],
        {},
        True,
        "is",
        "zh-TW",
    ]
    for _ in range(1000):
        links = [
            {key: rnd.choice(junk) for key in ("url", "language", "confidence", "anchor", "hreflang")} for _ in range(rnd.randrange(4))
        ]  # fmt: skip
        host = {rnd.choice(("is", "", "\ud800", "eng", 7, None)): rnd.choice(junk) for _ in range(3)}
        texts = [value for value in junk if value is None or isinstance(value, str)]
        verdict = IDENT.identify_url(
            rnd.choice((NAMELESS, SILENT, GERMAN, "nonsense")), rnd.choice(texts), rnd.choice(texts),
            inlinks=rnd.choice((links, [], None)), country=rnd.choice(texts), host=host,  # type: ignore[arg-type]
        )  # fmt: skip
        check(verdict, 0)


def test_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError, match="country"):
        IDENT.identify_url(NAMELESS, country=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ip"):
        IDENT.identify_url(NAMELESS, ip=b"::1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="host"):
        IDENT.identify_url(NAMELESS, host=[1])  # type: ignore[arg-type]
    for urls in ("https://example.is/", ["https://example.is/"], [b"https://example.is/"]):
        with pytest.raises(TypeError, match="Inlink"):
            IDENT.identify_url(NAMELESS, inlinks=urls)  # type: ignore[arg-type]
