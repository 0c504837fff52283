"""Kinds of error, for benchmarks of pages; when an answer is right is said by ``webtongue.evaluate.pages.is_right``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webtongue import labels

KINDS = (
    "look-alike",
    "answered mul",
    "answered und",
    "answered zxx",
    "mul/und/zxx wanted",
    "same language, other script",
    "other",
)


def wanted(row: Mapping[str, Any]) -> frozenset[str]:
    """The labels that are right for a page, by its row of the index; none where its label is not known or not trusted.

    >>> sorted(wanted({"label": "cmn_Hans", "accept": ["mul"]})), wanted({"label": "eng_Latn", "trusted": False})
    (['mul', 'zho_Hans'], frozenset())
    """
    gold = row.get("label")
    if not gold or row.get("trusted") is False:
        return frozenset()
    return frozenset(str(labels.fold(name)) for name in (gold, *(row.get("accept") or ())))


def kind_of(gold: str, got: str) -> str:
    """The kind of an error, one of KINDS."""
    if gold in labels.SPECIAL:
        return "mul/und/zxx wanted"
    if got in labels.SPECIAL:
        return f"answered {got}"
    if folded(gold) == folded(got):
        return "look-alike"
    return "same language, other script" if gold[:3] == got[:3] else "other"


def folded(label: str) -> str:
    """The group of look-alikes, or the language."""
    return (labels.group(label) or label.split("_")[0]) if "_" in label else label
