"""Links: URL, anchor and hreflang, in any encoding."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import Identifier, markup
from webtongue.charset import detection
from webtongue.markup.alternates import find_alternates
from webtongue.markup.links import resolve
from webtongue.markup.read_declarations import Declaration
from webtongue.page import Page

READER = Identifier().reader
PAGE = (
    "<meta charset={}><base href=/b/><p>Текст <a href='x?a=1&amp;b=2' hreflang=ru>Первая <b>ссылка</b> &rarr;</a>, ещё &hearts; "
    "<a href=//e.example/>два &#9829; слова</a> <a name=n>нет</a><area href=y alt=карта><a href=z></a><a href=w>три"
)


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "koi8-r", "gb18030", "shift_jis", "euc-jp"])
def test_anchor_text_is_in_every_encoding(encoding: str) -> None:
    page = Page(PAGE.format(encoding).encode(encoding), url="http://a.example/dir/page")
    scanned, decoding = detection.decode_page(markup.read(page), READER)
    assert decoding.encoding == encoding
    assert [(link.url, link.text, link.hreflang) for link in scanned.links] == [
        ("http://a.example/b/x?a=1&b=2", "Первая ссылка →", "ru"),
        ("http://e.example/", "два ♥ слова", ""),
        ("http://a.example/b/y", "", ""),
        ("http://a.example/b/z", "", ""),
        ("http://a.example/b/w", "три", ""),
    ]


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        ("http://a.example/b/c", "d", "http://a.example/b/d"),
        ("http://a.example/b/c", " d\n/e ", "http://a.example/b/d/e"),
        ("", "d", "d"),
        ("http://a.example/", "http://[::1", "http://[::1"),
        ("http://a.example/", "mailto:x@y", "mailto:x@y"),
    ],
)
def test_resolve(base: str, href: str, expected: str) -> None:
    assert resolve(base, href) == expected


def test_invalid_base() -> None:
    links = markup.read(Page(b"<base href='http://[bad'><a href=x>y</a>", url="http://a.example/")).links
    assert [link.text for link in links] == ["y"]


@pytest.mark.parametrize("encoding", ["shift_jis", "windows-1251"])
def test_references_of_many_links(encoding: str) -> None:
    """References in text that is decoded later are replaced link by link."""
    parts = [
        f"<p>слово &hearts; <a href={i}>&larr; {'слово' if i % 2 else '&spades;'} {i} &rarr;</a> &clubs;"
        for i in range(300)
    ]
    page = Page(f"<meta charset={encoding}>{''.join(parts)}".encode(encoding), url="http://a.example/")
    scanned, decoding = detection.decode_page(markup.read(page), READER)
    assert decoding.encoding == encoding
    expected = [f"← {'слово' if i % 2 else '♠'} {i} →" for i in range(300)]
    assert [link.text for link in scanned.iter_links()] == [link.text for link in scanned.links] == expected


URL_PARTS = [
    "http://", "https:", "//", "/", "?", "#", ":", "@", "[", "]", "::1", "%", "%zz", "..", ".", "\\", "\x00", "\t", "\n", " ", "a", "é",
    "mailto:", "javascript:", "data:", "file:///", "xn--", "ℂ", "．", "℀", "[v1.x]", "[::ffff:1.2.3.4]", ";", "=", "&", "😀", "urn:",
]  # fmt: skip
any_url = st.lists(st.sampled_from(URL_PARTS), max_size=6).map("".join)


@settings(max_examples=300)
@given(base=any_url, href=any_url)
def test_any_url_is_resolved(base: str, href: str) -> None:
    assert isinstance(resolve(base, href), str)
    declarations = [
        Declaration("base", base, 0),
        Declaration("canonical", href, 0),
        Declaration("hreflang", "fr", 0, href),
    ]
    assert [alternate.hreflang for alternate in find_alternates(declarations, base)] == ["fr"]
    page = Page(
        f"<base href='{base}'><link rel=alternate hreflang=fr href='{href}'><a href='{href}'>x</a>".encode(), url=base
    )
    scanned = markup.read(page)
    assert len(scanned.links) <= 1 and len(scanned.alternates) <= 1


def test_empty_url_is_not_the_page() -> None:
    declarations = [Declaration("canonical", "", 0), Declaration("hreflang", "fr", 0, "")]
    assert [alternate.is_self for alternate in find_alternates(declarations, "")] == [False]
    assert [alternate.is_self for alternate in find_alternates(declarations, "http://a.example/")] == [True]
