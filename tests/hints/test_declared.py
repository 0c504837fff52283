"""What pages declare of their language, as data: every form, the script where it is said, codes of countries by mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue import _kernel, markup
from webtongue.hints.declared import Declared, also_meant, declared, encoding_labels
from webtongue.markup.claims import packed_claims
from webtongue.page import Page

SELF = "hreflang-self"


def packed(html: str) -> bytes:
    page = markup.read(Page(html.encode()))
    return _kernel.pack_claims(page.scan, page.source, page.page.raw, encoding_labels())


def of(html: str, content_language: str = "") -> Declared:
    return declared(packed(html), "", content_language)


def said(html: str) -> list[tuple[str, str]]:
    return [(claim.form, claim.key) for claim in of(html).languages]


def test_every_claim_in_its_order() -> None:
    html = (
        "<html lang=is><head><meta property=og:locale content=is_IS><meta name=DC.language content=isl>"
        '<script type="application/ld+json">{"inLanguage": ["is", "en"]}</script></head><body>Góðan dag'
    )
    assert said(html) == [
        ("html-lang", "isl"), ("og-locale", "isl"), ("dc-language", "isl"), ("jsonld-inlanguage", "isl"), ("jsonld-inlanguage", "eng"),
    ]  # fmt: skip
    assert [claim.key for claim in of("<p>a", "fo, da;q=0.5").languages] == ["fao", "dan"]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("zh", "zho"), ("zh-TW", "zho_Hant"), ("zh_HK", "zho_Hant"), ("zh-CN", "zho_Hans"), ("zh-Hans", "zho_Hans"),
        ("sr", "srp"), ("sr-RS", "srp"), ("sr-Latn", "srp_Latn"), ("sr-Cyrl-RS", "srp_Cyrl"), ("sr-ME", "srp_Latn"),
        ("uz", "uzb"), ("uz-Cyrl", "uzb_Cyrl"), ("en-US", "eng"), ("pt-BR", "por"), ("Deutsch", "deu"), ("no", "nob"), ("iw", "heb"),
        ("az-IR", "aze_Arab"), ("pa-PK", "pnb"),
    ],
)  # fmt: skip
def test_a_script_is_kept_where_it_is_said(value: str, key: str) -> None:
    assert said(f'<html lang="{value}">') == [("html-lang", key)]


def test_what_is_not_understood_is_left_out() -> None:
    assert said("<html lang='{{lang}}'><meta name=language content='none of them'>") == []


@pytest.mark.parametrize(
    ("value", "languages"),
    [
        ("se", ("swe",)), ("se-SE", ("swe",)), ("si", ("slv",)), ("ee", ("est",)), ("br", ("por",)), ("al", ()),
        ("ge", ("kat",)), ("cz", ()), ("dk", ()), ("en", ()), ("xx", ()), ("", ()), ("se-NO", ()), ("swedish", ()),
    ],
)  # fmt: skip
def test_codes_of_countries(value: str, languages: tuple[str, ...]) -> None:
    """What the table of forms already takes for the country's language (cz, dk, al) is no second meaning."""
    assert also_meant(value) == languages


@given(st.text(max_size=30))
def test_any_value_may_be_asked_of(value: str) -> None:
    assert isinstance(also_meant(value), tuple)
    assert all(claim.form == "http-content-language" for claim in declared(b"", "", value).languages)


def bare(address: str) -> str:
    address = address.strip()
    _, mark, rest = address.partition(":")
    return (rest[2:] if mark and rest.startswith("//") else address).partition("#")[0].rstrip("/")


ADDRESSES = (
    "https://a.example/is/",
    "http://a.example/is",
    "https://a.example/is#top",
    "https://a.example/en/",
    "/is/",
    "/is",
    "",
    "/",
    ":",
    "a:/",
)


@given(
    st.lists(st.tuples(st.sampled_from(("is", "fo", "x-default", "en-GB", " ")), st.sampled_from(ADDRESSES)), max_size=6),
    st.lists(st.sampled_from(ADDRESSES), max_size=2),
    st.booleans(),
)  # fmt: skip
def test_alternates_that_are_the_page_itself(
    alternates: list[tuple[str, str]], canonicals: list[str], canonical_first: bool
) -> None:
    links = [f'<link rel=alternate hreflang="{code}" href="{href}">' for code, href in alternates]
    own = [f'<link rel=canonical href="{href}">' for href in canonicals]
    _, claims = packed_claims(packed("".join(own + links if canonical_first else links + own) + "a"), "")
    canonical = next((href for href in canonicals if href.strip()), "")
    expected = [
        code for code, href in alternates
        if code.strip() and code != "x-default" and bare(canonical) and bare(href) == bare(canonical)
    ]  # fmt: skip
    assert [claim.value for claim in claims if claim.kind == SELF] == expected


def test_an_alternate_to_itself_is_a_claim() -> None:
    html = "<link rel=alternate hreflang=fo href=http://a.example/fo/><link rel=canonical href=https://a.example/fo>"
    assert said(html) == [(SELF, "fao")]
    assert of(html).language == "fao_Latn"
