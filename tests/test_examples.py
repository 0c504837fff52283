"""Every example page: what can be known of it today is right, and what cannot is said so."""

from __future__ import annotations

from typing import Any

import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import labels
from webtongue.coding import FALLBACK
from webtongue.coding.labels import resolve

INDEX = rows(PAGES / "index.jsonl")


def encoding_is_open(row: dict[str, Any]) -> bool:
    """Legacy bytes that are undeclared or declared as something else: found when encodings are detected by reading."""
    encoding, declared = row.get("encoding"), row.get("declared_encoding")
    if not encoding or encoding.startswith(("utf", "iso-2022", "hz", "x-font")):
        return False
    return encoding != FALLBACK and (declared is None or resolve(declared).name != encoding)


def verdict(row: dict[str, Any]) -> webtongue.Verdict:
    return webtongue.identify((PAGES / row["file"]).read_bytes(), row.get("url"), row.get("headers"))


def params(is_open: Any = None) -> list[Any]:
    mark = pytest.mark.xfail(reason="encodings are not detected yet", strict=True)
    return [pytest.param(row, id=row["file"], marks=[mark] if is_open and is_open(row) else []) for row in INDEX]


def test_index_lists_every_page() -> None:
    assert sorted(row["file"] for row in INDEX) == sorted(p.name for p in PAGES.iterdir() if p.name != "index.jsonl")


@pytest.mark.parametrize("row", params(encoding_is_open))
def test_encoding(row: dict[str, Any]) -> None:
    v = verdict(row)
    assert v.encoding == (row["encoding"] or "") or (v.label == "zxx" and not v.encoding)


@pytest.mark.parametrize("row", params())
def test_declared(row: dict[str, Any]) -> None:
    v = verdict(row)
    if v.label == "zxx" and v.encoding == "":
        return
    declared = row.get("declared_encoding")
    assert v.declared_encoding == (resolve(declared).name if declared else "")
    language = row.get("declared_language")
    assert v.declared_language == (labels.declared(language).labels[0] if language else "")


@pytest.mark.parametrize("row", [row for row in INDEX if not encoding_is_open(row)], ids=lambda row: row["file"])
def test_label(row: dict[str, Any]) -> None:
    """Every page that can be decoded today has its label."""
    v = verdict(row)
    assert v.label == row["label"], v.reason
    assert (v.label in ("und", "zxx", "mul")) == bool(v.reason)


@pytest.mark.parametrize("row", [row for row in INDEX if encoding_is_open(row)], ids=lambda row: row["file"])
def test_guessed_encodings_are_not_trusted(row: dict[str, Any]) -> None:
    """Where the encoding is only a guess, nothing that rests on it is called reliable."""
    v = verdict(row)
    assert v.encoding_confidence < 0.5
    assert not v.reliable
    assert v.confidence < 0.5
