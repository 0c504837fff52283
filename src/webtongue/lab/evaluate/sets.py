"""Read test sets: JSON Lines of ``id``, ``text`` and ``label``, plain or compressed with xz."""

from __future__ import annotations

import json
import lzma
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from webtongue import labels
from webtongue.errors import UsageError

__all__ = ["DEFAULT_DATA", "Item", "Set", "cut_text", "join_documents", "limit_items", "read_set"]

DEFAULT_DATA = Path("../shared/data")
SUFFIXES = (".jsonl.xz", ".jsonl")
SEED = 20


@dataclass(frozen=True, slots=True)
class Item:
    """A text and its folded gold label."""

    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Set:
    """Items under a name; ``skipped`` is the number of rows without a valid label."""

    name: str
    items: tuple[Item, ...]
    skipped: int = 0


def read_set(name: str, data: Path = DEFAULT_DATA) -> Set:
    """Return the set at a path, or the set of that name in ``data/dev/text``."""
    path = _find_file(name, data)
    items: list[Item] = []
    skipped = 0
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = _parse_row(line, path, number)
            label = labels.parse(row["label"]) if isinstance(row["label"], str) else None
            if label is None:
                skipped += 1
            else:
                items.append(Item(str(row.get("id", number)), str(row["text"]), str(labels.fold(label))))
    return Set(_stem(path), tuple(items), skipped)


def cut_text(text: str, length: int) -> str:
    """Return the beginning of a text, cut at a word boundary unless that would lose more than half.

    >>> cut_text("the quick brown fox", 12), cut_text("Donaudampfschiff", 5), cut_text("日本語の文章", 4)
    ('the quick', 'Donau', '日本語の')
    """
    if len(text) <= length:
        return text
    at = text.rfind(" ", 0, length + 1)
    return text[:at] if at * 2 >= length else text[:length]


def join_documents(items: tuple[Item, ...], sentences: int, seed: int = SEED) -> tuple[Item, ...]:
    """Return items of a label joined into texts of ``sentences`` items, in random order.

    An incomplete last text is dropped, unless it is the only one of its label.
    """
    by_label: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_label[item.label].append(item)
    joined = []
    for label, label_items in by_label.items():
        random.Random(f"{seed}:{label}").shuffle(label_items)
        for start in range(0, len(label_items), sentences):
            group = label_items[start : start + sentences]
            if len(group) == sentences or not start:
                joined.append(Item(group[0].id, " ".join(item.text for item in group), label))
    return tuple(joined)


def limit_items(items: tuple[Item, ...], max_items: int, seed: int = SEED) -> tuple[Item, ...]:
    """Return at most ``max_items`` items, drawn at random and as evenly over labels as possible."""
    if len(items) <= max_items:
        return items
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    rank: dict[str, int] = defaultdict(int)
    rank_of = {}
    for index in order:
        rank_of[index] = rank[items[index].label]
        rank[items[index].label] += 1
    order.sort(key=lambda index: rank_of[index])  # stable sort: one item of each label, then a second of each
    return tuple(items[index] for index in sorted(order[:max_items]))


def _find_file(name: str, data: Path) -> Path:
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix or len(path.parts) > 1:
        raise UsageError(f"no such set: {name}")
    folder = data / "dev" / "text"
    if not folder.is_dir():
        raise UsageError(
            f"no folder {folder}, in which {name!r} is looked up: give a path, or the data folder with --data"
        )
    for suffix in SUFFIXES:
        if (folder / f"{name}{suffix}").is_file():
            return folder / f"{name}{suffix}"
    available = sorted({_stem(path) for path in folder.iterdir() if path.name.endswith(SUFFIXES)})
    raise UsageError(f"no set {name!r} in {folder}; it has {', '.join(available) or 'none'}")


def _stem(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".jsonl")


def _parse_row(line: str, path: Path, number: int) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{path}, line {number}: not JSON ({error})") from None
    if not isinstance(row, dict) or "text" not in row or "label" not in row:
        raise UsageError(f"{path}, line {number}: not an object with the keys text and label")
    return row
