"""What an address says beside other evidence: for all languages, in nats, whatever it is."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import Identifier
from webtongue.evidence.hint import Hint
from webtongue.evidence.url import url_evidence, url_hint
from webtongue.policy import LOG_SCALE
from webtongue.url.model import load, reader

READER = url_evidence(load())


def hint_of(url: str) -> Hint:
    return url_hint(url, READER)


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("https://dæmi.is/um-okkur/", "isl"), ("https://is.example.org/", "isl"), ("https://example.com/fo/", "fao"),
        ("https://example.com/index.php?lang=eu", "eus"), ("https://www.example.com/cy-GB/news", "cym"),
        ("https://example.eus/", "eus"), ("https://example.gal/", "glg"), ("https://example.bzh/", "bre"),
        ("https://example.cymru/", "cym"), ("https://example.com.mt/", "mlt"), ("https://example.gov.kh/", "khm"),
        ("https://example.mn/medee", "mon"), ("https://example.ge/", "kat"), ("https://xn--lodaehvb5cdik4g.xn--node/", "kat"),
        ("https://example.com/%E1%83%A1%E1%83%90%E1%83%A5%E1%83%90", "kat"), ("https://example.com/ደህና-ሁን", "amh"),
        ("https://example.ba/", "bos"), ("https://example.hr/", "hrv"), ("https://example.rs/", "srp"),
        ("http://xn--e1afmkfd.xn--p1ai/", "rus"), ("http://пример.рф/", "rus"), ("https://example.com/arabic/", "ara"),
        ("https://example.com/?lang=pt", "por"), ("https://example.com/icelandic/", "isl"),
        ("https://example.tw/", "zho_Hant"), pytest.param("https://example.hk/", "zho_Hant", marks=pytest.mark.xfail(reason="English is the likeliest language there")), ("https://example.cn/", "zho_Hans"),
        ("https://example.com/zh-tw/", "zho_Hant"), ("https://example.tw/zh-cn/xinwen/", "zho_Hans"), ("https://example.台灣/", "zho_Hant"),
    ],
)  # fmt: skip
def test_what_an_address_speaks_for(url: str, label: str) -> None:
    hint = hint_of(url)
    assert (hint.source, hint.label) == ("url", label)
    assert hint.nats[label] > 0


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/",
        "https://example.com/mt/",
        "https://www.example.de/en/products/",
        "https://example.is/frettir/",
        "https://example.com/?lang=eu",
    ],
)
def test_the_hint_and_a_prior_are_the_answer(url: str) -> None:
    """One judgement: its nats and the reader's priors give the probabilities of ``identify_url``."""
    url_reader = reader(load(), "web", None)
    _, ids, logs = url_reader.rank(url, 3)
    _, nats = load().kernel.nats(url)
    scores = [nats[url_reader.labels[i][:3]] + url_reader.log_prior(i) / LOG_SCALE for i in ids]
    for score, log in zip(scores, logs, strict=True):
        assert scores[0] - score == pytest.approx((logs[0] - log) / LOG_SCALE, abs=0.05)


def test_a_neutral_address_is_hardly_evidence() -> None:
    """Names of companies on .com, in no language: no language is made ten times as likely."""
    for name in (
        "zalvero",
        "medium",
        "acmecorp",
        "hotel",
        "brixton",
        "novatek",
        "globex",
        "initech",
        "slack",
        "umbrella",
    ):
        assert max(hint_of(f"https://www.{name}.com/").nats.values(), default=0.0) < math.log(10), name


def test_english_sentences_stay_english_on_any_com() -> None:
    for name in ("medium", "zalvero", "hotel", "novatek", "kompas", "asahi"):
        verdict = Identifier().identify(
            b"<p>This is a clear English sentence about the weather of today.", url=f"https://{name}.com/"
        )
        assert verdict.label == "eng_Latn", name


def test_both_scripts_of_chinese_or_none() -> None:
    assert {"zho_Hans", "zho_Hant"} <= hint_of("https://example.tw/").nats.keys()
    assert "zho" not in hint_of("https://example.tw/").nats
    assert "zho" in hint_of("https://example.com/zh/").nats


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "javascript:void(0)",
        "data:text/plain,a",
        "http://[::1]/is/",
        "http://user@example.is/",
        "a b",
        "\ud800",
        "x" * 70_000,
    ],
)
def test_what_is_no_address_is_silent(url: str) -> None:
    hint = hint_of(url)
    assert (hint.label, dict(hint.nats)) == ("", {})


def test_codes_that_mean_something_else_say_less() -> None:
    """By measurement: /my/ is one's own page as often as Burmese."""
    assert hint_of("https://example.com/my/").nats["mya"] < hint_of("https://example.com/km/").nats["khm"]


def test_code_and_country_together_say_more_than_one() -> None:
    both = hint_of("https://example.fo/fo/").nats["fao"]
    assert both > hint_of("https://example.fo/").nats["fao"]
    assert both > hint_of("https://example.com/fo/").nats["fao"]


@settings(max_examples=500)
@given(st.text(max_size=80))
def test_any_text_may_be_asked_of(url: str) -> None:
    for address in (
        url,
        f"http://{url}",
        f"http://example.{url}/",
        f"http://example.is/{url}",
        f"http://xn--{url}.is/?{url}",
    ):
        hint = hint_of(address)
        assert all(math.isfinite(nats) for nats in hint.nats.values())
        assert hint.label == "" or hint.nats[hint.label] > 0


def test_garbage_by_the_thousand() -> None:
    chance = random.Random(8)
    pieces = [
        "http://", "//", "/", "?", "&", "=", "lang", "is", "fo", ".", "-", "_", "%E1", "%", "xn--", "xn--p1ai", "рф", "ქა", "\ud800", "\0", ":", "@",
        "#", "tw", "zh-tw", "a" * 70, "é", "\u0301", "example", "com", "[", "]", " ", "\n", "99999",
    ]  # fmt: skip
    for _ in range(5000):
        url = "".join(chance.choices(pieces, k=chance.randint(0, 14)))
        assert isinstance(hint_of(url), Hint)
