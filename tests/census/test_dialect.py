"""The queries of a census are SQL for DuckDB and Spark, checked with a Spark parser and by the functions in use."""

from __future__ import annotations

import re

import pytest
import sqlglot
from sqlglot import expressions as exp

from webtongue import UsageError
from webtongue.census import compare, store
from webtongue.census.dialect import DUCKDB, FUNCTIONS, SPARK, UPPER_CALL, translate
from webtongue.census.tables.queries import CUBES, FOLDER

PARAMETERS = {"country": "IS", "label": "isl_Latn", "limit": 5}
# Functions that both have, by the same name and for the same work.
IN_BOTH = {
    "CAST", "NULLIF", "avg", "coalesce", "concat", "count", "greatest", "least", "ln", "max", "min", "pow", "replace", "row_number", "split_part", "sqrt",
    "sum",
}  # fmt: skip


def shipped() -> dict[str, str]:
    """Return all queries of tables, cubes, the store and the comparison of two censuses."""
    result = {path.stem: path.read_text("utf-8") for path in (*FOLDER.glob("*.sql"), *CUBES.glob("*.sql"))}
    for file in (store.FILE, compare.FILE):
        for part in file.read_text("utf-8").split("-- name: ")[1:]:
            name, _, text = part.partition("\n")
            result[f"{file.stem} {name}"] = re.sub(r"\{(\w+)\}", r"some_\1", text)
    return result


QUERIES = shipped()


@pytest.mark.parametrize("name", QUERIES)
def test_queries_parse_in_spark(name: str) -> None:
    (tree,) = sqlglot.parse(translate(QUERIES[name], SPARK, PARAMETERS), read="spark")
    assert isinstance(tree, exp.Query)
    strange = {call.name for call in tree.find_all(exp.Anonymous)} - {"xxhash64"}
    assert strange == set()
    assert not re.search(r"::|\blist\(|\[\s*\d+\s*\]|\bEXCLUDE\b|\bILIKE\b|\$\w", QUERIES[name])


def test_functions_exist_in_both_dialects() -> None:
    used = {name for text in QUERIES.values() for name in re.findall(r"\b(\w+)\(", re.sub(r"--.*", "", text))}
    words = {"IN", "OVER", "FILTER", "AS", "WHERE", "AND", "OR", "NOT", "FROM", "SELECT"}
    assert used - words <= IN_BOTH | set(FUNCTIONS[DUCKDB])
    assert set(FUNCTIONS[DUCKDB]) == set(FUNCTIONS[SPARK])


def test_translation_is_complete() -> None:
    for name, text in QUERIES.items():
        for dialect in (DUCKDB, SPARK):
            done = translate(text, dialect, PARAMETERS)
            assert not set(UPPER_CALL.findall(done)) & set(FUNCTIONS[dialect]), name
            assert not re.search(r"(?<!:):[a-z]", done), name


@pytest.mark.parametrize("value", ["'", "x' OR '1'='1", "a\\", "a\nb", "é", "a;b", "--'"])
def test_parameters_cannot_inject_sql(value: str) -> None:
    with pytest.raises(UsageError, match="cannot be a parameter"):
        translate("SELECT :label", DUCKDB, {"label": value})
