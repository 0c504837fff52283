"""The places of blocks equal those of their twin."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.twins.markup import places as twin
from webtongue import _kernel

WORDS = ("menu", "nav", "sidebar")
ATTRIBUTES = (
    "", "", "", " class=menu", " class='a NAV-b'", ' id="mainMenu"', " class=menus", " role=main", " hidden", " aria-hidden=true", " class='x' id=sideBar",
    " lang=de", " class=sidebar2",
)  # fmt: skip
NAMES = (
    "div p h1 h2 h4 ul ol li dl dt dd table tr td th tbody blockquote pre aside header main article section body button label figcaption caption form span"
    " b a option nav footer dialog xmp center title"
).split()
starts = st.tuples(st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES)).map(lambda tag: f"<{tag[0]}{tag[1]}>")
ends = st.sampled_from(NAMES).map(lambda name: f"</{name}>")
texts = st.sampled_from(["text ", "a", " ", "&amp;", "é"])
pages = st.lists(st.one_of(starts, ends, texts), max_size=40).map(lambda parts: "".join(parts).encode())


def places(page: bytes, syntax: int) -> list[twin.Place]:
    scan = _kernel.scan_places(page, syntax, _kernel.ClassWords(list(WORDS)))
    return [twin.Place(*row) for row in zip(*(column.tolist() for column in scan.places()), strict=True)]


@settings(max_examples=1500)
@given(page=pages, syntax=st.integers(0, 1))
@example(page=b"<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>", syntax=0)
@example(page=b"<ul><li>a<ol><li>b</ol><li>c</ul><h2>d</h2>", syntax=0)
@example(page=b"<body class=menu>a<div class=menu>b</div>", syntax=0)
def test_places_equal_their_twin(page: bytes, syntax: int) -> None:
    expected = twin.PlaceScanner(page, syntax, {word.encode() for word in WORDS}).places
    assert places(page, syntax) == expected


@settings(max_examples=300)
@given(page=pages, syntax=st.integers(0, 3))
def test_places_do_not_change_the_scan(page: bytes, syntax: int) -> None:
    scan = _kernel.scan_places(page, syntax, _kernel.ClassWords(list(WORDS)))
    plain = _kernel.scan(page, syntax, False, True)
    assert scan.text == plain.text
    assert [column.tolist() for column in scan.blocks()] == [column.tolist() for column in plain.blocks()]
    if syntax < 2:
        assert len(scan.places()[0]) == len(scan.blocks()[0])


def test_columns_and_rows_of_nested_tables() -> None:
    found = places(b"<table><tr><th>a<td>b<table><tr><td>c<td>d</table>e<td>f<tr><td>g</table>", 0)
    assert [(place.table, place.row, place.column) for place in found] == [
        (1, 1, 0), (1, 1, 1), (2, 2, 0), (2, 2, 1), (1, 1, 1), (1, 1, 2), (1, 3, 0),
    ]  # fmt: skip
