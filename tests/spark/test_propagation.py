"""Languages passed on along links by Spark: what SciPy says, on random graphs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.links.test_propagate import graph
from tests.spark.test_plans import GROWING, plan
from webtongue import UsageError
from webtongue.links import Config, Links, Pages
from webtongue.links import propagate as by_scipy
from webtongue.spark import propagate

TYPES = {
    "pages": "page bigint, letters double, host bigint, domain bigint", "chances": "page bigint, label string, probability double",
    "links": "source bigint, target bigint, weight double",
}  # fmt: skip


def frames(spark: Any, pages: Pages, links: Links) -> dict[str, Any]:
    assert pages.hosts is not None and pages.domains is not None and links.weights is not None
    numbers = np.arange(len(pages))
    labels = np.array(pages.names, object)[pages.labels]
    columns = {
        "pages": (numbers, pages.letters, pages.hosts, pages.domains),
        "chances": (np.repeat(numbers, np.diff(pages.starts)), labels, pages.probabilities),
        "links": (links.source, links.target, links.weights),
    }
    return {
        name: spark.createDataFrame(list(zip(*(one.tolist() for one in some), strict=True)), TYPES[name])
        for name, some in columns.items()
    }


@pytest.mark.parametrize(("seed", "size"), [(0, 25), (1, 8)])
def test_spark_and_scipy_say_the_same(spark: Any, tmp_path: Path, seed: int, size: int) -> None:
    pages, links, _, _ = graph(random.Random(seed), size, 5 * size)
    config = Config(cut=1e-3, most_votes=2.0, doubt=0.5, text_votes=10.0, half_text=60.0)
    said = by_scipy(pages, links, config)
    if seed:
        spark.sparkContext.setCheckpointDir(tmp_path.as_uri())
    found, done = propagate(**frames(spark, pages, links), config=config)
    assert done.rounds == said.rounds > 1 and done.residual == pytest.approx(said.residual, abs=1e-12)
    assert not [word for word in GROWING if word in plan(found)]
    rows: list[dict[str, float]] = [{} for _ in range(len(pages))]
    for row in found.collect():
        rows[row.page][row.label] = row.probability
    for page, row in enumerate(rows):
        assert row == pytest.approx(said.row(page), abs=1e-9)


def test_columns_that_are_missing_are_named(spark: Any) -> None:
    frame = spark.createDataFrame([(1, 2)], "source bigint, target bigint")
    with pytest.raises(UsageError, match="pages: no column domain, host, letters, page"):
        propagate(frame, frame, frame)
