"""Links: address, anchor and hreflang, in any encoding."""

from __future__ import annotations

import pytest

from webtongue import Identifier, coding, markup
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
