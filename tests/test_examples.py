"""Every example page: its encoding, declarations and label."""

from __future__ import annotations

from typing import Any

import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import labels
from webtongue.charset.names import resolve

INDEX = rows(PAGES / "index.jsonl")


def verdict(row: dict[str, Any]) -> webtongue.Verdict:
    return webtongue.identify((PAGES / row["file"]).read_bytes(), row.get("url"), row.get("headers"))


PARAMS = [pytest.param(row, id=row["file"]) for row in INDEX]


def test_index_lists_every_page() -> None:
    assert sorted(row["file"] for row in INDEX) == sorted(p.name for p in PAGES.iterdir() if p.name != "index.jsonl")


@pytest.mark.parametrize("row", PARAMS)
def test_encoding(row: dict[str, Any]) -> None:
    v = verdict(row)
    assert v.encoding == (row["encoding"] or "") or (v.label == "zxx" and not v.encoding)


@pytest.mark.parametrize("row", PARAMS)
def test_declared(row: dict[str, Any]) -> None:
    v = verdict(row)
    if v.label == "zxx" and v.encoding == "":
        return
    declared = row.get("declared_encoding")
    assert v.declared_encoding == (resolve(declared).name if declared else "")
    language = row.get("declared_language")
    assert v.declared_language == (labels.parse_declared(language).labels[0] if language else "")


@pytest.mark.parametrize("row", PARAMS)
def test_label(row: dict[str, Any]) -> None:
    v = verdict(row)
    assert v.label == row["label"], v.reason
    assert (v.label in ("und", "zxx", "mul")) == bool(v.reason)
