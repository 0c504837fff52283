"""The queries of DuckDB say what NumPy says, on random graphs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.links.test_propagate import graph
from webtongue.links import Config, Links, Pages, propagate
from webtongue.links.sql import propagate_tables, queries

duckdb = pytest.importorskip("duckdb", reason="propagation as queries needs DuckDB: pip install 'webtongue[dev]'")


def tables(pages: Pages, links: Links):  # type: ignore[no-untyped-def]
    assert pages.hosts is not None and pages.domains is not None
    connection = duckdb.connect()
    numbers = np.arange(len(pages))
    rows = {"page": numbers, "letters": pages.letters, "host": pages.hosts, "domain": pages.domains}
    said = {
        "page": np.repeat(numbers, np.diff(pages.starts)),
        "label": np.array(pages.names, object)[pages.labels],
        "probability": pages.probabilities,
    }
    weights = np.ones(len(links.source)) if links.weights is None else links.weights
    arrows = {"source": links.source, "target": links.target, "weight": weights}
    types = {"pages": "page BIGINT, letters DOUBLE, host BIGINT, domain BIGINT", "chances": "page BIGINT, label VARCHAR, probability DOUBLE",
             "links": "source BIGINT, target BIGINT, weight DOUBLE"}  # fmt: skip
    for name, columns in (("pages", rows), ("chances", said), ("links", arrows)):
        connection.execute(f"CREATE TABLE {name} ({types[name]})")
        if len(next(iter(columns.values()))):
            connection.executemany(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",
                list(zip(*(column.tolist() for column in columns.values()), strict=True)),
            )
    return connection


@pytest.mark.parametrize("seed", range(12))
def test_queries_and_numpy_say_the_same(seed: int) -> None:
    chance = random.Random(seed)
    pages, links, _, _ = graph(chance, chance.randrange(1, 30), chance.choice([0, 1, 20, 120]))
    for config in (Config(), Config(cut=1e-7, most_votes=2.0, doubt=0.5, text_votes=10.0, half_text=60.0)):
        found = propagate(pages, links, config)
        connection = tables(pages, links)
        done = propagate_tables(connection, config)
        assert done.rounds == found.rounds and done.residual == pytest.approx(found.residual, abs=1e-12)
        rows: list[dict[str, float]] = [{} for _ in range(len(pages))]
        for page, label, chance_of in connection.execute("SELECT * FROM propagated").fetchall():
            rows[page][label] = chance_of
        for page, row in enumerate(rows):
            assert row == pytest.approx(found.row(page), abs=1e-9)
        left = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'link\\_%' ESCAPE '\\'"
        ).fetchall()
        assert not left


def test_the_same_tables_can_be_judged_again() -> None:
    pages, links, _, _ = graph(random.Random(3), 10, 40)
    connection = tables(pages, links)
    first = propagate_tables(connection)
    assert propagate_tables(connection) == first


def test_values_that_are_none_are_put_right() -> None:
    connection = tables(Pages.of([[("a", 0.5)], []], [100, 0], [0, 1], [0, 1]), Links([0], [1]))  # type: ignore[arg-type]
    connection.execute("INSERT INTO chances VALUES (1, 'b', 'NaN'::DOUBLE), (1, 'c', -4), (0, 'a', 9)")
    connection.execute("INSERT INTO links VALUES (1, 0, 'inf'::DOUBLE)")
    assert propagate_tables(connection).converged
    assert connection.execute(
        "SELECT max(probability) <= 1, bool_and(isfinite(probability)) FROM propagated"
    ).fetchone() == (True, True)


def test_a_round_is_one_query() -> None:
    assert queries()["step"].count(";") == 1 and "link_passing" in queries()["step"]
