"""The evidence that Spark gathers for the second pass equals that of DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.census.archive_records import response, warc
from tests.census.test_rows import GREEK, ICELANDIC
from webtongue.census.config import Config
from webtongue.census.engines.gather import STEPS
from webtongue.census.engines.gather_duckdb import connect
from webtongue.census.engines.gather_spark import create_views
from webtongue.census.run import census


def archive(folder: Path) -> str:
    """Write clear pages of some hosts that link to unclear ones, with and without anchors and fragments."""
    records = []
    for n in range(6):
        links = "".join(
            f'<a href="http://H{m}.example.{t}/x/#a" hreflang=is>Myndir {n}</a>' for m in range(6) for t in ("is", "gr")
        )
        links += f'<a href="https://h{n}.example.is/x">*</a><a href="https://a{n}.example.org/y"></a>'
        for tld, text in (("is", ICELANDIC), ("gr", GREEK * 3)):
            records += [response(f"https://h{n}.example.{tld}/{i}", (text + links).encode()) for i in range(3)]
            records.append(response(f"https://h{n}.example.{tld}/x", b"<title>Foto</title><p>Album"))
    path = folder / "a.warc.gz"
    path.write_bytes(warc(records))
    return str(path)


@pytest.mark.parametrize("keep_links", [True, False])
def test_gathered_evidence_equals_that_of_duckdb(spark: Any, tmp_path: Path, keep_links: bool) -> None:
    census([archive(tmp_path)], tmp_path / "out", Config(keep_links=keep_links), workers=1)
    connection = connect(tmp_path / "out", tmp_path / "spill")
    session = create_views(spark, tmp_path / "out")
    for name in STEPS.values():
        there = session.table(name)
        columns = ", ".join(there.columns)
        here = connection.execute(f"SELECT {columns} FROM {name}").fetchall()
        assert sorted(map(plain, there.collect())) == sorted(map(plain, here)), name
        assert here or (name == "inlinks" and not keep_links), name
    connection.close()


def plain(value: Any) -> Any:
    """Return rows, structs and lists as sortable text."""
    if hasattr(value, "asDict"):
        value = tuple(value)
    if isinstance(value, dict):
        return repr([plain(one) for one in value.values()])
    if isinstance(value, list | tuple):
        return repr([plain(one) for one in value])
    return repr(bytes(value) if isinstance(value, bytes | bytearray) else value)
