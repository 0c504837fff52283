"""Declared languages: all forms, declared scripts, and country codes by mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue import _kernel, identify, markup
from webtongue.markup.declarations import Declared, declared, encoding_labels, languages_of_country_code
from webtongue.markup.read_declarations import unpack_declarations
from webtongue.page import Page

SELF = "hreflang-self"


def pack_html(html: str) -> bytes:
    page = markup.read(Page(html.encode()))
    return _kernel.pack_declarations(page.scan, page.source, page.page.raw, encoding_labels())


def declare(html: str, content_language: str = "") -> Declared:
    return declared(pack_html(html), "", content_language)


def languages_in(html: str) -> list[tuple[str, str]]:
    return [(declaration.form, declaration.key) for declaration in declare(html).languages]


def test_all_declarations_in_order() -> None:
    html = (
        "<html lang=is><head><meta property=og:locale content=is_IS><meta name=DC.language content=isl>"
        '<script type="application/ld+json">{"inLanguage": ["is", "en"]}</script></head><body>Góðan dag'
    )
    assert languages_in(html) == [
        ("html-lang", "isl"), ("og-locale", "isl"), ("dc-language", "isl"), ("jsonld-inlanguage", "isl"), ("jsonld-inlanguage", "eng"),
    ]  # fmt: skip
    assert [declaration.key for declaration in declare("<p>a", "fo, da;q=0.5").languages] == ["fao", "dan"]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("zh", "zho"), ("zh-TW", "zho_Hant"), ("zh_HK", "zho_Hant"), ("zh-CN", "zho_Hans"), ("zh-Hans", "zho_Hans"),
        ("sr", "srp"), ("sr-RS", "srp"), ("sr-Latn", "srp_Latn"), ("sr-Cyrl-RS", "srp_Cyrl"), ("sr-ME", "srp_Latn"),
        ("uz", "uzb"), ("uz-Cyrl", "uzb_Cyrl"), ("en-US", "eng"), ("pt-BR", "por"), ("Deutsch", "deu"), ("no", "nob"), ("iw", "heb"),
        ("az-IR", "aze_Arab"), ("pa-PK", "pnb"),
    ],
)  # fmt: skip
def test_declared_scripts_are_kept(value: str, key: str) -> None:
    assert languages_in(f'<html lang="{value}">') == [("html-lang", key)]


def test_repeated_declarations_are_read_up_to_a_maximum() -> None:
    for repeated, form in (
        ("<meta http-equiv=content-language content=de>", "meta-content-language"),
        ("<meta name=language content=de>", "meta-language"),
        ('<script type="application/ld+json">{"inLanguage": "de"}</script>', "jsonld-inlanguage"),
        ("<link rel=canonical href=/a><link rel=alternate hreflang=de href=/a>", SELF),
    ):
        html = f"<html lang=is><head>{repeated * 1300}<meta property=og:locale content=is_IS>"
        assert languages_in(html) == [("html-lang", "isl"), *[(form, "deu")] * 16, ("og-locale", "isl")]
    assert len(pack_html("<meta charset=abcd>" * 3000)) < 500
    long_lists = "".join(f'<meta name=DC.language content="{"de," * 60}">' for _ in range(16)) * 2
    assert len(pack_html(long_lists)) < 5000


def test_unknown_languages_are_left_out() -> None:
    assert languages_in("<html lang='{{lang}}'><meta name=language content='none of them'>") == []


@pytest.mark.parametrize(
    ("value", "languages"),
    [
        ("se", ("swe",)), ("se-SE", ("swe",)), ("si", ("slv",)), ("ee", ("est",)), ("br", ("por",)), ("al", ()),
        ("ge", ("kat",)), ("cz", ()), ("dk", ()), ("en", ()), ("xx", ()), ("", ()), ("se-NO", ()), ("swedish", ()),
    ],
)  # fmt: skip
def test_country_codes(value: str, languages: tuple[str, ...]) -> None:
    """A code that is an alias of the country's language (cz, dk, al) has no second meaning."""
    assert languages_of_country_code(value) == languages


@given(st.text(max_size=30))
def test_any_value_is_accepted(value: str) -> None:
    assert isinstance(languages_of_country_code(value), tuple)
    assert all(declaration.form == "http-content-language" for declaration in declared(b"", "", value).languages)


def strip_url(url: str) -> str:
    url = url.strip()
    _, mark, rest = url.partition(":")
    return (rest[2:] if mark and rest.startswith("//") else url).partition("#")[0].rstrip("/")


