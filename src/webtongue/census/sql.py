"""SQL by hand: one SELECT over the relations of a census, which can read nothing else and write nothing at all.

Two doors are shut. The connection of ``open_store`` reaches no file but the census's own and no network. And a question is
looked at before it is asked, in the tree that DuckDB's own parser makes of it: it must be one SELECT, of the census's own
relations, by table functions that only make numbers or unfold lists. The second matters: DuckDB 2 takes ``WITH x AS (COPY
... TO 'rows/part-0.parquet') SELECT ...`` for a SELECT, and the census's own files are within reach. It also keeps what
DuckDB knows of the machine (settings, where files lie) out of answers.
"""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

from webtongue.census.store import MEMORY, duck, open_store, refused
from webtongue.errors import UsageError

__all__ = ["Answer", "asked", "checked"]

# What a query may be made of; COPY, INSERT, UPDATE, DELETE and MERGE are nodes too, inside of WITH.
NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree"})
# Functions that change something, that run what a string says, or that tell where files lie.
REFUSED_FUNCTIONS = frozenset(
    {
        "write_log", "nextval", "setseed", "query", "query_table", "json_execute_serialized_sql", "current_setting",
        "pg_get_viewdef",
    }
)  # fmt: skip
# DuckDB's own relations that tell nothing but what SHOW and DESCRIBE do.
SCHEMA = "information_schema"
OF_SCHEMA = frozenset({"tables", "columns"})
OWN_SCHEMAS = frozenset({"", "main"})
DUCKDBS = ("duckdb_", "pg_", "pragma_", "sqlite_")  # how names of its other relations begin
SPILL = "10GB"  # of disk that a question may take beyond its memory: four times that
FETCHED = 1000  # rows at a time
AGAIN = 0.1  # seconds between looks for a Ctrl-C
EXPLAIN = re.compile(r"\s*explain\s+(?!analy[sz]e\b)", re.IGNORECASE)  # ANALYZE names files
PIVOT = re.compile(r"\bpivot(_wider)?\b", re.IGNORECASE)
ONE_SELECT = (
    "one SELECT is answered here (or WITH, VALUES, SHOW, DESCRIBE, SUMMARIZE, EXPLAIN); else open OUT/census.duckdb"
)
NAMED_PIVOT = "PIVOT needs to be told its columns here: PIVOT pages ON label IN ('isl_Latn', 'fao_Latn') USING count(*)"


