"""One schema: JSON, columns, Arrow and pickles have the fields of docs/schema.md, in its order and of its types."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import webtongue
from webtongue.batch import COLUMNS, NUMBERS
from webtongue.verdict import SCHEMA, Reason, Verdict

DOCUMENT = (Path(__file__).parent.parent / "docs" / "schema.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in DOCUMENT.splitlines() if line.startswith("| `")]
FIELDS = [row[0].strip("`") for row in ROWS]
PAGES = [
    "<html lang=fr><meta charset=utf-8><p>La bibliothèque ouvre à neuf heures du matin, sauf le dimanche.".encode(),
    b"%PDF-1.4", b"", "Прво обиђете млечни ред, па тек онда идете на касу".encode("cp1251"), None,
    "<p>The library opens at nine in the morning.<p>図書館は日曜日を除いて朝九時に開き、夕方六時に閉まります。".encode("utf-16"),
]  # fmt: skip
KINDS = {"integer": int, "string": str, "number": float, "boolean": bool, "list": list, "null": type(None)}


def test_the_document_has_the_version() -> None:
    assert re.search(rf"^Version {SCHEMA}\.", DOCUMENT, re.MULTILINE)
    assert re.search(rf"^- {SCHEMA}: ", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize("raw", PAGES[:4])
def test_json_has_the_documents_fields(raw: bytes) -> None:
    row = json.loads(webtongue.identify(raw).to_json())
    assert list(row) == FIELDS
    for name, kind, *_ in ROWS:
        allowed = tuple(KINDS[word] for word in re.findall(r"\w+", kind) if word in KINDS)
        value = row[name.strip("`")]
        assert isinstance(value, allowed), (name, value)
        inner = re.search(r"\{(.*?)\}", kind)
        for item in value if inner else ():
            assert list(item) == [key.strip() for key in inner[1].split(",")]  # type: ignore[index]


def test_columns_are_the_documents() -> None:
    assert list(COLUMNS) == [name for name, row in zip(FIELDS, ROWS, strict=True) if row[2] and name != "schema"]
    out = webtongue.identify_batch({"raw": PAGES})
    assert tuple(out) == COLUMNS
    kinds = {"float32": "f4", "boolean": "?", "uint8": "u1"}
    for name, row in zip(FIELDS, ROWS, strict=True):
        if name in out:
            assert NUMBERS.get(name, "") == kinds.get(row[2], ""), name


def test_arrow_in_and_out() -> None:
    table = pa.table({"raw": pa.array(PAGES, pa.binary())})
    out = webtongue.identify_batch(table)
    assert out.column_names == list(COLUMNS)
    assert out.schema.metadata == {b"webtongue.schema": str(SCHEMA).encode()}
    columns = webtongue.identify_batch({"raw": PAGES})
    for name in COLUMNS:
        found = out[name].to_pylist()
        if name == "languages":
            found = [tuple((held["label"], np.float32(held["share"])) for held in row) for row in found]
            assert found == [tuple((label, np.float32(share)) for label, share in row) for row in columns[name]]
        else:
            assert found == list(columns[name]), name


def test_pickles_keep_every_field() -> None:
    for raw in PAGES[:4]:
        verdict = webtongue.identify(raw)  # type: ignore[arg-type]
        assert pickle.loads(pickle.dumps(verdict)).to_dict() == verdict.to_dict()
        assert Verdict.from_dict(verdict.to_dict()).to_dict() == verdict.to_dict()


def test_every_reason_is_documented() -> None:
    answers = (Path(__file__).parent.parent / "docs" / "answers.md").read_text("utf-8")
    for reason in Reason:
        assert not reason or f"`{reason.value}`" in answers, reason
