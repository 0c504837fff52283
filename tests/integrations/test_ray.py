"""The Ray Data step, run by Ray on one core."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import webtongue.integrations.ray
from webtongue import Identifier

GREEK = "<p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα".encode()
CELLS = [GREEK, None, b"", b"<p>Trenutno nedostupno"] * 5


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    package = pytest.importorskip("ray", reason="Ray is not installed: pip install 'webtongue[integrations]'")
    pytest.importorskip("ray.data", reason="Ray Data is not installed: pip install 'webtongue[integrations]'")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))  # else Ray writes one to the home folder
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        package.init(
            address="local", num_cpus=1, include_dashboard=False, object_store_memory=100 << 20, log_to_driver=False
        )
        try:
            yield package
        finally:
            package.shutdown()


def test_a_dataset_is_identified(ray: Any) -> None:
    table = pa.table({"id": range(20), "content": CELLS, "at": ["https://example.hr/"] * 20})
    pages = ray.data.from_arrow(table)
    result = webtongue.integrations.ray.identify(
        pages, raw="content", url="at", keep=["id"], batch_size=3, identifier=Identifier(languages=["el", "hr", "sr"])
    )
    rows = sorted(result.take_all(), key=lambda row: row["id"])
    assert [row["id"] for row in rows] == list(range(20))
    assert [row["language"] for row in rows] == ["el", "und", "und", "hr"] * 5
    assert [row["reason"] for row in rows] == ["", "missing", "empty", ""] * 5
