"""The columns of a census are documented."""

from __future__ import annotations

import re
from pathlib import Path

from webtongue.census.schema import BITS, VERSION, links_schema, rows_schema
from webtongue.extra_columns import BITS as SOURCES

DOCS = Path(__file__).parents[2] / "docs" / "columns.md"


def test_every_column_is_documented_in_its_order() -> None:
    table = DOCS.read_text("utf-8").partition("## Columns")[2].partition("`links`:")[0]
    named = [
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert named == rows_schema().names
    assert f"Version {VERSION}." in table


def test_links_are_documented() -> None:
    line = next(line for line in DOCS.read_text("utf-8").splitlines() if line.startswith("`links`:"))
    assert re.findall(r"`(\w+)`", line)[1:] == links_schema().names


def test_there_is_a_column_for_every_source() -> None:
    assert BITS == SOURCES


def test_columns_of_common_crawl_come_first() -> None:
    assert rows_schema().names[:3] == ["url", "url_host_name", "url_host_tld"]
    assert rows_schema().names.index("subset") + 1 == rows_schema().names.index("record_type")
