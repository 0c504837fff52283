"""Pages made to hurt: always a verdict, in little memory. That time is linear is printed by ``bench/hostile.py``.

WEBTONGUE_HOSTILE_MB=100 runs the size of the design (100 MB) in place of 5.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from tests.cases import PAGES, rows
from tests.native.fragments import markup

SPEC = importlib.util.spec_from_file_location("hostile", Path(__file__).parents[1] / "bench" / "hostile.py")
assert SPEC and SPEC.loader
hostile: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hostile)

MEGABYTES = float(os.environ.get("WEBTONGUE_HOSTILE_MB", "5"))
# Seconds after which a page is said to hang: a quadratic step would take an hour, all others take some seconds.
WATCHDOG = 300.0
MOST_MEMORY = 4.0  # multiple of the page's size, the page itself counted in
ONLY_IN_BENCH = "ESC "  # every designation of ISO 2022, whose kinds are alike
FIXED = 3e6  # bytes that any page may take: buffers, tables, and what is read of the models
# Kinds whose text is larger in UTF-8 than in the page, three bytes for what were one or two in a font or a set of ISO 2022,
# or all of it one shift of UTF-7; and how much more than other pages they may take.
LARGER = ("font", "ISO-2022 ", "CNS", "UTF-7")
MORE = 1.5
EXAMPLES = [(PAGES / row["file"]).read_bytes() for row in rows(PAGES / "index.jsonl")]


def check(raw: bytes, **known: Any) -> None:
    v = webtongue.identify(raw, **known)
    assert isinstance(v, webtongue.Verdict)
    assert v.reason or v.label not in ("und", "zxx")
    v.to_json().encode()


@settings(max_examples=400)
@given(
    raw=st.binary(max_size=400) | markup(60),
    media=st.sampled_from([None, "text/html", "text/plain", "application/xml", "image/png"]),
)
def test_any_bytes_give_a_verdict(raw: bytes, media: str | None) -> None:
    check(raw, headers={"content-type": media} if media else None)


@settings(max_examples=400)
@given(data=st.data(), page=st.sampled_from(EXAMPLES))
def test_mutated_pages_give_a_verdict(data: st.DataObject, page: bytes) -> None:
    raw = bytearray(page)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw)))
        span = data.draw(st.integers(0, 40))
        raw[at : at + span] = data.draw(st.binary(max_size=6) | markup(4))
    check(bytes(raw), url="http://example.org/")


@pytest.mark.parametrize("kind", [kind for kind in hostile.KINDS if not kind.startswith(ONLY_IN_BENCH)])
def test_ends_in_little_memory(kind: str) -> None:
    found = hostile.measure_apart(kind, MEGABYTES, WATCHDOG)
    assert found["memory"] <= MOST_MEMORY + MORE * kind.startswith(LARGER) + FIXED / (MEGABYTES * 1e6)


def test_everything_at_once_is_still_a_verdict() -> None:
    check(b"<!--" * 5 + b"-->" + b"<svg><math><template><select><title>" * 2000)
    check(b"<a href=x>" * 30_000 + b"</a>" * 30_000)
    check(b"<p lang=%d>" * 10 % tuple(range(10)) * 8000)


def test_comments_at_the_start() -> None:
    """Once tried in every division of the comments: 2 to the power of 500."""
    check(b"<!-- -->" * 500 + b"<p>x")


def test_a_mark_of_utf_16_before_ascii_is_a_lie() -> None:
    text = b"<p>The library opens at nine in the morning and closes at six in the evening."
    for mark in (b"\xff\xfe", b"\xfe\xff"):
        v = webtongue.identify(mark + text)
        assert (v.label, v.encoding) == ("eng_Latn", "utf-8")
    assert webtongue.identify("\ufeff图书馆早上九点开门晚上六点关门".encode("utf-16-le")).encoding == "utf-16le"


def test_empty_is_called_empty() -> None:
    for raw in (b"", b" \n\t"):
        assert webtongue.identify(raw).reason == "empty"


def test_a_label_of_nothing_is_refused() -> None:
    with pytest.raises(TypeError, match="str or bytes"):
        webtongue.classify(None)  # type: ignore[arg-type]
