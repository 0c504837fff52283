"""Translate the queries of the census, written in the SQL that DuckDB and Spark share, to one of the two.

- Functions in capitals below have different names in the two dialects.
- ``:name`` is a parameter. It is written into the query as a literal, because the dialects bind parameters differently; values
  with quotes or backslashes are refused.
- Statements that create a DuckDB table (gather.sql) are views in Spark: ``to_spark`` converts them.
- GROUP BY ALL, max_by, split_part, window functions and FILTER are in both (Spark 3.4 and later).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from webtongue.errors import UsageError

__all__ = ["DUCKDB", "SPARK", "to_spark", "translate"]

DUCKDB, SPARK = "duckdb", "spark"
FUNCTIONS: Mapping[str, Mapping[str, str]] = {
    DUCKDB: {"ELEMENT": "list_extract", "ELEMENTS": "len", "HASH": "hash", "MATCHES": "regexp_matches"},
    SPARK: {"ELEMENT": "try_element_at", "ELEMENTS": "size", "HASH": "xxhash64", "MATCHES": "regexp_like"},
}
UPPER_CALL = re.compile(r"\b([A-Z]+)\(")
PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
SAFE_TEXT = re.compile(r"[\w .-]*", re.ASCII)
COMMENT = re.compile(r"^\s*--.*\n?", re.MULTILINE)
CREATE_TABLE = re.compile(r"^CREATE OR REPLACE (?:TEMP )?TABLE \w+ AS\s+", re.MULTILINE)
ORDERED_LIST = re.compile(r"\blist\(\{([^}]*)\}\s*ORDER BY (\w+)\)")
DUCKDB_PARAMETER = re.compile(r"\$(\w+)")


def translate(query: str, dialect: str = DUCKDB, parameters: Mapping[str, str | int | float] | None = None) -> str:
    """Return a query in a dialect, without its comments.

    >>> translate("SELECT ELEMENTS(languages) FROM pages WHERE country = :country", "spark", {"country": "CA"})
    "SELECT size(languages) FROM pages WHERE country = 'CA'"
    """
    values = parameters or {}
    names = FUNCTIONS[dialect]
    text = UPPER_CALL.sub(lambda match: names.get(match[1], match[1]) + "(", COMMENT.sub("", query))
    return PARAMETER.sub(lambda match: _literal(values[match[1]]), text)


def _literal(value: str | int | float) -> str:
    if isinstance(value, str):
        if not SAFE_TEXT.fullmatch(value):
            raise UsageError(f"{value!r} cannot be a parameter: use letters, digits, spaces, dots and dashes only")
        return f"'{value}'"
    return repr(value)


def to_spark(statement: str, parameters: Mapping[str, str | int | float] | None = None) -> str:
    """Return the query of a statement that creates a table in the dialect of Spark.

    Ordered lists, regular expressions that replace all matches, and parameters are converted.

    >>> to_spark("CREATE OR REPLACE TEMP TABLE n AS SELECT list({'n': n} ORDER BY n) FROM t WHERE n < $most", {"most": 3})
    "SELECT transform(array_sort(collect_list(struct(n AS k, named_struct('n', n) AS v))), x -> x.v) FROM t WHERE n < 3"
    """
    values = parameters or {}
    text = CREATE_TABLE.sub("", COMMENT.sub("", statement)).strip().rstrip(";")
    text = DUCKDB_PARAMETER.sub(lambda match: _literal(values[match[1]]), text)
    return ORDERED_LIST.sub(_sorted_list, text).replace(", '', 'g')", ", '')")


def _sorted_list(match: re.Match[str]) -> str:
    fields = match[1].replace(":", ",")
    return f"transform(array_sort(collect_list(struct({match[2]} AS k, named_struct({fields}) AS v))), x -> x.v)"
