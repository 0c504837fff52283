"""``webtongue sql``: query a census in SQL."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Annotated

from webtongue.cli.options import CensusFolder, TableOptions
from webtongue.cli.parameters import Argument, Option
from webtongue.errors import UsageError

__all__ = ["command"]

MAX_QUERY_BYTES = 1 << 20


def command(
    census: CensusFolder,
    query: Annotated[str, Argument(metavar="SELECT...", help="One SELECT; - reads it from standard input.")],
    *,
    table_options: TableOptions,
    limit: Annotated[int | None, Option(min=0, help="Rows to print; default: all.")] = None,
    seconds: Annotated[float | None, Option(help="Time limit; without it Ctrl-C stops the query.")] = None,
) -> None:
    """Query a census in the SQL of DuckDB. Queries cannot write, and can read nothing but the census.

    SHOW TABLES lists the tables: pages and captures (one row each), language, country, server, and more in docs/tables.md.
    """
    if query == "-":
        query = _read_query()
    from webtongue.census.mirror import local_census
    from webtongue.census.sql import run_query

    with local_census(census) as folder, run_query(folder, query, seconds=seconds) as result:
        rows = islice(result.rows, limit)
        lines = table_options.format_rows(result.columns, rows)
        if lines is not None:
            sys.stdout.writelines(lines)
            return
        from webtongue.cli.console import Terminal
        from webtongue.cli.formatting import print_rows

        print_rows(result.columns, rows, Terminal())


def _read_query() -> str:
    query = sys.stdin.buffer.read(MAX_QUERY_BYTES + 1)
    if len(query) > MAX_QUERY_BYTES:
        raise UsageError(f"a query has at most {MAX_QUERY_BYTES:,} bytes")
    return query.decode("utf-8", "surrogateescape")
