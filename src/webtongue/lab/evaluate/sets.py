"""Read test sets of texts, pages or URLs, in any layout of documents.py, and cut, join and sample them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.lab.documents import TEXT, URL, Labelled, read_collection
from webtongue.lab.methods.document import read_text
from webtongue.page import Page

__all__ = ["DEFAULT_DATA", "Item", "Set", "cut_text", "join_documents", "limit_items", "read_set"]

DEFAULT_DATA = Path("../shared/data")
SUFFIXES = (".jsonl.xz", ".jsonl", ".tar.xz", ".tsv.xz", ".tsv")
FOLDERS = ("dev/text", "dev/html", "dev/encoding", "dev/url", "url")  # folders of the data folder
SEED = 20


@dataclass(frozen=True, slots=True)
class Item:
    """A text and its folded gold label. ``page`` is the page that the text is of; ``is_url`` if the text is a URL."""

    id: str
    text: str
    label: str
    page: Page | None = None
    is_url: bool = False


@dataclass(frozen=True, slots=True)
class Set:
    """Items of one kind under a name; ``skipped`` is the number of rows without a valid label, ``ignored`` files of no kind."""

    name: str
    items: tuple[Item, ...]
    skipped: int = 0
    kind: str = TEXT
    ignored: tuple[str, ...] = ()


def read_set(name: str, data: Path = DEFAULT_DATA, encoding: str = "") -> Set:
    """Return the set at a path, in any layout of documents.py, or the set of that name in the data folder."""
    path = _find_file(name, data)
    collection = read_collection(path, encoding)
    if not collection.items:
        raise UsageError(f"{path}: no document has a label that is a language")
    items = tuple(map(_make_item, collection.items))
    return Set(_stem(path), items, collection.skipped, collection.kind, collection.ignored)


def _make_item(labelled: Labelled) -> Item:
    document = labelled.document
    if isinstance(document, Page):
        return Item(labelled.id, read_text(document), labelled.label, document)
    return Item(labelled.id, document, labelled.label, is_url=labelled.kind == URL)


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
    if path.is_file() or path.is_dir():
        return path
    if path.suffix or len(path.parts) > 1:
        raise UsageError(f"no such set: {name}")
    folders = [data / folder for folder in FOLDERS]
    if not any(folder.is_dir() for folder in folders):
        raise UsageError(
            f"no folder {folders[0]}, in which {name!r} is looked up: give the path of a set of yours, or the data folder with "
            "--data (docs/reproduce.md says where its parts come from)"
        )
    for folder in folders:
        for suffix in SUFFIXES:
            if (folder / f"{name}{suffix}").is_file():
                return folder / f"{name}{suffix}"
    files = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
    available = sorted({_stem(path) for path in files if path.name.endswith(SUFFIXES)})
    raise UsageError(f"no set {name!r} in {folders[0]}; there are {', '.join(available) or 'none'}")


def _stem(path: Path) -> str:
    return next((path.name.removesuffix(suffix) for suffix in SUFFIXES if path.name.endswith(suffix)), path.name)
