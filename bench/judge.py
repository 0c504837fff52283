"""When an answer for a page is right: one rule for all benchmarks of pages."""

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


def is_right(label: str, right: frozenset[str]) -> bool:
    """Whether the answer is one of the labels, or of the members of a group that one of them names."""
    return label in right or any(is_member(label, name) for name in right)


def kind_of(gold: str, got: str) -> str:
    """The kind of an error, one of KINDS."""
    if gold in labels.SPECIAL:
        return "mul/und/zxx wanted"
    if got in labels.SPECIAL:
        return f"answered {got}"
    if folded(gold) == folded(got):
        return "look-alike"
    return "same language, other script" if gold[:3] == got[:3] else "other"


def is_member(label: str, gold: str) -> bool:
    """Whether the gold label names a group and the answer is one of its members."""
    return label in labels.members(gold.partition("_")[0]) and label.partition("_")[2] == gold.partition("_")[2]


def folded(label: str) -> str:
    """The group of look-alikes, or the language."""
    return (labels.group(label) or label.split("_")[0]) if "_" in label else label
