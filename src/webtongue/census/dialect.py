"""The queries of the census are written once, in what DuckDB and Spark both read; this is all that differs.

- Functions in capitals below have a name of their own in each dialect.
- ``:name`` is a parameter. It is written into the query as a literal: both dialects bind parameters differently, and none
  of ours can hold a quote or a backslash.
- Statements that make a table of DuckDB's (gather.sql, links/propagate.sql) are views in Spark: ``as_spark`` has what differs.
- GROUP BY ALL, max_by, split_part, window functions and FILTER are in both (Spark 3.4 and later).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from webtongue.errors import UsageError

__all__ = ["DUCKDB", "SPARK", "as_spark", "translated"]

DUCKDB, SPARK = "duckdb", "spark"
FUNCTIONS: Mapping[str, Mapping[str, str]] = {
    DUCKDB: {"ELEMENT": "list_extract", "ELEMENTS": "len", "HASH": "hash", "MATCHES": "regexp_matches"},
    SPARK: {"ELEMENT": "try_element_at", "ELEMENTS": "size", "HASH": "xxhash64", "MATCHES": "regexp_like"},
}
CALL = re.compile(r"\b([A-Z]+)\(")
PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
PLAIN = re.compile(r"[\w .-]*", re.ASCII)
COMMENT = re.compile(r"^\s*--.*\n?", re.MULTILINE)
CREATE = re.compile(r"^CREATE OR REPLACE (?:TEMP )?TABLE \w+ AS\s+", re.MULTILINE)
LISTED = re.compile(r"\blist\(\{([^}]*)\}\s*ORDER BY (\w+)\)")
FINITE = re.compile(r"\bisfinite\((\w+)\)")
BOUND = re.compile(r"\$(\w+)")


def translated(query: str, dialect: str = DUCKDB, parameters: Mapping[str, str | int | float] | None = None) -> str:
    """A query as a dialect reads it, without its comments.

    >>> translated("SELECT ELEMENTS(languages) FROM pages WHERE country = :country", "spark", {"country": "CA"})
    "SELECT size(languages) FROM pages WHERE country = 'CA'"
    """
    values = parameters or {}
    names = FUNCTIONS[dialect]
    text = CALL.sub(lambda found: names.get(found[1], found[1]) + "(", COMMENT.sub("", query))
    return PARAMETER.sub(lambda found: _literal(values[found[1]]), text)


def _literal(value: str | int | float) -> str:
    if isinstance(value, str):
        if not PLAIN.fullmatch(value):
            raise UsageError(f"{value!r} cannot be a parameter: letters, digits, spaces, dots and dashes can")
        return f"'{value}'"
    return repr(value)


def as_spark(statement: str, parameters: Mapping[str, str | int | float] | None = None) -> str:
    """The query of a statement that makes a table, as Spark reads it: lists in an order, regular expressions that replace all
    there is, numbers that are finite, parameters.

    >>> as_spark("CREATE OR REPLACE TEMP TABLE n AS SELECT list({'n': n} ORDER BY n) FROM t WHERE n < $most", {"most": 3})
    "SELECT transform(array_sort(collect_list(struct(n AS k, named_struct('n', n) AS v))), x -> x.v) FROM t WHERE n < 3"
    """
    values = parameters or {}
    text = CREATE.sub("", COMMENT.sub("", statement)).strip().rstrip(";")
    text = BOUND.sub(lambda found: _literal(values[found[1]]), text)
    text = FINITE.sub(r"(NOT isnan(\1) AND abs(\1) < double('infinity'))", text)
    return LISTED.sub(_list, text).replace(", '', 'g')", ", '')")


def _list(found: re.Match[str]) -> str:
    fields = found[1].replace(":", ",")
    return f"transform(array_sort(collect_list(struct({found[2]} AS k, named_struct({fields}) AS v))), x -> x.v)"
