"""Text from outside is shown and never obeyed, and takes the room it is given."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from webtongue.cli.table import GAP, Column, layout
from webtongue.cli.terminal import Screen, json_line, readable, shown

# Written out once more, by what Unicode says of them: Cc, Zl, Zp, Cs, and the controls of direction.
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
ANYTHING = st.text(st.characters(exclude_categories=()))
HARD = st.text(st.sampled_from("ab[]/\\…é語🙂\u0301\u200d\x1b\x9b\u202e\n\t\udcff\ud800"))
COLUMNS = (Column("a", 12, 40, grow=2), Column("b", 8, 8), Column("c", 5, 13), Column("d", 13, 16), Column("e", 9, 23))


@given(ANYTHING | HARD, st.sampled_from(["utf-8", "ascii", "latin-1", "koi8-r", "shift_jis"]))
def test_nothing_acts_and_everything_can_be_written(text: str, encoding: str) -> None:
    safe = shown(text, encoding)
    assert not ACTING.search(safe)
    safe.encode(encoding)
    assert not ACTING.search(shown(text, encoding, lines=True).replace("\n", "").replace("\t", ""))


@given(st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs"))))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert shown(text) == text


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
    assert shown(text) == escaped


@given(ANYTHING | HARD)
def test_json_is_the_same_data_and_does_not_act(text: str) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # two halves are one in JSON
    line = json_line({text: [text]})
    assert json.loads(line) == {text: [text]}
    assert line.endswith("\n") and not ACTING.search(line[:-1])
    line.encode()


def test_file_names_in_json_are_text_to_every_reader() -> None:
    assert readable("a\udcff\ud800é") == r"a\xff\ud800é"


@given(ANYTHING | HARD, st.integers(5, 80), st.booleans(), st.sampled_from(["utf-8", "ascii"]))
def test_cut_text_fits(text: str, width: int, middle: bool, encoding: str) -> None:
    where = Screen(width, encoding)
    whole = where.shown(text)
    cut = where.cut(whole, width, middle)
    assert cell_len(cut) <= width
    cut.encode(encoding)
    if cell_len(whole) <= width and len(whole) <= 4 * width:
        assert cut == whole


def test_both_ends_of_a_name_are_kept() -> None:
    assert Screen().cut("archive-of-2024-february-12.html", 20, middle=True) == "archive-of-2…12.html"
    assert Screen(encoding="ascii").cut("archive-of-2024-february-12.html", 20, middle=True) == "archive-of-...2.html"


@given(st.integers(1, 300))
def test_columns_never_take_more_than_there_is(width: int) -> None:
    cells = layout(COLUMNS, width)
    names = [column.name for column in COLUMNS]
    assert list(cells) == names[: len(cells)]  # dropped by importance
    assert all(column.least <= cells[column.name] <= column.most for column in COLUMNS if column.name in cells)
    if width >= COLUMNS[0].least:
        assert sum(cells.values()) + GAP * (len(cells) - 1) <= width


def test_colour_only_where_there_is_some() -> None:
    assert Screen().styled("x", "red") == "x"
    assert Screen(colour=True).styled("x", "red") == "\x1b[31mx\x1b[0m"
