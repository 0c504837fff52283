"""Tests of Page: wrong types are refused, and any bytes are a page."""

from __future__ import annotations

import tracemalloc
from collections import UserDict
from typing import Any

import pytest

import webtongue
from webtongue.page import Inlink, Page


@pytest.mark.parametrize("raw", ["text", None, 1, [b"x"], object()])
def test_raw_is_bytes(raw: Any) -> None:
    with pytest.raises(TypeError, match="a page is bytes"):
        Page(raw)
    with pytest.raises(TypeError):
        webtongue.identify(raw)


def test_a_str_page_is_refused_with_advice() -> None:
    with pytest.raises(TypeError, match="identify_text"):
        webtongue.identify("Salve")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="identify"):
        webtongue.identify_text(b"Salve")  # type: ignore[arg-type]


@pytest.mark.parametrize("raw", [bytearray(b"<p>x"), memoryview(b"<p>x"), b"<p>x"])
def test_buffers_become_bytes(raw: Any) -> None:
    assert type(Page(raw).raw) is bytes
    assert Page(raw).raw == b"<p>x"


@pytest.mark.parametrize("arguments", [{"url": b"x"}, {"ip": 1}, {"headers": "a: b"}, {"headers": [("a", "b")]}])
def test_other_fields_are_type_checked(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Page(b"", **arguments)


def test_header_names_are_case_insensitive() -> None:
    assert Page(b"", headers={"CONTENT-Type": "a"}).header("content-type") == "a"
    assert Page(b"", headers={b"content-type": [b"a", "b"]}).header("content-type") == "a, b"  # type: ignore[dict-item]
    assert Page(b"", headers={"content-type": None}).header("content-type") is None  # type: ignore[dict-item]
    assert Page(b"", headers=None).header("content-type") is None  # type: ignore[arg-type]


def test_inlinks_are_parsed_by_the_constructor() -> None:
    assert Page(b"", inlinks=[{"url": "https://example.is/", "language": "is"}]).inlinks[0].language == "is"  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="host is a mapping"):
        Page(b"", host=[("is", 3)])  # type: ignore[arg-type]


WRONG_INLINKS: list[Any] = [
    5,
    "https://example.is/",
    {"url": "https://example.is/", "language": "is"},
    Inlink("https://example.is/", "is"),
    ["https://example.is/"],
    (b"https://example.is/",),
    [5],
    [None],
    [Inlink("https://example.is/", "is"), 5],
    [{"href": "https://example.is/"}],
]


@pytest.mark.parametrize("inlinks", WRONG_INLINKS, ids=repr)
def test_inlinks_that_are_no_links_are_refused(inlinks: Any) -> None:
    with pytest.raises(TypeError, match="inlink"):
        Page(b"", inlinks=inlinks)
    with pytest.raises(TypeError, match="inlink"):
        webtongue.identify(b"", inlinks=inlinks)
    with pytest.raises(TypeError, match="inlink"):
        webtongue.identify_url("https://example.is/", inlinks=inlinks)


def test_the_error_for_inlinks_shows_how_to_write_one() -> None:
    with pytest.raises(TypeError, match=r'not str; write \[Inlink\("https://...", language="is"\)\]'):
        Page(b"", inlinks=iter(["https://example.is/"]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the keys url, language, confidence, anchor, hreflang, not 'href'"):
        Page(b"", inlinks=[{"href": "https://example.is/"}])  # type: ignore[arg-type]


def test_only_a_page_is_analysed() -> None:
    for page in (b"<p>Salve", None, "text"):
        with pytest.raises(TypeError, match="analyze takes a Page"):
            webtongue.Identifier().analyze(page)  # type: ignore[arg-type]


def test_arguments_that_change_after_the_call_do_not_change_the_verdict() -> None:
    raw = bytearray(b"<p>Butikken er lukket i dag, men vi er her igen i morgen.</p>")
    headers, host, inlinks = (
        {"Content-Language": "nb"},
        {"da": 3.0, "nb": 5.0},
        [{"url": "https://a.no/", "language": "nb"}],
    )
    verdicts = [webtongue.identify(raw, headers=headers, inlinks=inlinks, host=host) for _ in range(2)]
    expected = verdicts[0].to_json()
    raw[:] = b""
    for value in (headers, host, inlinks[0]):
        value.clear()
    assert verdicts[1].to_json() == expected


class Loud(UserDict[str, Any]):
    """Headers with a ``__repr__`` that would clear a terminal."""

    def __repr__(self) -> str:
        return "\x1b[2J\x07"


def test_the_repr_shows_mappings_as_dicts_and_no_control_characters() -> None:
    assert repr(Page(b"x", headers=Loud(Server="a\x1b[2J"))) == r"Page(raw=b'x', headers={'Server': 'a\x1b[2J'})"
    assert repr(Page(b"x", headers={"Server": Loud()})) == r"Page(raw=b'x', headers={'Server': \x1b[2J\x07})"  # type: ignore[dict-item]


def test_the_repr_shows_the_type_of_a_mapping_that_cannot_be_read() -> None:
    class Broken(UserDict[str, Any]):
        def __iter__(self) -> Any:
            raise OSError("gone")

    assert "Broken'>" in repr(Page(b"x", headers=Broken(Server="a")))


@pytest.mark.parametrize("raw", [b"\x00" * 4_000_000, b"<p>" + b"x" * 4_000_000 + b"</p>"], ids=["zeros", "text"])
def test_the_repr_of_a_long_page_is_short_and_cheap(raw: bytes) -> None:
    page = Page(raw, url="https://example.is/" + "a" * 1_000_000)
    repr(page)
    tracemalloc.start()
    shown = repr(page)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(shown) < 200 and repr(raw[:4])[:-1] in shown and repr(raw[-4:])[2:] in shown
    assert peak < 100_000
