"""Reading, cutting and joining sets."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path

import pytest

from webtongue.errors import UsageError
from webtongue.lab.evaluate import sets
from webtongue.lab.evaluate.sets import Item

ROWS: list[dict[str, object]] = [
    {"id": "1", "text": "mirë", "label": "als_Latn"},
    {"id": "2", "text": "mir", "label": None},
    {"id": "3", "text": "你好", "label": "cmn_Hani"},
]


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_labels_are_folded_and_rows_without_one_counted(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(lines(ROWS) + "\n", "utf-8")
    test_set = sets.read_set(str(path))
    assert test_set == sets.Set("mine", (Item("1", "mirë", "sqi_Latn"), Item("3", "你好", "zho_Hans")), skipped=1)


def test_a_bare_name_is_looked_up_in_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "dev" / "text"
    folder.mkdir(parents=True)
    (folder / "words.jsonl.xz").write_bytes(lzma.compress(lines(ROWS).encode()))
    assert len(sets.read_set("words", tmp_path).items) == 2
    with pytest.raises(UsageError, match="there are words"):
        sets.read_set("wrods", tmp_path)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--data"):
        sets.read_set("words", tmp_path / "nowhere")
    with pytest.raises(UsageError, match="no such set"):
        sets.read_set(str(tmp_path / "none.jsonl"))


@pytest.mark.parametrize("line", ["not json", "[1, 2]", '{"text": "a"}'])
def test_a_bad_row_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines(ROWS) + line + "\n", "utf-8")
    with pytest.raises(UsageError, match="line 4"):
        sets.read_set(str(path))


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("short", 20, "short"),
        ("one two three", 7, "one two"),
        ("one two three", 6, "one"),
        ("a verylongwordindeed", 10, "a verylong"),  # the only boundary would lose nine of ten
        ("日本語の文章です", 4, "日本語の"),
    ],
)
def test_cut(text: str, length: int, expected: str) -> None:
    assert sets.cut_text(text, length) == expected


def test_documents_join_one_label_and_drop_the_rest() -> None:
    items = tuple(
        Item(f"{label}{n}", f"{label}{n}", label) for label, count in (("a", 7), ("b", 2)) for n in range(count)
    )
    joined = sets.join_documents(items, 3)
    assert Counter(item.label for item in joined) == {"a": 2, "b": 1}
    assert [len(item.text.split()) for item in joined] == [3, 3, 2]
    assert all(word.startswith(item.label) for item in joined for word in item.text.split())
    assert sets.join_documents(items, 3) == joined


def test_limited_is_even_over_labels() -> None:
    items = tuple(Item(str(n), "", "a" if n < 90 else "b" if n < 98 else "c") for n in range(100))
    limited = sets.limit_items(items, 12)
    assert Counter(item.label for item in limited) == {"a": 5, "b": 5, "c": 2}
    assert sets.limit_items(items, 100) == items
    assert limited == sets.limit_items(items, 12)
