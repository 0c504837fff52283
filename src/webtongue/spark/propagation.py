"""Languages passed on along the links of a crawl's whole graph, by Spark: the queries of links/propagate.sql, round by round.

The graph stays on executors. What comes to the driver is one number a round: the largest change, which says when to stop.
"""

from __future__ import annotations

from typing import Any

from webtongue.census.dialect import as_spark
from webtongue.census.engines.gather_spark import own_session
from webtongue.errors import UsageError
from webtongue.links.graph import Config
from webtongue.links.sql import Rounds, parameters, queries

__all__ = ["propagate"]

# What each frame must have. Numbers of pages are of any type; host and domain must not be null.
NEEDED = {
    "pages": ("page", "letters", "host", "domain"),
    "chances": ("page", "label", "probability"),
    "links": ("source", "target", "weight"),
}


def propagate(pages: Any, chances: Any, links: Any, config: Config | None = None) -> tuple[Any, Rounds]:
    """A DataFrame ``page, label, probability`` with the pages of a graph judged again by their links, and how it went.

    ``pages`` has ``page, letters, host, domain``, ``chances`` what the pages' own texts say (``page, label, probability``),
    ``links`` who links to whom (``source, target, weight``). It means what :func:`webtongue.links.propagate` means, number for
    number.

    Every round is kept on executors. Say ``spark.sparkContext.setCheckpointDir`` to have them on a disk that all share: then an
    executor may be lost on the way.
    """
    given = {"pages": pages, "chances": chances, "links": links}
    for name, frame in given.items():
        if missing := sorted(set(NEEDED[name]) - set(frame.columns)):
            raise UsageError(f"{name}: no column {', '.join(missing)}")
    return _Propagation(given, config or Config()).run()


class _Propagation:
    """One run, in a session of its own."""

    def __init__(self, given: dict[str, Any], config: Config) -> None:
        self._config, self._numbers = config, parameters(config)
        self._session = own_session(given["pages"].sparkSession)
        for name, frame in given.items():
            # A frame knows the session that it was made in: its rows are read there, and its columns named here.
            frame.createOrReplaceGlobalTempView(self._global(name))
            self._session.table(f"global_temp.{self._global(name)}").createOrReplaceTempView(name)
        self._held: list[Any] = []

    def _global(self, name: str) -> str:
        return f"webtongue_{id(self):x}_{name}"

    def run(self) -> tuple[Any, Rounds]:
        try:
            return self._run()
        finally:
            for name in NEEDED:
                self._session.catalog.dropGlobalTempView(self._global(name))
            for frame in self._held:
                frame.unpersist()

    def _run(self) -> tuple[Any, Rounds]:
        for name in ("own", "votes", "edges", "passing"):
            self._keep(self._query(name), f"link_{name}")
        wave = self._cut_off(self._query("start"))
        waves = [wave.where("p > 0")]
        rounds, residual = 0, self._largest(wave)
        while residual >= self._config.cut and rounds < self._config.most_rounds:
            wave.createOrReplaceTempView("link_wave")
            wave = self._cut_off(self._query("step"))
            rounds += 1
            residual = self._largest(wave)
            wave = wave.where(f"p >= {self._config.cut!r}")
            waves.append(wave)
        total = waves[0]
        for wave in waves[1:]:
            total = total.unionAll(wave)
        total.selectExpr("page", "label", "p AS probability").createOrReplaceTempView("propagated")
        found = self._cut_off(self._query("end"))
        return found, Rounds(rounds, residual, residual < self._config.cut)

    def _query(self, name: str) -> Any:
        return self._session.sql(as_spark(queries()[name], self._numbers))

    def _keep(self, frame: Any, name: str) -> None:
        """A frame that every round reads."""
        self._held.append(frame.persist())
        frame.createOrReplaceTempView(name)

    def _cut_off(self, frame: Any) -> Any:
        """A frame without its history: after forty rounds a plan would be longer than what it does."""
        return frame.checkpoint() if self._session.sparkContext.getCheckpointDir() else frame.localCheckpoint()

    @staticmethod
    def _largest(frame: Any) -> float:
        (row,) = frame.selectExpr("coalesce(max(p), 0) AS p").collect()
        return float(row.p)
