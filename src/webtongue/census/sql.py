"""SQL by hand: one SELECT over the relations of a census, which can read nothing else and write nothing at all.

Two doors are shut. The connection of ``open_store`` reaches no file but the census's own and no network. And a question is
looked at before it is asked, in the tree that DuckDB's own parser makes of it: it must be one SELECT, of relations that are
there, by table functions that only make numbers or unfold lists. The second matters: DuckDB 2 takes ``WITH x AS (COPY ...
TO 'rows/part-0.parquet') SELECT ...`` for a SELECT, and the census's own files are within reach.
"""

from __future__ import annotations

import json
import signal
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
# Functions that change something, or that run what a string says.
REFUSED_FUNCTIONS = frozenset(
    {"write_log", "nextval", "setseed", "query", "query_table", "json_execute_serialized_sql"}
)
FETCHED = 1000  # rows at a time
AGAIN = 0.1  # seconds between looks for a Ctrl-C
ONE_SELECT = (
    "one SELECT is answered here (or WITH, VALUES, DESCRIBE, SHOW, SUMMARIZE); for all else open OUT/census.duckdb"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Columns, and rows as they come."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def asked(out: Path, question: str, memory: str = MEMORY) -> Iterator[Answer]:
    """The answer to a question; rows can be read until the context ends."""
    connection = open_store(out, memory=memory)
    try:
        checked(question, _relations(connection))
        answer = _heard(connection, lambda: connection.execute(question))
        yield Answer(tuple(column[0] for column in answer.description or ()), _fetched(connection, answer))
    except duck().Error as error:
        raise refused(error) from None
    finally:
        connection.close()


def checked(question: str, relations: frozenset[str]) -> None:
    """UsageError unless a question is one SELECT over these relations."""
    statement = _parsed(question)
    known = relations | {name.lower() for name in _common_tables(statement)}
    for node in _nodes(statement):
        kind = node.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in NODES:
            raise UsageError(f"{kind.removesuffix('_NODE').removesuffix('_QUERY')} is not allowed: {ONE_SELECT}")
        if kind == "BASE_TABLE":
            name = str(node.get("table_name", ""))
            if name.lower() not in known:
                raise UsageError(f"there is no table {name!r} in the census; SHOW TABLES lists them")
        function = node.get("function")
        if kind == "TABLE_FUNCTION" and (name := _name(function)) not in TABLE_FUNCTIONS:
            raise UsageError(f"the table function {name!r} is not allowed: only tables of the census can be read")
        if _name(node) in REFUSED_FUNCTIONS:
            raise UsageError(f"the function {_name(node)!r} is not allowed")


def _name(function: Any) -> str:
    return str(function.get("function_name", "")).lower() if isinstance(function, dict) else ""


def _parsed(question: str) -> dict[str, Any]:
    """The tree of the one statement that a question is."""
    try:
        with duck().connect() as parser:
            text = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [question]).fetchone()[0]
        tree = json.loads(text)
    except (RecursionError, ValueError):
        raise UsageError("the question is nested too deeply") from None
    except UnicodeEncodeError:
        raise UsageError("the question is no text") from None
    if tree.get("error"):
        said = str(tree.get("error_message", ""))
        raise UsageError(ONE_SELECT if "Only SELECT" in said else said.splitlines()[0] if said else ONE_SELECT)
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
    """Those of the census, and DuckDB's own lists of tables and columns."""
    found = connection.execute(
        "SELECT view_name FROM duckdb_views() UNION ALL SELECT table_name FROM duckdb_tables()"
    ).fetchall()
    return frozenset(name.lower() for (name,) in found)


def _heard(connection: Any, work: Callable[[], Any]) -> Any:
    """What DuckDB works out, in a thread of its own: in a query without end it hears no Ctrl-C, and the main thread does.

    Ctrl-C only leaves a note meanwhile: raised while the thread starts, it would leave a query behind that nobody ends.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return work()
    stopped = Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        with ThreadPoolExecutor(1) as beside:
            waiting = beside.submit(work)
            while not wait([waiting], AGAIN).done:
                if stopped.is_set():  # more than once: a query that is about to begin forgets it
                    connection.interrupt()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if stopped.is_set():
        raise KeyboardInterrupt
    return waiting.result()


def _fetched(connection: Any, answer: Any) -> Iterator[tuple[Any, ...]]:
    try:
        while rows := _heard(connection, lambda: answer.fetchmany(FETCHED)):
            yield from rows
    except duck().Error as error:
        raise refused(error) from None
