"""Run SQL of users: one SELECT over the relations of a census, which can read nothing else and write nothing.

There are two safeguards. The connection of ``open_store`` has access to the files of the census only, and not to the network. And
a query is checked before it runs, in the syntax tree of DuckDB's own parser: it must be one SELECT from the relations of the
census, with table functions that only generate numbers or expand lists. The second is needed because DuckDB 2 accepts ``WITH x AS
(COPY ... TO 'rows/part-0.parquet') SELECT ...`` as a SELECT, and the files of the census are accessible. It also hides what
DuckDB knows about the machine, such as settings and paths.
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

from webtongue.census.store import MEMORY, import_duckdb, open_offline, open_store, query_error
from webtongue.errors import UsageError

__all__ = ["QueryResult", "check_query", "run_query"]

# Allowed syntax nodes. COPY, INSERT, UPDATE, DELETE and MERGE are nodes too, inside of WITH.
ALLOWED_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
ALLOWED_TABLE_FUNCTIONS = frozenset(
    {"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree"}
)
# Functions that change state, run a string as SQL, or reveal paths.
REFUSED_FUNCTIONS = frozenset(
    {
        "write_log", "nextval", "setseed", "query", "query_table", "json_execute_serialized_sql", "current_setting",
        "pg_get_viewdef",
    }
)  # fmt: skip
# DuckDB's own relations that reveal no more than SHOW and DESCRIBE.
INFORMATION_SCHEMA = "information_schema"
INFORMATION_TABLES = frozenset({"tables", "columns"})
OWN_SCHEMAS = frozenset({"", "main"})
SYSTEM_PREFIXES = ("duckdb_", "pg_", "pragma_", "sqlite_")  # prefixes of DuckDB's other relations
MAX_SPILL = "10GB"  # disk space for data that does not fit into memory
FETCHED_ROWS = 1000  # at a time
POLL_SECONDS = 0.1  # between checks for Ctrl-C
EXPLAIN = re.compile(r"\s*explain\s+(?!analy[sz]e\b)", re.IGNORECASE)  # ANALYZE would reveal paths
PIVOT = re.compile(r"\bpivot(_wider)?\b", re.IGNORECASE)
ONE_SELECT = "write one SELECT (or WITH, VALUES, SHOW, DESCRIBE, SUMMARIZE, EXPLAIN); for other statements open OUT/census.duckdb"
NAMED_PIVOT = "PIVOT needs a list of columns: PIVOT pages ON label IN ('isl_Latn', 'fao_Latn') USING count(*)"


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The columns of a result, and its rows as they are computed."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def run_query(
    out: Path, query: str, memory: str = MEMORY, max_spill: str = MAX_SPILL, seconds: float | None = None
) -> Iterator[QueryResult]:
    """Run a query; its rows can be read until the context ends.

    Data that does not fit into ``memory`` is written to disk, at most ``max_spill`` of it. ``seconds`` is the time limit of DuckDB;
    Ctrl-C stops the query at any time.
    """
    if seconds is not None and not seconds > 0:
        raise UsageError(f"a time limit is a positive number of seconds, not {seconds:g}")
    connection = open_store(out, memory=memory, max_spill=max_spill)
    try:
        check_query(query, _relations(connection))
        runner = _Runner(connection, seconds)
        cursor = runner.run(lambda: connection.execute(query))
        columns = tuple(column[0] for column in cursor.description or ())
        rows = _fetch(runner, cursor)
        if EXPLAIN.match(query):  # a plan is one cell of several lines
            columns, rows = columns[-1:], ((line,) for row in rows for line in str(row[-1]).splitlines())
        yield QueryResult(columns, rows)
    except import_duckdb().Error as error:
        raise query_error(error) from None
    finally:
        connection.close()


def check_query(query: str, relations: frozenset[str]) -> None:
    """Raise UsageError unless a query is one SELECT from these relations."""
    statement = _parse(EXPLAIN.sub("", query, count=1) if EXPLAIN.match(query) else query)
    cte_names = {name.lower() for name in _cte_names(statement)}
    for node in _nodes(statement):
        kind, function = node.get("type"), node.get("function")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in ALLOWED_NODES:
            raise UsageError(f"{kind.removesuffix('_NODE').removesuffix('_QUERY')} is not allowed: {ONE_SELECT}")
        if kind == "BASE_TABLE" or (kind == "SHOW_REF" and node.get("show_type") != "SHOW_SPECIAL"):
            _check_relation(node, relations, cte_names)
        if kind == "TABLE_FUNCTION" and (name := _function_name(function)) not in ALLOWED_TABLE_FUNCTIONS:
            raise UsageError(f"the table function {name!r} is not allowed: only relations of the census can be read")
        if (name := _function_name(node)) in REFUSED_FUNCTIONS:
            raise UsageError(f"the function {name!r} is not allowed")


def _check_relation(node: dict[str, Any], relations: frozenset[str], cte_names: set[str]) -> None:
    schema, name = (str(node.get(part, "")).lower() for part in ("schema_name", "table_name"))
    if schema == INFORMATION_SCHEMA and name in INFORMATION_TABLES:
        return
    is_own = schema in OWN_SCHEMAS and name in relations
    # A name from WITH is valid in a part of the query only; elsewhere it could be that of a system relation or a file.
    is_cte = not schema and name in cte_names and name.isidentifier() and not name.startswith(SYSTEM_PREFIXES)
    if name and not is_own and not is_cte:
        raise UsageError(f"there is no table {node['table_name']!r} in the census; SHOW TABLES lists them")


def _function_name(function: Any) -> str:
    return str(function.get("function_name", "")).lower() if isinstance(function, dict) else ""


def _parse(query: str) -> dict[str, Any]:
    """Return the syntax tree of a query of one statement."""
    try:
        query.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the query is not valid text: character {error.start + 1} cannot be encoded in UTF-8"
        ) from None
    try:
        with open_offline() as parser:
            text = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchone()[0]
        tree = json.loads(text)
    except (RecursionError, ValueError):
        raise UsageError("the query is nested too deeply") from None
    if tree.get("error"):
        message = str(tree.get("error_message", ""))
        if "Only SELECT" in message:
            message = NAMED_PIVOT if PIVOT.search(query) else ONE_SELECT
        raise UsageError(message.splitlines()[0] if message else ONE_SELECT)
    statements = tree.get("statements", [])
    if len(statements) != 1:
        raise UsageError(ONE_SELECT)
    return dict(statements[0])


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a tree, without recursion, because trees may be deep."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def _cte_names(tree: Any) -> Iterator[str]:
    """Yield the names of the common table expressions of a query."""
    for node in _nodes(tree):
        names = node.get("cte_map")
        if isinstance(names, dict):
            yield from (str(entry.get("key", "")) for entry in names.get("map", []))
        if isinstance(node.get("ctename"), str):
            yield node["ctename"]
        if isinstance(node.get("cte_name"), str):
            yield node["cte_name"]


def _relations(connection: Any) -> frozenset[str]:
    """Return the names of the relations of the census."""
    names = connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal UNION ALL SELECT table_name FROM duckdb_tables()"
    ).fetchall()
    return frozenset(name.lower() for (name,) in names)


class _Runner:
    """Runs DuckDB in a thread, because it does not react to Ctrl-C during a query, and the main thread does.

    Ctrl-C only sets a flag meanwhile: an exception while the thread starts would leave a query that nobody stops.
    """

    def __init__(self, connection: Any, seconds: float | None) -> None:
        self.connection, self.max_seconds, self.used_seconds = connection, seconds, 0.0

    def run(self, action: Callable[[], Any]) -> Any:
        """Return the result of an action; raise KeyboardInterrupt on Ctrl-C, UsageError after the time limit."""
        handles_interrupt = (
            current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if not handles_interrupt and self.max_seconds is None:
            return action()
        stopped, start = Event(), time.monotonic()
        if handles_interrupt:
            signal.signal(signal.SIGINT, lambda *_: stopped.set())
        try:
            with ThreadPoolExecutor(1) as executor:
                future = executor.submit(action)
                while not wait([future], POLL_SECONDS).done:
                    if stopped.is_set() or self._is_late(start):
                        self.connection.interrupt()  # repeated, because a query that is about to start ignores it
        finally:
            if handles_interrupt:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        if stopped.is_set():
            raise KeyboardInterrupt
        if self._is_late(start):
            raise UsageError(f"the query took more than {self.max_seconds:g} seconds")
        self.used_seconds += time.monotonic() - start
        return future.result()

    def _is_late(self, start: float) -> bool:
        return self.max_seconds is not None and self.used_seconds + time.monotonic() - start > self.max_seconds


def _fetch(runner: _Runner, cursor: Any) -> Iterator[tuple[Any, ...]]:
    try:
        while rows := runner.run(lambda: cursor.fetchmany(FETCHED_ROWS)):
            yield from rows
    except import_duckdb().Error as error:
        raise query_error(error) from None
