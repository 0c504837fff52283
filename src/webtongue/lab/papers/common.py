"""Helpers that the experiments of several papers share: percentages, labels, training sources, labelled files and samples."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from webtongue import labels
from webtongue.errors import UsageError
from webtongue.lab.evaluate.archives import read_archive
from webtongue.lab.train.corpus.read import FOLDED_LABELS, SCRIPTURE, SYNTHETIC, iter_files

__all__ = [
    "fold_language", "percent", "percent_of", "read_labelled", "require_example", "running_text_sources", "sample_by_label",
]  # fmt: skip

EXAMPLES = Path(__file__).parents[4] / "examples"  # exists in a clone; an installed wheel does not contain it

# ISO 639-1 has one Arabic; the dev text has its spoken varieties as well.
ARABIC_VARIETIES = frozenset("acm acq aeb ajp apc apd ars arq ary arz ayl".split())

Item = TypeVar("Item")


def percent(hits: Iterable[bool]) -> float:
    """Return the percentage of true values, 0 if there are no values.

    >>> percent([True, True, False, True]), percent([])
    (75.0, 0.0)
    """
    values = list(hits)
    return 100 * sum(values) / max(len(values), 1)


def percent_of(part: int, total: int) -> float | None:
    """Return ``part`` as a percentage of ``total``, or None if the total is 0."""
    return 100 * part / total if total else None


def fold_language(label: str) -> str:
    """Return the language code by which answers are compared: without script, varieties folded.

    >>> fold_language("arz_Arab"), fold_language("prs_Arab"), fold_language("und")
    ('ara', 'fas', 'und')
    """
    code = FOLDED_LABELS.get(label, label).partition("_")[0]
    return "ara" if code in ARABIC_VARIETIES else code


def running_text_sources(folder: Path) -> list[str]:
    """Return the sources of training text that are neither scripture nor synthetic."""
    return sorted({entry.source for entry in iter_files(folder)} - SCRIPTURE - SYNTHETIC)


def require_example(name: str) -> Path:
    """Return the path of a file in the examples of the repository; raise UsageError if it is not there."""
    path = EXAMPLES / name
    if not path.exists():
        raise UsageError(f"examples/{name} is only in a clone of the repository: run the experiment from a clone")
    return path


def read_labelled(path: Path) -> Iterator[tuple[dict[str, Any], bytes, str]]:
    """Yield the index row, the content and the folded label of each file in a set whose label can be parsed."""
    contents, rows = read_archive(path)
    for row in rows:
        raw = contents.get(row["path"])
        label = labels.parse(row["label"]) if isinstance(row.get("label"), str) else None
        if raw is not None and label is not None:
            yield row, raw, str(labels.fold(label))


def sample_by_label(items: Iterable[Item], get_label: Callable[[Item], str], max_items: int, seed: int) -> list[Item]:
    """Return a random sample of at most ``max_items`` items of each label, the same one in every run."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[get_label(item)].append(item)
    sample: list[Item] = []
    for label, group in sorted(groups.items()):
        random.Random(f"{seed}:{label}").shuffle(group)
        sample += group[:max_items]
    return sample
