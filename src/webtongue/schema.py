"""The fields of an answer: one table, from which JSON, columns, Arrow, Spark and OpenAPI types and docs/schema.md are derived.

Adding, renaming or removing a field increments ``VERSION`` and is recorded in docs/schema.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webtongue.records import dataclass

__all__ = [
    "BATCH_FIELDS",
    "BOOL",
    "COLUMN_NAMES",
    "DESCRIPTIONS",
    "FIELDS",
    "INPUTS",
    "STRING",
    "STRUCTS",
    "VERSION",
    "Field",
    "Kind",
    "arrow_schema",
    "arrow_type",
    "json_type",
    "markdown_table",
    "numpy_type",
    "spark_type",
    "structs",
]

VERSION = 2
INPUTS = ("raw", "url", "headers", "ip", "country", "inlinks", "host")  # columns that identify_batch takes


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of value in JSON, Arrow, Spark and NumPy."""

    json: type  # the Python type of the JSON value
    arrow: str  # the name of pyarrow's function for the type
    spark: str  # a type name of Spark SQL
    numpy: str = ""  # a dtype; empty if a column is a list


STRING = Kind(str, "string", "string")
FLOAT = Kind(float, "float32", "float", "f4")
BOOL = Kind(bool, "bool_", "boolean", "?")
OPTIONAL_BOOL = Kind(bool, "bool_", "boolean")  # null if it does not apply
UINT8 = Kind(int, "uint8", "smallint", "u1")  # Spark has no unsigned numbers
OFFSET = Kind(int, "int64", "bigint")

# The fields of list members.
STRUCTS: dict[str, tuple[tuple[str, Kind], ...]] = {
    "languages": (("label", STRING), ("share", FLOAT)),
    "guesses": (("label", STRING), ("probability", FLOAT)),
    "segments": (("begin", OFFSET), ("end", OFFSET), ("label", STRING), ("share", FLOAT)),
    "evidence": (("source", STRING), ("value", STRING), ("label", STRING), ("weight", FLOAT)),
}
STRUCT_KEYS = {name: [key for key, _ in members] for name, members in STRUCTS.items()}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an answer. ``kind`` is None for a list of the structs in :data:`STRUCTS`."""

    name: str
    kind: Kind | None
    description: str
    in_batch: bool = True  # a column of identify_batch; the others are computed on demand
    repeats: bool = True  # few different values: dictionary-encoded in Arrow
    since: int = 1

    @property
    def nullable(self) -> bool:
        """Whether the value may be null."""
        return self.kind is OPTIONAL_BOOL


FIELDS = (
    Field("label", STRING, "The main language and its script, as ISO 639-3 and ISO 15924: `srp_Cyrl`; or `und`, `zxx`, `mul`."),
    Field("language", STRING, "The label as the shortest BCP 47 tag: `sr`."),
    Field("script", STRING, "The script, ISO 15924; empty if there is none."),
    Field("confidence", FLOAT, "The probability that `label` is right, 0 to 1, six decimals."),
    Field("reliable", BOOL, "Whether confidence and amount of text suffice to rely on the answer."),
    Field("tier", UINT8, "Training text of the label: 1 much modern text, 2 some, 3 hardly any beside scripture; 0: no language."),
    Field("group", STRING, "The look-alike group of the label: `hbs`; empty if it has none."),
    Field("group_confidence", FLOAT, "The probability that a label of the group is right; `confidence` without a group."),
    Field("languages", None, "Every language with 5% of the running text or more and its share, the largest first."),
    Field("encoding", STRING, "The character encoding, by its WHATWG name; empty for decoded text and binary data."),
    Field("encoding_confidence", FLOAT, "The probability that the encoding is right."),
    Field("reason", STRING, "Why no language is answered, as a code; empty if one is."),
    Field("why", STRING, "Why no language is answered, or why it is not reliable, in a sentence; else empty.", repeats=False),
    Field("declared_language", STRING, "The label that the page or its server declares; empty if none names a language."),
    Field("declared_encoding", STRING, "The declared encoding, by its WHATWG name; empty if none is declared."),
    Field("agrees", OPTIONAL_BOOL, "Whether the declared language is the answer; null if either is missing."),
    Field("encoding_agrees", OPTIONAL_BOOL, "Whether the declared encoding is the answer; null if either is missing."),
    Field("country", STRING, "The country of the server, ISO 3166; empty if it is unknown.", since=2),
    Field("guesses", None, "Ranked labels with probabilities, at most 5 for text and 8 for URLs.", in_batch=False),
    Field("segments", None, "Where each language is: offsets in bytes, label, share of the text.", in_batch=False),
    Field("evidence", None, "The evidence of each source, and its bits for the first guess against the second.", in_batch=False),
)  # fmt: skip
BATCH_FIELDS = tuple(field for field in FIELDS if field.in_batch)
DESCRIPTIONS = {field.name: field.description for field in FIELDS}
COLUMN_NAMES = tuple(field.name for field in BATCH_FIELDS)  # columns that identify_batch returns
JSON_NAMES = {str: "string", float: "number", bool: "boolean", int: "integer"}


def json_type(field: Field) -> str:
    """Return the JSON type of a field in words, for documentation."""
    if field.kind is None:
        return f"list of `{{{', '.join(name for name, _ in STRUCTS[field.name])}}}`"
    return JSON_NAMES[field.kind.json] + (" or null" if field.nullable else "")


def markdown_table() -> str:
    """Return the table of fields in docs/schema.md."""
    rows = [
        f"| `{field.name}` | {json_type(field)} | {_column_type(field)} | {field.since} | {field.description} |"
        for field in FIELDS
    ]
    return "\n".join(["| field | JSON | column | since | meaning |", "| --- | --- | --- | --- | --- |", *rows])


def _column_type(field: Field) -> str:
    if not field.in_batch:
        return ""
    return json_type(field).replace("`", "") if field.kind is None else field.kind.arrow.rstrip("_")


def numpy_type(field: Field) -> str:
    """Return the NumPy dtype of a field's column; empty if the column is a list."""
    return field.kind.numpy if field.kind is not None else ""


def arrow_type(field: Field) -> Any:
    """Return the Arrow type of a field's column."""
    import pyarrow as pa

    if field.kind is None:
        return pa.list_(pa.struct([(name, getattr(pa, kind.arrow)()) for name, kind in STRUCTS[field.name]]))
    if field.kind is STRING and field.repeats:
        return pa.dictionary(pa.int32(), pa.string())
    return getattr(pa, field.kind.arrow)()


def arrow_schema() -> Any:
    """Return the Arrow schema of ``identify_batch``'s answers."""
    import pyarrow as pa

    columns = [(field.name, arrow_type(field)) for field in BATCH_FIELDS]
    return pa.schema(columns, metadata={"webtongue.schema": str(VERSION)})


def spark_type(field: Field) -> str:
    """Return the type of a field's column in Spark SQL."""
    if field.kind is None:
        return f"array<struct<{', '.join(f'{name}: {kind.spark}' for name, kind in STRUCTS[field.name])}>>"
    return field.kind.spark


def structs(name: str, values: Any) -> Iterator[dict[str, Any]]:
    """Yield the members of a list field as JSON objects."""
    keys = STRUCT_KEYS[name]
    return (dict(zip(keys, value, strict=True)) for value in values)
