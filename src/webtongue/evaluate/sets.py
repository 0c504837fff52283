"""The sets to be scored on: JSON Lines of ``id``, ``text`` and ``label``, plain or packed with xz."""

from __future__ import annotations

import json
import lzma
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from webtongue import labels
from webtongue.errors import UsageError

__all__ = ["DEFAULT_DATA", "Item", "Set", "cut", "documents", "limited", "read"]

DEFAULT_DATA = Path("../shared/data")
SUFFIXES = (".jsonl.xz", ".jsonl")
SEED = 20


@dataclass(frozen=True, slots=True)
class Item:
    """A text and the folded label it is known to have."""

    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Set:
    """Items under a name; ``skipped`` counts the rows that carry no label we can read."""

    name: str
    items: tuple[Item, ...]
    skipped: int = 0


def read(name: str, data: Path = DEFAULT_DATA) -> Set:
    """The set at a path, or of that name in ``data/dev/text``."""
    path = _find(name, data)
    items: list[Item] = []
    skipped = 0
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = _row(line, path, number)
            label = labels.parse(row["label"]) if isinstance(row["label"], str) else None
            if label is None:
                skipped += 1
            else:
                items.append(Item(str(row.get("id", number)), str(row["text"]), str(labels.fold(label))))
    return Set(_stem(path), tuple(items), skipped)


def cut(text: str, length: int) -> str:
    """The beginning of a text, at a word boundary unless that would lose more than half.

    >>> cut("the quick brown fox", 12), cut("Donaudampfschiff", 5), cut("日本語の文章", 4)
    ('the quick', 'Donau', '日本語の')
    """
    if len(text) <= length:
        return text
    at = text.rfind(" ", 0, length + 1)
    return text[:at] if at * 2 >= length else text[:length]


def documents(items: tuple[Item, ...], sentences: int, seed: int = SEED) -> tuple[Item, ...]:
    """Items joined by label into texts of so many sentences, in an order that the seed fixes.

    What is left over of a label is dropped, unless the label has no more than that.
    """
    by_label: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_label[item.label].append(item)
    out = []
    for label, members in by_label.items():
        random.Random(f"{seed}:{label}").shuffle(members)
        for start in range(0, len(members), sentences):
            part = members[start : start + sentences]
            if len(part) == sentences or not start:
                out.append(Item(part[0].id, " ".join(item.text for item in part), label))
    return tuple(out)


def limited(items: tuple[Item, ...], most: int, seed: int = SEED) -> tuple[Item, ...]:
    """So many items at most, drawn at random and as evenly over labels as they allow."""
    if len(items) <= most:
        return items
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    rank: dict[str, int] = defaultdict(int)
    turn = {}
    for index in order:
        turn[index] = rank[items[index].label]
        rank[items[index].label] += 1
    order.sort(key=lambda index: turn[index])  # stable: first one of each label, then another of each
    return tuple(items[index] for index in sorted(order[:most]))


def _find(name: str, data: Path) -> Path:
    given = Path(name)
    if given.is_file():
        return given
    if given.suffix or len(given.parts) > 1:
        raise UsageError(f"no such set: {name}")
    folder = data / "dev" / "text"
    if not folder.is_dir():
        raise UsageError(f"{name!r} is looked for in {folder}, which is missing: give a path, or the folder by --data")
    for suffix in SUFFIXES:
        if (folder / f"{name}{suffix}").is_file():
            return folder / f"{name}{suffix}"
    known = sorted({_stem(path) for path in folder.iterdir() if path.name.endswith(SUFFIXES)})
    raise UsageError(f"no set {name!r} in {folder}; there are {', '.join(known) or 'none'}")


def _stem(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".jsonl")


def _row(line: str, path: Path, number: int) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{path}, line {number}: not JSON ({error})") from None
    if not isinstance(row, dict) or "text" not in row or "label" not in row:
        raise UsageError(f"{path}, line {number}: a row is an object with text and label")
    return row
