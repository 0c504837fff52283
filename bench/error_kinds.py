"""Kinds of errors on labelled pages; ``webtongue.lab.evaluate.pages.is_right`` says whether an answer is right."""

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


def accepted_labels(row: Mapping[str, Any]) -> frozenset[str]:
    """Return the labels that are right for a page by its row of the index, or none if its label is unknown or not trusted.

    >>> sorted(accepted_labels({"label": "cmn_Hans", "accept": ["mul"]}))
    ['mul', 'zho_Hans']
    >>> accepted_labels({"label": "eng_Latn", "trusted": False})
    frozenset()
    """
    gold = row.get("label")
    if not gold or row.get("trusted") is False:
        return frozenset()
    return frozenset(str(labels.fold(name)) for name in (gold, *(row.get("accept") or ())))


def error_kind(gold: str, answer: str) -> str:
    """Return the kind of an error, one of KINDS."""
    if gold in labels.SPECIAL:
        return "mul/und/zxx wanted"
    if answer in labels.SPECIAL:
        return f"answered {answer}"
    if group_or_language(gold) == group_or_language(answer):
        return "look-alike"
    return "same language, other script" if gold[:3] == answer[:3] else "other"


def group_or_language(label: str) -> str:
    """Return the look-alike group of a label, or its language if it is in none."""
    return (labels.group(label) or label.split("_")[0]) if "_" in label else label
