"""Tests that hostile pages give a verdict in bounded memory; ``bench/hostile.py`` measures linear time.

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
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

SPEC = importlib.util.spec_from_file_location("hostile", Path(__file__).parents[1] / "bench" / "hostile.py")
assert SPEC and SPEC.loader
hostile: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hostile)

MEGABYTES = float(os.environ.get("WEBTONGUE_HOSTILE_MB", "5"))
# A quadratic step would take an hour, any other takes some seconds.
TIMEOUT_SECONDS = 300.0
MAX_MEMORY = 4.0  # multiple of the page's size, including the page
ONLY_IN_BENCH = "ESC "  # all designations of ISO 2022, which are similar
FIXED_BYTES = 3e6  # for any page: buffers, tables, and pages of the mapped models
# Kinds whose text is larger in UTF-8 than in the page (three bytes instead of one or two for fonts and ISO 2022, or one shift of
# UTF-7), and the additional memory that they may take.
EXPANDING_KINDS = ("font", "ISO-2022 ", "CNS", "UTF-7")
EXPANDING_ALLOWANCE = 1.8
EXAMPLES = [(PAGES / row["file"]).read_bytes() for row in rows(PAGES / "index.jsonl")]


def assert_verdict(raw: bytes, **hints: Any) -> None:
    verdict = webtongue.identify(raw, **hints)
    assert isinstance(verdict, webtongue.Verdict)
    assert verdict.reason or verdict.label not in ("und", "zxx")
    verdict.to_json().encode()


@settings(max_examples=400)
@given(
    raw=st.binary(max_size=400) | markup(60),
    media=st.sampled_from([None, "text/html", "text/plain", "application/xml", "image/png"]),
)
def test_any_bytes_give_a_verdict(raw: bytes, media: str | None) -> None:
    assert_verdict(raw, headers={"content-type": media} if media else None)


@settings(max_examples=400)
@given(data=st.data(), page=st.sampled_from(EXAMPLES))
def test_mutated_pages_give_a_verdict(data: st.DataObject, page: bytes) -> None:
    raw = bytearray(page)
    for _ in range(data.draw(st.integers(1, 8))):
        begin = data.draw(st.integers(0, len(raw)))
        length = data.draw(st.integers(0, 40))
        raw[begin : begin + length] = data.draw(st.binary(max_size=6) | markup(4))
    assert_verdict(bytes(raw), url="http://example.org/")


@pytest.mark.parametrize("kind", [kind for kind in hostile.KINDS if not kind.startswith(ONLY_IN_BENCH)])
def test_memory_is_proportional_to_the_page(kind: str) -> None:
    measured = hostile.measure_in_process(kind, MEGABYTES, TIMEOUT_SECONDS)
    assert measured["memory"] <= MAX_MEMORY + EXPANDING_ALLOWANCE * kind.startswith(EXPANDING_KINDS) + FIXED_BYTES / (
        MEGABYTES * 1e6
    )


def test_deep_nesting_gives_a_verdict() -> None:
    assert_verdict(b"<!--" * 5 + b"-->" + b"<svg><math><template><select><title>" * 2000)
    assert_verdict(b"<a href=x>" * 30_000 + b"</a>" * 30_000)
    assert_verdict(b"<p lang=%d>" * 10 % tuple(range(10)) * 8000)


def test_many_comments_at_the_start_give_a_verdict() -> None:
    """An earlier version tried every division of the comments, which took exponential time."""
    assert_verdict(b"<!-- -->" * 500 + b"<p>x")


def test_a_false_utf_16_byte_order_mark_is_ignored() -> None:
    text = b"<p>The library opens at nine in the morning and closes at six in the evening."
    for bom in (b"\xff\xfe", b"\xfe\xff"):
        verdict = webtongue.identify(bom + text)
        assert (verdict.label, verdict.encoding) == ("eng_Latn", "utf-8")
    assert webtongue.identify("\ufeff图书馆早上九点开门晚上六点关门".encode("utf-16-le")).encoding == "utf-16le"


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_a_false_utf_16_byte_order_mark_before_utf_8_is_ignored(label: str) -> None:
    for text in SENTENCES[label]:
        for bom in (b"\xff\xfe", b"\xfe\xff"):
            word = max(text.split(), key=len)
            assert webtongue.identify(bom + word.encode()).encoding == "utf-8"
            for raw in (text.encode(), f"<html><body><p>{text}</p>".encode()):
                verdict = webtongue.identify(bom + raw)
                assert (fold(verdict.label), verdict.encoding) == (fold(label), "utf-8")
                assert webtongue.decode(bom + raw).text.strip() == raw.decode()


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_a_true_utf_16_byte_order_mark_decides(label: str) -> None:
    for text in SENTENCES[label]:
        for order in ("utf-16-le", "utf-16-be"):
            raw = ("\ufeff" + text.replace(" ", "")).encode(order)
            assert webtongue.identify(raw).encoding == order.replace("16-", "16")


def test_empty_input_has_the_reason_empty() -> None:
    for raw in (b"", b" \n\t"):
        assert webtongue.identify(raw).reason == "empty"


def test_classify_refuses_none() -> None:
    with pytest.raises(TypeError, match="str or bytes"):
        webtongue.classify(None)  # type: ignore[arg-type]
