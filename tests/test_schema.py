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
from webtongue import schema
from webtongue.verdict import Reason, Verdict

DOCUMENT = (Path(__file__).parent.parent / "docs" / "schema.md").read_text("utf-8")
PAGES = [
    "<html lang=fr><meta charset=utf-8><p>La bibliothèque ouvre à neuf heures du matin, sauf le dimanche.".encode(),
    b"%PDF-1.4", b"", "Прво обиђете млечни ред, па тек онда идете на касу".encode("cp1251"), None,
    "<p>The library opens at nine in the morning.<p>図書館は日曜日を除いて朝九時に開き、夕方六時に閉まります。".encode("utf-16"),
]  # fmt: skip


def test_the_document_has_the_version_and_the_table_of_fields() -> None:
    assert re.search(rf"^Version {schema.VERSION}\.", DOCUMENT, re.MULTILINE)
    assert re.search(rf"^- {schema.VERSION}: ", DOCUMENT, re.MULTILINE)
    assert schema.markdown_table() in DOCUMENT


@pytest.mark.parametrize("raw", PAGES[:4])
def test_json_has_the_fields_and_their_types(raw: bytes) -> None:
    row = json.loads(webtongue.identify(raw).to_json())
    assert list(row) == ["schema", *(field.name for field in schema.FIELDS)]
    for field in schema.FIELDS:
        value = row[field.name]
        if field.kind is None:
            assert all(list(member) == [key for key, _ in schema.STRUCTS[field.name]] for member in value)
        else:
            assert type(value) is field.kind.json or (field.nullable and value is None), (field.name, value)


def test_columns_have_the_fields_and_their_types() -> None:
    out = webtongue.identify_batch({"raw": PAGES})
    assert tuple(out) == schema.COLUMN_NAMES
    for field in schema.BATCH_FIELDS:
        column = out[field.name]
        assert getattr(column, "dtype", "") == schema.numpy_type(field), field.name


def test_arrow_in_and_out() -> None:
    table = pa.table({"raw": pa.array(PAGES, pa.binary())})
    out = webtongue.identify_batch(table)
    assert out.schema.equals(schema.arrow_schema(), check_metadata=True)
    columns = webtongue.identify_batch({"raw": PAGES})
    for name in schema.COLUMN_NAMES:
        values = out[name].to_pylist()
        if name == "languages":
            values = [tuple((member["label"], np.float32(member["share"])) for member in row) for row in values]
            assert values == [tuple((label, np.float32(share)) for label, share in row) for row in columns[name]]
        else:
            assert values == list(columns[name]), name


def test_pickles_keep_every_field() -> None:
    for raw in PAGES[:4]:
        verdict = webtongue.identify(raw)  # type: ignore[arg-type]
        assert pickle.loads(pickle.dumps(verdict)).to_dict() == verdict.to_dict()
        assert Verdict.from_dict(verdict.to_dict()).to_dict() == verdict.to_dict()


def test_every_reason_is_documented() -> None:
    answers = (Path(__file__).parent.parent / "docs" / "answers.md").read_text("utf-8")
    for reason in Reason:
        assert not reason or f"`{reason.value}`" in answers, reason
