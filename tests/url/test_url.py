"""What callers see of the URL stage: answers, refusals, limits."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from webtongue import Identifier
from webtongue.url.model import load

IDENT = Identifier()
MAX_URL_CHARS = 65536  # no server takes a longer URL (native/url/features.hpp)
TOO_LONG = "too long to be the address of a page"

CLEAR = [
    ("https://www.example.de/nachrichten/politik/bundestag-beschliesst-neues-gesetz-zur-rente.html", "deu_Latn"),
    ("https://www.example.com/noticias/economia/los-precios-de-la-vivienda-suben-en-todo-el-pais/", "spa_Latn"),
    ("https://example.fr/actualites/les-nouvelles-mesures-du-gouvernement-pour-les-entreprises", "fra_Latn"),
    ("http://www.example.it/cronaca/incidente-sulla-strada-provinciale-due-feriti-gravi.html", "ita_Latn"),
    ("https://www.example.com/news/the-best-things-to-do-this-weekend-with-your-family", "eng_Latn"),
    ("https://example.pl/wiadomosci/najnowsze-informacje-z-kraju-i-ze-swiata", "pol_Latn"),
    ("https://example.ru/novosti/v-moskve-otkrylas-novaya-vystavka", "rus_Cyrl"),
]

BAD = [
    ("", "empty"), (" \n", "empty"), ("not a url", "not a URL"), ("example", "not a URL"), ("http://", "not a URL"), ("http://a b.de/", "not a URL"),
    ("data:text/html;base64,PGI+", "not the address of a page"), ("javascript:void(0)", "not the address of a page"),
    ("mailto:someone@example.de", "not the address of a page"), ("http://\ud800.de/", "not text: lone surrogates"),
    ("http://[2001:db8::1]/nachrichten/", "the host is an IPv6 address"), ("http://[", "the host is an IPv6 address"),
    ("https://user:secret@www.example.de/nachrichten/", "holds a user name"), ("http://@example.de/", "holds a user name"),
    ("http://example.de/" + "wort-" * 200_000, TOO_LONG), ("x" * 1_000_000, TOO_LONG),
    ("http://192.0.2.7:8080/", "the URL says nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "label"), CLEAR)
def test_clear_urls(url: str, label: str) -> None:
    verdict = webtongue.identify_url(url)
    assert verdict.label == label
    assert verdict.script == label.partition("_")[2]
    assert verdict.confidence > 0.5
    assert verdict.guesses[0].label == label
    assert verdict.evidence[0].source == "url"


@pytest.mark.parametrize(("url", "reason"), BAD)
def test_bad_input_is_und_with_a_reason(url: str, reason: str) -> None:
    verdict = IDENT.identify_url(url)
    assert (verdict.label, verdict.why, verdict.confidence) == ("und", reason, 0.0)
    assert verdict.reason
    assert verdict.guesses == ()
    verdict.to_dict()


def test_parts_that_say_nothing_do_no_harm() -> None:
    plain = IDENT.identify_url("https://www.example.de/nachrichten/").label
    for form in (
        "https://www.example.de:8443/nachrichten/",
        "//www.example.de/nachrichten/",
        "WWW.EXAMPLE.DE/nachrichten/",
    ):
        assert IDENT.identify_url(form).label == plain == "deu_Latn"


def test_no_more_is_read_than_a_server_takes() -> None:
    """Just within the limit a URL is read, beyond it none of it is."""
    for head, unit in (("http://example.de/", "wort-"), ("http://example.de/?", "a=b&"), ("http://", "a."), ("", "x")):
        longest = (head + unit * MAX_URL_CHARS)[:MAX_URL_CHARS]
        assert IDENT.identify_url(longest).why != TOO_LONG
        assert IDENT.identify_url(longest + "x").why == TOO_LONG
        assert IDENT.identify_url(longest + unit * 1_000_000).why == TOO_LONG


@settings(max_examples=300)
@given(st.text(max_size=300), st.sampled_from(["", "http://", "http://a.de/", "http://xn--"]))
def test_never_an_exception(text: str, head: str) -> None:
    verdict = IDENT.identify_url(head + text)
    assert (verdict.label == "und") == bool(verdict.reason)
    assert 0.0 <= verdict.confidence <= 1.0


def test_many_are_as_one() -> None:
    urls = [url for url, _ in CLEAR] + [url for url, _ in BAD]
    many = webtongue.identify_urls(urls)
    assert many == [IDENT.identify_url(url) for url in urls]
    columns = IDENT.classify_urls(urls)
    assert columns["label"] == [v.label for v in many]
    assert columns["reason"] == [v.reason for v in many]
    with ThreadPoolExecutor(4) as pool:
        assert all(verdicts == many for verdicts in pool.map(lambda _: IDENT.identify_urls(urls), range(8)))


def test_types() -> None:
    with pytest.raises(TypeError):
        IDENT.identify_url(b"http://example.de/")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        IDENT.identify_urls("http://example.de/")
    with pytest.raises(TypeError):
        IDENT.identify_urls([1])  # type: ignore[list-item]


MANY: list[Any] = [IDENT.identify_urls, IDENT.classify_urls]


@pytest.mark.parametrize("function", MANY, ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    ("urls", "message"),
    [
        ("http://example.de/", r"takes many URLs, not one str; one goes to identify_url\(\)"),
        (b"http://example.de/", "takes many URLs, not one bytes"),
        ({"url": "http://example.de/"}, "a list of URLs, not a dict of columns: pass one of its columns"),
        (pd.DataFrame({"url": ["http://example.de/"]}), "not a DataFrame of columns: pass one of its columns"),
        (pa.table({"url": ["http://example.de/"]}), "not a Table of columns: pass one of its columns"),
        (None, "a list or an iterator of URLs, not NoneType"),
        (5, "a list or an iterator of URLs, not int"),
        (pa.scalar("http://example.de/"), "a list or an iterator of URLs, not StringScalar"),
        (["http://example.de/", 5], "item 1: a URL is str, not int"),
        ([np.array(["http://example.de/"])], "item 0: a URL is str, not ndarray"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wrong_calls_are_refused_with_advice(function: Any, urls: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(urls)


def test_collections_of_urls() -> None:
    urls = [CLEAR[0][0], None, CLEAR[1][0]]
    expected = [CLEAR[0][1], "und", CLEAR[1][1]]
    for make in (
        iter,
        tuple,
        pa.array,
        pd.Series,
        lambda urls: pa.chunked_array([urls]),
        lambda urls: np.array(urls, object),
    ):
        assert [verdict.label for verdict in IDENT.identify_urls(make(urls))] == expected
        assert IDENT.classify_urls(make(urls))["label"] == expected
    assert [verdict.reason for verdict in IDENT.identify_urls([pd.NA])] == ["missing"]  # type: ignore[list-item]


def test_missing_urls_are_rows() -> None:
    verdicts = IDENT.identify_urls([CLEAR[0][0], None, float("nan")])  # type: ignore[list-item]
    assert [(v.label, v.reason, v.why) for v in verdicts[1:]] == [("und", "missing", "no URL was given")] * 2
    assert verdicts[0].label == CLEAR[0][1]
    assert IDENT.classify_urls([None])["reason"] == ["missing"]
    verdicts[1].to_dict()


def test_any_language_is_answered_by_a_code_and_no_other() -> None:
    ident = Identifier(languages=["sw", "mi"])
    for url, _ in CLEAR:
        verdict = ident.identify_url(url)
        assert (verdict.label, verdict.reason, verdict.guesses) == ("und", "not_asked", ())
    assert ident.classify_urls([CLEAR[0][0]])["label"] == ["und"]
    assert ident.identify_url("https://www.example.com/?lang=sw").label == "swa_Latn"
    assert ident.identify_url("https://mi.example.com/").label == "mri_Latn"


def test_a_code_outweighs_words_and_domain() -> None:
    """Sites in several languages translate few of their addresses."""
    url = "https://www.example.com/enterprise/it-it/products/endpoint-security.html"
    assert IDENT.identify_url(url).label == "ita_Latn"
    assert IDENT.identify_url("https://www.example.de/en/about-us/").label == "eng_Latn"
    assert IDENT.identify_url("https://www.example.is/en/tours/").label == "eng_Latn"
    assert IDENT.identify_url("https://www.example.com/us/it/").label == "ita_Latn"
    assert IDENT.identify_url("https://www.example.com/ch-fr/").label == "fra_Latn"


def test_a_guess_that_is_mostly_wrong_is_no_answer() -> None:
    verdicts = [IDENT.identify_url(f"https://{name}.com/") for name in ("qizou", "vexaik", "wujoo", "zhotem", "kroxai")]
    assert all(v.label == "und" or v.confidence >= 0.25 for v in verdicts)
    for verdict in verdicts:
        assert not verdict.reliable
        if verdict.label == "und":
            assert verdict.why in ("the URL says too little", "the URL says nothing")
            assert verdict.languages == ()


def test_probabilities_are_whole() -> None:
    for url, _ in CLEAR:
        assert sum(g.probability for g in IDENT.identify_url(url).guesses) <= 1.01


def test_languages_and_priors() -> None:
    url = CLEAR[0][0]
    verdict = Identifier(languages=["en", "fr"]).identify_url(url)
    assert (verdict.label, verdict.reason) == ("und", "not_asked")
    assert {guess.label for guess in verdict.guesses} <= {"eng_Latn", "fra_Latn"}
    assert Identifier(languages=["en", "fr"]).classify_urls([url])["reason"] == ["not_asked"]
    assert Identifier(languages=["en", "de"]).identify_url(url).language == "de"
    assert Identifier(priors="uniform").identify_url(url).language == "de"
    assert Identifier(priors={"nl": 1e9, "de": 1.0}).identify_url("http://www.example.com/").language == "nl"


def test_anchor_counts() -> None:
    words = "Alle Nachrichten aus der Region auf einen Blick lesen"

    def german(url: str, anchor: str | None) -> float:
        guesses = IDENT.identify_url(url, anchor=anchor).guesses
        return sum(guess.probability for guess in guesses if guess.label == "deu_Latn")

    url = "http://www.example.com/4711/"
    assert german(url, words) > 2 * german(url, None)
    clear = CLEAR[4][0]
    assert IDENT.identify_url(clear, anchor=words).language == "en"
    silent = IDENT.identify_url("http://192.0.2.7/4711/", anchor=words)
    assert (silent.language, silent.evidence[-1].source) == ("de", "anchor")
    assert silent.evidence[-1].weight > 10


def test_tiers_are_those_of_the_text_model() -> None:
    for url, label in CLEAR:
        assert IDENT.identify_url(url).tier == IDENT.tiers[label]
        assert IDENT.identify_urls([url])[0].tier == IDENT.tiers[label]


def test_parts_have_no_weight_of_their_own() -> None:
    for url, _ in CLEAR:
        weights = {row.source: row.weight for row in IDENT.identify_url(url).evidence}
        assert weights.pop("url") and weights.pop("prior", 1.0)
        assert set(weights) <= {"top level domain", "host name", "path", "query"}
        assert not any(weights.values())


def test_verdicts_pickle_and_print() -> None:
    verdict = IDENT.identify_url(CLEAR[0][0])
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert json.loads(verdict.to_json())["label"] == "deu_Latn"


def test_model_is_small_and_says_where_it_comes_from() -> None:
    assert load().path.stat().st_size <= 8_000_000
    assert len(load().labels) >= 40
    assert load().manifest["urls"] > 400_000
