"""The kernel's URL parts and features equal their readable twin, byte for byte."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.url import features as twin
from tests.twins.url.codes import Codes
from webtongue import _kernel
from webtongue.reference.domains import SUFFIXES
from webtongue.url.codes import CODES, table_labels

RULES = SUFFIXES.read_bytes()
KERNEL = _kernel.Suffixes(RULES)
LABELS = table_labels()
TABLES = _kernel.UrlTables(RULES, CODES.read_bytes(), LABELS)
TWIN = twin.Suffixes(RULES.decode("utf-8").encode("utf-8").decode("latin-1"))
TABLE = Codes(CODES.read_text("utf-8"), LABELS)

PIECES = st.sampled_from(
    [
        "http://", "https://", "//", "www.", "fr.", "example", "beispiel", ".com", ".co.uk", ".de", ".xn--p1ai", "xn--mnchen-3ya", "xn--!!", "/",
        "/de/", "/pt-br/", "-", "_", "ausgabe", "Übersicht", "straße", "%C3%BC", "%E4", "%", "%2", "+", "?lang=it", "&hl=fr", "=", "#", ";",
        "camelCase", "HTMLPage", "новости", "新闻", "ニュース", "أخبار", "h264", "a7ebb5ad", "index.html", ".php", "user:pw@", ":8080",
        "[::1]", "192.0.2.1", " ", "\t", "\u0301", "İ", "x" * 60, "ﬁ", "ǆ", "data:text/html,", "javascript:", "mailto:a@b.c", "\u200d", "क्या", "city.kawasaki.jp", "foo.ck", "www.ck",
        "french", "francais.", "/Español/", "fr-CA", "zh-hant", "es-419", "en-vivo", "_fr", ".de.html", "index.html.pl", "bahasa-indonesia",
        "русский", "中文", "日本語", "हिन्दी", "locale=", "?l=", "deutsch",
        "/us/it/", "/PL/pl", "ch-de", "be-fr", "int-sl", "/LANG-lv/", "clang=", ".sv", ".cs", "deed.", "en_", "zh-hans-cn", ".рф", ".台灣", "ge", "eus",
    ]
)  # fmt: skip


def kernel_features(url: bytes) -> tuple[int, list[tuple[int, int]], list[tuple[int, str]]]:
    _, keys, kinds, facts = _kernel.url_features(TABLES, url, np.array([0, len(url)], np.uint64))
    mentions = [(place, LABELS[label]) for place, _, label in _kernel.url_mentions(TABLES, url)]
    return int(facts[0]), list(zip(keys.tolist(), kinds.tolist(), strict=True)), mentions


def twin_features(url: bytes) -> tuple[int, list[tuple[int, int]], list[tuple[int, str]]]:
    reason, found = twin.features(url, TWIN, TABLE)
    return reason, list(found), [(place, row.label) for place, meanings in found.mentions for row in meanings]


@settings(max_examples=600)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_features_of_likely_urls(url: str) -> None:
    raw = url.encode("utf-8")
    assert _kernel.split_url(raw) == twin.split(raw)
    assert kernel_features(raw) == twin_features(raw)


def test_a_label_with_letters_beyond_ascii_is_no_punycode() -> None:
    raw = "xn--mnchen-3yáxn--mnchen-3ya.com".encode()
    assert kernel_features(raw) == twin_features(raw)


@settings(max_examples=300)
@given(st.binary(max_size=200), st.sampled_from([b"", b"http://a.de/", b"http://a.de/?q="]))
def test_features_of_any_bytes(raw: bytes, head: bytes) -> None:
    assert _kernel.split_url(head + raw) == twin.split(head + raw)
    assert kernel_features(head + raw) == twin_features(head + raw)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["www", "city", "kawasaki", "jp", "ck", "co", "uk", "com", "blogspot", "a", "xn--p1ai"]),
        min_size=1,
        max_size=6,
    )
)
def test_suffixes(parts: list[str]) -> None:
    host = ".".join(parts)
    assert KERNEL.find(host.encode()) == TWIN.find(host)