URLS = (
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
    st.lists(st.tuples(st.sampled_from(("is", "fo", "x-default", "en-GB", " ")), st.sampled_from(URLS)), max_size=6),
    st.lists(st.sampled_from(URLS), max_size=2),
    st.booleans(),
)  # fmt: skip
def test_alternates_equal_to_the_canonical_url(
    alternates: list[tuple[str, str]], canonicals: list[str], canonical_first: bool
) -> None:
    links = [f'<link rel=alternate hreflang="{code}" href="{href}">' for code, href in alternates]
    own = [f'<link rel=canonical href="{href}">' for href in canonicals]
    _, declarations = unpack_declarations(pack_html("".join(own + links if canonical_first else links + own) + "a"), "")
    canonical = next((href for href in canonicals if href.strip()), "")
    expected = [
        code for code, href in alternates
        if code.strip() and code != "x-default" and strip_url(canonical) and strip_url(href) == strip_url(canonical)
    ]  # fmt: skip
    assert [declaration.value for declaration in declarations if declaration.kind == SELF] == expected


def test_alternate_of_the_page_itself_declares_its_language() -> None:
    html = "<link rel=alternate hreflang=fo href=http://a.example/fo/><link rel=canonical href=https://a.example/fo>"
    assert languages_in(html) == [(SELF, "fao")]
    assert declare(html).language == "fao_Latn"


@pytest.mark.parametrize("header", ["ko,zh,ja", "ko, zh, ja", "de, fr;q=0.5"])
def test_several_default_languages_declare_none(header: str) -> None:
    for result in (declare("<p>a", header), declare(f"<meta http-equiv=Content-Language content='{header}'><p>a")):
        assert result.language == ""
        assert len(result.languages) == header.count(",") + 1
        assert [evidence.label for evidence in result.evidence] == [""]
    assert declare(f"<html><meta http-equiv=Content-Language content='{header}'><p>a", "it").language == "ita_Latn"
    assert declare(f"<html lang=is><meta http-equiv=Content-Language content='{header}'><p>a").language == "isl_Latn"


@pytest.mark.parametrize("header", ["en", "en-US, en", "en_GB;q=0.9"])
def test_one_default_language_is_declared(header: str) -> None:
    assert declare("<p>a", header).language == "eng_Latn"


def test_empty_lang_revokes_the_default() -> None:
    meta = "<meta http-equiv=Content-Language content=de>"
    for lang in ("lang=''", "lang", "lang=' '"):
        result = declare(f"<html {lang}>{meta}<p>a", "fr")
        assert (result.language, result.languages) == ("", ())
    assert declare(f"<html>{meta}<p>a", "fr").language == "deu_Latn"
    result = declare(f"<html lang=''>{meta}<meta property=og:locale content=is_IS><body lang=fo>a", "fr")
    assert [declaration.key for declaration in result.languages] == ["isl", "fao"]


def test_empty_lang_ends_inheritance() -> None:
    page = markup.read(Page(b"<html lang=de><p>a<p lang=''>b<div lang=''><p>c<p lang=fr>d</div><p>e"))
    assert [(block.text, block.lang) for block in page.blocks] == [
        ("a", "de"), ("b", ""), ("c", ""), ("d", "fr"), ("e", "de"),
    ]  # fmt: skip


def test_xml_lang_counts_in_xml_only() -> None:
    body = "<html xml:lang='de'><body><p>a</p><p xml:lang='fr'>b</p></body></html>"
    assert declare(body).language == ""
    assert [block.lang for block in markup.read(Page(body.encode())).blocks] == ["", ""]
    xml = f"<?xml version='1.0'?>{body}"
    assert declare(xml).language == "deu_Latn"
    assert [block.lang for block in markup.read(Page(xml.encode())).blocks] == ["de", "fr"]
    page = Page(body.encode(), headers={"content-type": "application/xhtml+xml"})
    assert [block.lang for block in markup.read(page).blocks] == ["de", "fr"]
    both = "<?xml version='1.0'?><html><body><p lang='de' xml:lang='fr'>a</p></body></html>"
    assert [block.lang for block in markup.read(Page(both.encode())).blocks] == ["fr"]


def test_text_of_noframes_is_read() -> None:
    page = (
        "<html><head><title>Portada</title></head><frameset cols='1,2'><frame src=a><frame src=b><noframes><body>"
        "<p>Esta página utiliza marcos, pero su explorador no los admite.</p></body></noframes></frameset></html>"
    )
    assert "Esta página" in markup.read(Page(page.encode())).text
    assert identify(page.encode()).label == "spa_Latn"