@dataclass(frozen=True, slots=True)
class Answer:
    """Columns, and rows as they come."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def asked(
    out: Path, question: str, memory: str = MEMORY, spill: str = SPILL, seconds: float | None = None
) -> Iterator[Answer]:
    """The answer to a question; rows can be read until the context ends.

    What does not fit into ``memory`` goes to disk, at most ``spill`` of it. DuckDB may work for ``seconds``, or as long as
    it likes; Ctrl-C ends it at any time.
    """
    if seconds is not None and not seconds > 0:
        raise UsageError(f"a limit of time is some seconds, not {seconds:g}")
    connection = open_store(out, memory=memory, spill=spill)
    try:
        checked(question, _relations(connection))
        work = _Work(connection, seconds)
        answer = work.done(lambda: connection.execute(question))
        columns = tuple(column[0] for column in answer.description or ())
        rows = _fetched(work, answer)
        if EXPLAIN.match(question):  # the plan is a drawing
            columns, rows = columns[-1:], ((line,) for row in rows for line in str(row[-1]).splitlines())
        yield Answer(columns, rows)
    except duck().Error as error:
        raise refused(error) from None
    finally:
        connection.close()


def checked(question: str, relations: frozenset[str]) -> None:
    """UsageError unless a question is one SELECT over these relations."""
    statement = _parsed(EXPLAIN.sub("", question, count=1) if EXPLAIN.match(question) else question)
    named = {name.lower() for name in _common_tables(statement)}
    for node in _nodes(statement):
        kind, function = node.get("type"), node.get("function")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in NODES:
            raise UsageError(f"{kind.removesuffix('_NODE').removesuffix('_QUERY')} is not allowed: {ONE_SELECT}")
        if kind == "BASE_TABLE" or (kind == "SHOW_REF" and node.get("show_type") != "SHOW_SPECIAL"):
            _check_relation(node, relations, named)
        if kind == "TABLE_FUNCTION" and (name := _name(function)) not in TABLE_FUNCTIONS:
            raise UsageError(f"the table function {name!r} is not allowed: only tables of the census can be read")
        if _name(node) in REFUSED_FUNCTIONS:
            raise UsageError(f"the function {_name(node)!r} is not allowed")


def _check_relation(node: dict[str, Any], relations: frozenset[str], named: set[str]) -> None:
    schema, name = (str(node.get(part, "")).lower() for part in ("schema_name", "table_name"))
    if schema == SCHEMA and name in OF_SCHEMA:
        return
    is_own = schema in OWN_SCHEMAS and name in relations
    # A name that the question gives counts in a part of it only; elsewhere it could be DuckDB's, or a file's.
    is_named = not schema and name in named and name.isidentifier() and not name.startswith(DUCKDBS)
    if name and not is_own and not is_named:
        raise UsageError(f"there is no table {node['table_name']!r} in the census; SHOW TABLES lists them")


def _name(function: Any) -> str:
    return str(function.get("function_name", "")).lower() if isinstance(function, dict) else ""


def _parsed(question: str) -> dict[str, Any]:
    """The tree of the one statement that a question is."""
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the question is no text: what is at its character {error.start + 1} is no character"
        ) from None
    try:
        with duck().connect() as parser:
            text = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [question]).fetchone()[0]
        tree = json.loads(text)
    except (RecursionError, ValueError):
        raise UsageError("the question is nested too deeply") from None
    if tree.get("error"):
        said = str(tree.get("error_message", ""))
        if "Only SELECT" in said:
            said = NAMED_PIVOT if PIVOT.search(question) else ONE_SELECT
        raise UsageError(said.splitlines()[0] if said else ONE_SELECT)
    statements = tree.get("statements", [])
    if len(statements) != 1:
        raise UsageError(ONE_SELECT)
    return dict(statements[0])


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a tree; without recursion, since questions may be deep."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield found
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def _common_tables(tree: Any) -> Iterator[str]:
    """Names that the question gives to queries of its own."""
    for node in _nodes(tree):
        names = node.get("cte_map")
        if isinstance(names, dict):
            yield from (str(entry.get("key", "")) for entry in names.get("map", []))
        if isinstance(node.get("ctename"), str):
            yield node["ctename"]
        if isinstance(node.get("cte_name"), str):
            yield node["cte_name"]


def _relations(connection: Any) -> frozenset[str]:
    """Those of the census."""
    found = connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal UNION ALL SELECT table_name FROM duckdb_tables()"
    ).fetchall()
    return frozenset(name.lower() for (name,) in found)


class _Work:
    """Has DuckDB work in a thread of its own: in a query without end it hears no Ctrl-C, and the main thread does.

    Ctrl-C only leaves a note meanwhile: raised while the thread starts, it would leave a query behind that nobody ends.
    """

    def __init__(self, connection: Any, seconds: float | None) -> None:
        self.connection, self.seconds, self.used = connection, seconds, 0.0

    def done(self, work: Callable[[], Any]) -> Any:
        """What the work gives; KeyboardInterrupt by Ctrl-C, UsageError when its time is over."""
        hears = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not hears and self.seconds is None:
            return work()
        stopped, begun = Event(), time.monotonic()
        if hears:
            signal.signal(signal.SIGINT, lambda *_: stopped.set())
        try:
            with ThreadPoolExecutor(1) as beside:
                waiting = beside.submit(work)
                while not wait([waiting], AGAIN).done:
                    if stopped.is_set() or self._is_late(
                        begun
                    ):  # more than once: a query that is about to begin forgets it
                        self.connection.interrupt()
        finally:
            if hears:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        if stopped.is_set():
            raise KeyboardInterrupt
        if self._is_late(begun):
            raise UsageError(f"the question took more than {self.seconds:g} seconds")
        self.used += time.monotonic() - begun
        return waiting.result()

    def _is_late(self, begun: float) -> bool:
        return self.seconds is not None and self.used + time.monotonic() - begun > self.seconds


def _fetched(work: _Work, answer: Any) -> Iterator[tuple[Any, ...]]:
    try:
        while rows := work.done(lambda: answer.fetchmany(FETCHED)):
            yield from rows
    except duck().Error as error:
        raise refused(error) from None
