"""Links to other hosts equal their twin for any page, URL and host."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.inputs import TEXTS
from tests.native.fragments import markup, piece
from tests.twins.markup import outlinks as twin
from webtongue import Identifier, _kernel

HOST = b"own.example"
SCHEMES = (
    "http://",
    "https://",
    "HTTP://",
    "//",
    "",
    "http:/",
    "https:",
    "ftp://",
    "javascript:",
    "http:\\\\",
    "htt\np://",
    "/",
)
HOSTS = ("own.example", "OWN.Example", "other.example", "own.example.org", "own", "", "пример.example", "a b", "&#111;wn.example", "&Tab;",
         "own.exam\nple", "user@own.example", "192.0.2.7", "[2001:db8::1]", "other.example\\x", "&#35;", "&amp;")  # fmt: skip
PATHS = ("", "/", "/a/b", "/a?b=c&amp;d=e", "/a?b=c&copy=d", "#top", "/x#&amp;", "/&#35;y", ":8080/", "?q", " /s p ", "/\n/n\t\r", "/ß/日本",
         "/" + "l" * 2020, "/" + "l" * 2031, "/" + "é" * 1020, "/" + "&amp;" * 410, "/" + "&amp;" * 820, "/\0")  # fmt: skip
WORDS = (
    "word ",
    "three words here",
    "Слово",
    "言葉",
    "&nbsp;",
    "&rarr;",
    "\n\n",
    "  ",
    "w" * 199,
    "é" * 99 + "a",
    "é" * 100 + "é",
    "a " * 100,
)
LANGS = (
    "",
    "",
    "",
    " hreflang=is",
    " hreflang=''",
    " hreflang=' zh-TW '",
    " hreflang='" + "x" * 40 + "'",
    " hreflang='de\nAT'",
)
RAW = (
    b"<a href=http://x.example/\xe9>",
    b"\xff\xfe",
    b"<a href=//y.example hreflang=\xe9>",
    b"\x80</a>",
    b"\xc3",
    b"<area href=//z.example>",
)

address = st.tuples(*map(st.sampled_from, (("", " ", "\n"), SCHEMES, HOSTS, PATHS))).map("".join)
link = st.tuples(st.sampled_from("\"'"), address, st.sampled_from(LANGS)).map(
    lambda t: f"<a href={t[0]}{t[1]}{t[0]}{t[2]}>"
)
part = st.one_of(
    link.map(str.encode), link.map(str.encode), st.sampled_from(WORDS).map(str.encode), st.just(b"</a>"), st.just(b"<p>"),
    st.sampled_from(RAW), piece,
)  # fmt: skip
linked = st.lists(part, max_size=16).map(b"".join)
hosts = st.sampled_from((HOST, b"other.example", b"", "пример.example".encode(), b"192.0.2.7", b"\xff"))


def check(page: bytes, syntax: int, utf8: bool, host: bytes) -> list[twin.OutlinkRow]:
    scan = _kernel.scan(page, syntax, False, utf8)
    rows = list(zip(*(column.tolist() for column in scan.links()), strict=True))
    links = _kernel.outlinks(scan, page, host)
    assert links == twin.outlinks(rows, scan.text, page, host)
    return links


@settings(max_examples=2500)
@given(page=linked, syntax=st.sampled_from((0, 0, 1, 2, 3)), utf8=st.booleans(), host=hosts)
@example(page=b"<p>a</p><a href=//x.example></a>", syntax=0, utf8=True, host=HOST)  # begins past the end of the text
@example(page=b"<a href='http://&#35;'>a", syntax=0, utf8=True, host=HOST)  # no host is left of it
@example(page=b"<a href='http://own.exam\nple/'>a", syntax=0, utf8=True, host=HOST)  # it is the page's own after all
def test_equals_its_twin(page: bytes, syntax: int, utf8: bool, host: bytes) -> None:
    check(page, syntax, utf8, host)


@settings(max_examples=500)
@given(page=markup(60), utf8=st.booleans(), host=hosts)
def test_equals_its_twin_on_any_markup(page: bytes, utf8: bool, host: bytes) -> None:
    check(page.replace(b"href=", b"href=//h.example/"), 0, utf8, host)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<a href=http://other.example/a?b=1&amp;c=2#d>Two  <b>words</b></a>", ("http://other.example/a?b=1&c=2", "Two words", "")),
        ("<a href=//other.example hreflang=is>Íslenska", ("https://other.example", "Íslenska", "is")),
        ("<a href=https://own.example/de hreflang=de>Deutsch</a>", ("https://own.example/de", "Deutsch", "de")),
        ("<a href=https://own.example:8080/>A port is no other host", None),
        ("<a href=https://OWN.example/>Nor are capitals", None),
        ("<a href=/de hreflang=de>No whole address", None),
        ("<a href=mailto:a@other.example>Not of the web", None),
        ("<a href='https://other.example/\n a '>x", ("https://other.example/ a", "x", "")),
        ("<area href=https://other.example alt=map>", ("https://other.example", "", "")),
        (f"<a href=https://other.example/{'l' * 2048}>Too long", None),
    ],
)  # fmt: skip
def test_single_links(page: str, expected: twin.OutlinkRow | None) -> None:
    assert check(page.encode(), 0, True, HOST) == ([expected] if expected else [])


@pytest.mark.parametrize("size", [2046, 2047, 2048, 2049, 4095, 4096, 4097])
def test_longest_url(size: int) -> None:
    start = b"https://other.example/"
    assert bool(check(b"<a href=%s>a" % start.ljust(size, b"l"), 0, True, HOST)) == (size <= twin.MAX_URL_BYTES)
    without = b"<a href=%s>a" % start[6:].ljust(size - 6, b"l")  # the scheme counts, whoever wrote it
    assert bool(check(without, 0, True, HOST)) == (size <= twin.MAX_URL_BYTES)
    references = start + b"&amp;" * ((size - len(start)) // 5)  # a long way to write a short address
    assert check(b"<a href='%s'>a" % references.ljust(size, b"l"), 0, True, HOST) == (
        [(references.replace(b"&amp;", b"&").decode() + "l" * (size - len(references)), "a", "")]
        if size <= 4096
        else []
    )


def test_batch_equals_single_pages() -> None:
    flow = Identifier().models.flow
    rnd = random.Random(7)
    pages: list[bytes | None] = [linked_page(rnd) if rnd.random() < 0.9 else None for _ in range(200)]
    own = [rnd.choice((HOST, b"other.example", b"")) for _ in pages]
    many = flow.analyse_list(pages, bytes(len(pages)), False)
    of, *texts = many.outlinks(pages, own)
    links = zip(of.tolist(), *(map(str, cut(*text), ["utf-8"] * len(of)) for text in texts), strict=True)
    stop, label, *_ = many.columns()
    assert list(links) == [
        (i, *link) for i, (page, host) in enumerate(zip(pages, own, strict=True))
        if page is not None and stop[i] == 0 and label[i] >= 0 for link in _kernel.outlinks(many.scan(i), page, host)
    ]  # fmt: skip
    assert len(of) > 100
    for wrong in ((pages[1:], own), (pages, own[1:])):
        with pytest.raises(ValueError, match="one for each page"):
            many.outlinks(*wrong)
    assert many.outlinks([None] * len(pages), own)[0].tolist() == []


def linked_page(rnd: random.Random) -> bytes:
    text = rnd.choice(TEXTS)
    parts = [
        f"<p>{text}<a href='{rnd.choice(SCHEMES)}{rnd.choice(HOSTS)}'{rnd.choice(LANGS)}>{rnd.choice(WORDS)}</a>"
        for _ in range(rnd.randrange(9))
    ]
    return "".join(parts).encode()


def cut(starts: Any, data: bytes) -> list[bytes]:
    return [data[begin:end] for begin, end in itertools.pairwise(starts.tolist())]


def test_urls_are_unique_and_limited() -> None:
    page = b"".join(b"<a href=http://h%d.example/#%d>%d</a>" % (i % 700, i, i) for i in range(2000))
    links = check(page, 0, True, HOST)
    assert [url for url, _, _ in links] == [f"http://h{i}.example/" for i in range(twin.MAX_OUTLINKS)]
    assert [anchor for _, anchor, _ in links] == [str(i) for i in range(twin.MAX_OUTLINKS)]


def test_wrong_source_is_safe() -> None:
    page = b"<p>text</p>" + b"<a href=http://other.example/a hreflang=de>words</a>" * 3
    scan = _kernel.scan(page, 0, False, True)
    for size in range(len(page)):
        assert all(url.startswith("http://") for url, _, _ in _kernel.outlinks(scan, page[:size], HOST))
    assert _kernel.outlinks(scan, b"", HOST) == []
    assert _kernel.outlinks(_kernel.scan(page, 0, True, True), page, HOST) == []  # text alone has no links


def test_rewritten_text_is_safe() -> None:
    """Links keep their offsets in the old text, so their anchors are whatever is there now."""
    page = b"<p>some text of it</p><a href=http://other.example/>words</a>"
    for text in (b"", b"x", "日本".encode() * 9):
        rewrite = _kernel.Rewrite(_kernel.scan(page, 0, False, False))
        rewrite.append(text)
        assert [url for url, _, _ in _kernel.outlinks(rewrite.finish(), page, HOST)] == ["http://other.example/"]
