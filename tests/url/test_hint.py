"""What an address says beside other evidence: for all languages, in nats, whatever it is."""

from __future__ import annotations

import math
import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import _kernel
from webtongue.hints.hint import Hint
from webtongue.url.hint import address_reader, url_hint
from webtongue.url.model import NATS, load, reader
from webtongue.url.places import places_of, scripts_in, tokens

READER = address_reader(load())


def said(url: str) -> Hint:
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
        ("https://example.tw/", "zho_Hant"), ("https://example.hk/", "zho_Hant"), ("https://example.cn/", "zho_Hans"),
        ("https://example.com/zh-tw/", "zho_Hant"), ("https://example.tw/zh-cn/xinwen/", "zho_Hans"), ("https://example.台灣/", "zho_Hant"),
    ],
)  # fmt: skip
def test_what_an_address_speaks_for(url: str, label: str) -> None:
    hint = said(url)
    assert (hint.source, hint.label) == ("url", label)
    assert hint.nats[label] > 0


def test_the_model_is_heard_as_a_ratio() -> None:
    """Its chances less its priors; what is ruled out is not ruled out wholly."""
    url = "https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/"
    hint = said(url)
    found = reader(load(), "web", None)
    _, ids, logs = found.rank(url, 1)
    ratio = (logs[0] - load().kernel.own_priors[ids[0]]) / NATS
    assert found.labels[ids[0]] == "deu_Latn"
    middle = READER.kernel.liken(url, READER.ratios)[3]
    assert 0.5 * ratio < hint.nats["deu"] + middle < ratio + 0.1
    assert middle >= math.log(0.005)
    others = [hint.nats.get(name, 0.0) for name in READER.languages]
    assert sum(value > 0 for value in others) <= len(others) / 2 >= sum(value < 0 for value in others)


def test_both_scripts_of_chinese_or_none() -> None:
    assert {"zho_Hans", "zho_Hant"} <= said("https://example.tw/").nats.keys()
    assert "zho" not in said("https://example.tw/").nats
    assert "zho" in said("https://example.com/zh/").nats


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
    hint = said(url)
    assert (hint.label, dict(hint.nats)) == ("", {})


def test_codes_that_mean_something_else_say_less() -> None:
    """By measurement: /my/ is one's own page as often as Burmese."""
    assert said("https://example.com/my/").nats["mya"] < said("https://example.com/km/").nats["khm"]


def test_code_and_country_together_say_more_than_one() -> None:
    both = said("https://example.fo/fo/").nats["fao"]
    assert both > said("https://example.fo/").nats["fao"]
    assert both > said("https://example.com/fo/").nats["fao"]


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
        hint = said(address)
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
        places = places_of(url)
        assert all(isinstance(token, str) for _, token in tokens(places))
        assert isinstance(scripts_in(places), tuple)
        assert isinstance(said(url), Hint)


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["is", "de", "nachrichten", "www", "com", "/", ".", "?lang=", "-", "новости", "a"]), max_size=8
    )
)
def test_the_kernel_looks_up_what_it_ranks(pieces: list[str]) -> None:
    url = "http://" + "".join(pieces)
    names, steps = READER.languages, [0.01 * i - 9 for i in range(2000)]
    lowest = [prior - 10 * NATS for prior in load().kernel.own_priors]
    shares = [math.exp(prior / NATS) for prior in load().kernel.own_priors]
    ratios = _kernel.UrlRatios(lowest, steps, 4, names, 0.5, shares, 0.01)
    reason, ids, logs = READER.kernel.rank(url, array("i", [0] * len(names)), -(1 << 28), len(names))
    nats = [steps[0]] * len(names)
    for i, log in zip(ids, logs, strict=True):
        nats[i] = steps[min(max((log - lowest[i]) >> 4, 0), len(steps) - 1)]
    shrunk = [
        math.log((share * math.exp(value) + 0.01) / (share + 0.01)) for share, value in zip(shares, nats, strict=True)
    ]
    expected = dict(zip(names, shrunk, strict=True)) if ids else {}
    best = max(range(len(names)), key=lambda i: (expected[names[i]], -i)) if ids else -1
    middle = sorted(expected.values())[len(names) // 2] if ids else 0.0
    said = {name: value - middle for name, value in expected.items() if abs(value - middle) >= 0.5}
    found = READER.kernel.liken(url, ratios)
    assert found[:2] == (reason, best)
    assert found[3] == pytest.approx(middle)
    assert found[2] == pytest.approx(said)


def test_ratios_fit_their_model() -> None:
    for lowest, steps, shift, keys in (
        ([0], [], 4, ["a"]),
        ([0], [0.0], 99, ["a"]),
        ([0], [0.0], 4, []),
        ([0] * 99, [0.0], 4, ["a"] * 99),
    ):
        with pytest.raises(ValueError, match="ratios"):
            _kernel.UrlRatios(lowest, steps, shift, keys, 0.0, [0.5] * len(lowest), 0.01)
    with pytest.raises(ValueError, match="another model"):
        READER.kernel.liken("http://example.is/", _kernel.UrlRatios([0], [0.0], 4, ["a"], 0.0, [0.5], 0.01))
