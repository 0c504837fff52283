"""The scanner equals its twin."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.native.fragments import markup
from tests.twins.markup import scan as twin
from webtongue import _kernel

MODES = [(syntax, utf8) for syntax in range(4) for utf8 in (True, False)]


def columns(rows: tuple[object, ...]) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in rows), strict=True))


def check(page: bytes, syntax: int, utf8: bool) -> None:
    got = _kernel.scan(page, syntax, False, utf8)
    expected = twin.Scanner(page, syntax, utf8)
    assert got.text == expected.text
    assert got.visible_size == expected.visible_size
    assert got.references == bytes(expected.out.references)
    assert [block[:5] for block in columns(got.blocks())] == expected.out.blocks
    assert columns(got.links()) == [tuple(link) for link in expected.links]
    assert got.declarations == expected.declarations.recorded
    assert got.langs == expected.langs
    assert got.tag_count == expected.tag_count
    assert got.skipped_bytes == expected.skipped
    assert not got.truncated


@pytest.mark.parametrize(("syntax", "utf8"), MODES)
@settings(max_examples=600)
@given(page=markup())
@example(page=b"<![CDATA[a]>b]]>c")
@example(page=b"<a\0 href=x>b</a>")
@example(page=b"<svg><![CDATA[]>]]></svg>a")
def test_scan_equals_its_twin(page: bytes, syntax: int, utf8: bool) -> None:
    check(page, syntax, utf8)


PIECES = (
    b" ", b"\n", b"/", b"=", b'"', b"'", b">", b" a", b' class="b c"', b" style='color: red; x > y'", b" lang=de", b' LANG="fr"', b" x:lang='it'",
    b' xml:lang="es"', b" width=10", b" y=z='>'", b' = "', b" data-longer-than-sixteen-bytes", b'="0123456789 abcdefghijklmn"', b" slug", b"\xe9",
)  # fmt: skip
tags = st.tuples(
    st.sampled_from([b"<div", b"<p", b"<td", b"<a", b"<unknown", b"</p"]), st.lists(st.sampled_from(PIECES), max_size=7)
).map(lambda tag: tag[0] + b"".join(tag[1]) + b">text ")


@settings(max_examples=1500)
@given(page=st.lists(tags, max_size=6).map(b"".join), syntax=st.integers(0, 2))
@example(page=b'<div x=y="z>w">a', syntax=0)
@example(page=b'<div x / ="z>w">a', syntax=0)
def test_skipped_attributes(page: bytes, syntax: int) -> None:
    """Pages are long, since attributes near the end of a page are always parsed one by one."""
    check(page + b"." * 40, syntax, True)


def test_unknown_elements_share_ids() -> None:
    check(b'<a"\xe9 lang=de>text </p\xe9>text ' + b"." * 40, 0, True)


@settings(max_examples=300)
@given(page=st.binary(max_size=200), syntax=st.integers(0, 3), utf8=st.booleans())
def test_any_bytes(page: bytes, syntax: int, utf8: bool) -> None:
    check(page, syntax, utf8)


@settings(max_examples=800)
@given(page=markup(60), syntax=st.integers(0, 3), utf8=st.booleans())
def test_text_only_is_the_visible_text(page: bytes, syntax: int, utf8: bool) -> None:
    """Line ends at a change of ``lang`` are ignored, since a scan without scopes does not see them."""
    full = _kernel.scan(page, syntax, False, utf8)
    only = _kernel.scan(page, syntax, True, utf8)
    visible = full.slice(0, full.visible_size)
    if b"lang" in page.lower():
        assert re.sub(rb"[ \n]", b"", only.text) == re.sub(rb"[ \n]", b"", visible)
    else:
        assert only.text == visible


@pytest.mark.parametrize("depth", [127, 128, 129, 511, 512, 600])
def test_deep_scopes(depth: int) -> None:
    check(b"<div lang=fr>" + b"<b>" * depth + b"x</b>y" + b"</b>" * depth + b"z</div>w", 0, True)
    check(b"<ul lang=fr>" + b"<ul><li>" * depth + b"x" + b"</ul>y" * depth, 0, True)


def test_maximum_of_blocks() -> None:
    """Beyond the maximum the rest of the page is one block, without the texts of attributes."""
    scan = _kernel.scan(b"<img alt=never>" + b"<p>a" * 40_000, 0, False, True)
    rows = columns(scan.blocks())
    assert scan.truncated
    assert len(rows) < 40_000
    assert b"never" not in scan.text
    assert scan.text.count(b"a") == 40_000
    assert all(begin < end for _, begin, end, *_ in rows)


@settings(max_examples=400)
@given(page=markup(), syntax=st.integers(0, 3))
@example(page=b"<p>&aacute;\xe9&aacute; \xc3&copy;", syntax=0)
def test_utf8_check_ignores_references(page: bytes, syntax: int) -> None:
    page = page.replace(b"\x1a", b"")
    held = _kernel.scan(page, syntax, False, False)
    assert _kernel.scan(page, syntax, False, True).check_utf8() == _kernel.check_utf8(held.text)
