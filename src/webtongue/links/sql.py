"""Propagation as queries of DuckDB, for graphs that are tables already: the census has them so.

The queries lie in ``propagate.sql`` and do what :func:`webtongue.links.propagate` does; ``tests/links`` holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from webtongue import files
from webtongue.links.graph import Config
from webtongue.links.rates import ANY, FOREIGN, OWN, rates

__all__ = ["Rounds", "parameters", "propagate_tables", "queries"]

FILE = Path(__file__).with_name("propagate.sql")
PARAMETER = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often changes were passed on, the largest that was left, and whether that is below the cut."""

    rounds: int
    residual: float
    converged: bool


@cache
def queries() -> dict[str, str]:
    """The queries by name."""
    return files.queries(FILE)


def propagate_tables(connection: Any, config: Config | None = None) -> Rounds:
    """Judge the pages of a DuckDB connection again by their links, into the table ``propagated``.

    Reads ``pages(page, letters, host, domain)``, ``chances(page, label, probability)`` and ``links(source, target, weight)``,
    tables or views; host and domain are of any type, and must not be null. Temporary tables named ``link_...`` come and go.
    """
    config = config or Config()
    for name in ("own", "votes", "edges", "passing", "start", "keep"):
        _run(connection, name, config)
    rounds, residual = 0, _largest(connection, "SELECT coalesce(max(p), 0) FROM link_wave")
    while residual >= config.cut and rounds < config.most_rounds:
        _run(connection, "step", config)
        rounds += 1
        residual = _largest(connection, queries()["residual"])
        _run(connection, "cut", config)
        _run(connection, "add", config)
    for name in ("end", "clean"):
        _run(connection, name, config)
    return Rounds(rounds, residual, residual < config.cut)


def parameters(config: Config) -> dict[str, float]:
    """The numbers that queries name."""
    measured = rates()
    return {
        "text_votes": config.text_votes,
        "half_text": config.half_text,
        "most_votes": config.most_votes,
        "doubt": config.doubt,
        "cut": config.cut,
        "own_keep": measured.of(ANY, OWN).keep,
        "foreign_keep": measured.of(ANY, FOREIGN).keep,
    }


def _run(connection: Any, name: str, config: Config) -> None:
    """A query with those of the parameters that it names."""
    numbers, query = parameters(config), queries()[name]
    named = set(PARAMETER.findall(query))
    connection.execute(query, {key: value for key, value in numbers.items() if key in named})


def _largest(connection: Any, query: str) -> float:
    return float(connection.execute(query).fetchone()[0])
