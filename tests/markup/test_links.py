"""Links: address, anchor and hreflang, in any encoding."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import Identifier, coding, markup
from webtongue.markup.alternates import alternates_of
from webtongue.markup.claims import Claim
from webtongue.markup.links import resolve
from webtongue.page import Page

READER = Identifier().reader
PAGE = (
    "<meta charset={}><base href=/b/><p>Текст <a href='x?a=1&amp;b=2' hreflang=ru>Первая <b>ссылка</b> &rarr;</a>, ещё &hearts; "
    "<a href=//e.example/>два &#9829; слова</a> <a name=n>нет</a><area href=y alt=карта><a href=z></a><a href=w>три"
)


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "koi8-r", "gb18030", "shift_jis", "euc-jp"])
def test_anchor_text_is_in_every_encoding(encoding: str) -> None:
    page = Page(PAGE.format(encoding).encode(encoding), url="http://a.example/dir/page")
    scanned, decoding = coding.decode(markup.read(page), READER)
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


def test_base_that_is_no_address() -> None:
    links = markup.read(Page(b"<base href='http://[bad'><a href=x>y</a>", url="http://a.example/")).links
    assert [link.text for link in links] == ["y"]


@pytest.mark.parametrize("encoding", ["shift_jis", "windows-1251"])
def test_references_of_many_links(encoding: str) -> None:
    """In a text that is decoded later, what a reference stands for is found from link to link."""
    parts = [
        f"<p>слово &hearts; <a href={i}>&larr; {'слово' if i % 2 else '&spades;'} {i} &rarr;</a> &clubs;"
        for i in range(300)
    ]
    page = Page(f"<meta charset={encoding}>{''.join(parts)}".encode(encoding), url="http://a.example/")
    scanned, decoding = coding.decode(markup.read(page), READER)
    assert decoding.encoding == encoding
    expected = [f"← {'слово' if i % 2 else '♠'} {i} →" for i in range(300)]
    assert [link.text for link in scanned.each_link()] == [link.text for link in scanned.links] == expected


PIECES = [
    "http://", "https:", "//", "/", "?", "#", ":", "@", "[", "]", "::1", "%", "%zz", "..", ".", "\\", "\x00", "\t", "\n", " ", "a", "é",
    "mailto:", "javascript:", "data:", "file:///", "xn--", "ℂ", "．", "℀", "[v1.x]", "[::ffff:1.2.3.4]", ";", "=", "&", "😀", "urn:",
]  # fmt: skip
address = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@settings(max_examples=300)
@given(base=address, href=address)
def test_any_address_is_resolved(base: str, href: str) -> None:
    assert isinstance(resolve(base, href), str)
    claims = [Claim("base", base, 0), Claim("canonical", href, 0), Claim("hreflang", "fr", 0, href)]
    assert [alternate.hreflang for alternate in alternates_of(claims, base)] == ["fr"]
    page = Page(
        f"<base href='{base}'><link rel=alternate hreflang=fr href='{href}'><a href='{href}'>x</a>".encode(), url=base
    )
    scanned = markup.read(page)
    assert len(scanned.links) <= 1 and len(scanned.alternates) <= 1


def test_an_empty_address_is_not_the_page() -> None:
    claims = [Claim("canonical", "", 0), Claim("hreflang", "fr", 0, "")]
    assert [alternate.is_self for alternate in alternates_of(claims, "")] == [False]
    assert [alternate.is_self for alternate in alternates_of(claims, "http://a.example/")] == [True]
