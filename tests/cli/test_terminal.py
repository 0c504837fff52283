"""Tests that text from outside is escaped and fits the width."""

from __future__ import annotations

import json
import re
from io import BytesIO, TextIOWrapper

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from webtongue.cli.console import Terminal
from webtongue.cli.streamed_table import GAP, Column, compute_widths
from webtongue.cli.terminal import escape_surrogates, escape_text, format_json_line

# Written out once more, by what Unicode says of them: Cc, Zl, Zp, Cs, and the controls of direction.
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
ANYTHING = st.text(st.characters(exclude_categories=()))
HARD = st.text(st.sampled_from("ab[]/\\…é語🙂\u0301\u200d\x1b\x9b\u202e\n\t\udcff\ud800"))
COLUMNS = (
    Column("a", 12, 40, growth=2),
    Column("b", 8, 8),
    Column("c", 5, 13),
    Column("d", 13, 16),
    Column("e", 9, 23),
)


@given(ANYTHING | HARD, st.sampled_from(["utf-8", "ascii", "latin-1", "koi8-r", "shift_jis"]))
def test_control_characters_are_escaped_and_output_is_encodable(text: str, encoding: str) -> None:
    safe = escape_text(text, encoding)
    assert not ACTING.search(safe)
    safe.encode(encoding)
    assert not ACTING.search(escape_text(text, encoding, keep_lines=True).replace("\n", "").replace("\t", ""))


@given(st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs"))))
def test_plain_text_is_unchanged(text: str) -> None:
    assert escape_text(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\x9b2J", r"\x9b2J"),
        ("gnp\u202egpj.exe", r"gnp\u202egpj.exe"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("C:\\pages", "C:\\pages"),
    ],
)
def test_escapes(text: str, escaped: str) -> None:
    assert escape_text(text) == escaped


@given(ANYTHING | HARD)
def test_json_is_escaped_and_equal_data(text: str) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # two halves are one in JSON
    line = format_json_line({text: [text]})
    assert json.loads(line) == {text: [text]}
    assert line.endswith("\n") and not ACTING.search(line[:-1])
    line.encode()


def test_file_names_in_json_are_valid_text() -> None:
    assert escape_surrogates("a\udcff\ud800é") == r"a\xff\ud800é"


@given(ANYTHING | HARD, st.integers(5, 80), st.booleans(), st.sampled_from(["utf-8", "ascii"]))
def test_truncated_text_fits_the_width(text: str, width: int, middle: bool, encoding: str) -> None:
    terminal = open_terminal(encoding)
    escaped = terminal.escape(text)
    cut = terminal.cut(escaped, width, middle)
    assert cell_len(cut) <= width
    cut.encode(encoding)
    if cell_len(escaped) <= width and len(escaped) <= 4 * width:
        assert cut == escaped


def test_both_ends_of_a_name_are_kept() -> None:
    name = "archive-of-2024-february-12.html"
    assert open_terminal().cut(name, 20, middle=True) == "archive-of-2…12.html"
    assert open_terminal("ascii").cut(name, 20, middle=True) == "archive-of-...2.html"
    assert open_terminal("ascii").cut("too little", 8) == "too l..."


def open_terminal(encoding: str = "utf-8") -> Terminal:
    return Terminal(file=TextIOWrapper(BytesIO(), encoding))


@given(st.integers(1, 300))
def test_columns_fit_the_available_width(width: int) -> None:
    cells = compute_widths(COLUMNS, width)
    names = [column.name for column in COLUMNS]
    assert list(cells) == names[: len(cells)]  # dropped by importance
    assert all(column.min_width <= cells[column.name] <= column.max_width for column in COLUMNS if column.name in cells)
    if width >= COLUMNS[0].min_width:
        assert sum(cells.values()) + GAP * (len(cells) - 1) <= width
