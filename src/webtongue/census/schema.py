"""The columns of a census, a row for each capture. Columns of Common Crawl's index have its names, so that both can be joined."""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue.extra_columns import BITS
from webtongue.schema import BATCH_FIELDS, UINT8, arrow_type

__all__ = ["ADDED_COLUMNS", "BITS", "VERSION", "batch_name", "links_schema", "rows_schema"]

VERSION = 3  # version of these columns; docs/columns.md lists them
# Columns that a census of version 2 lacks: they are null in its relations.
ADDED_COLUMNS = frozenset({"ip_network", "by_encoding", "by_language", "by_text", "title", "metadata"})
CENSUS_NAMES = {
    "encoding": "content_charset",
    "media_type": "content_mime_detected",
}  # Common Crawl's names of our columns
BATCH_NAMES = {theirs: ours for ours, theirs in CENSUS_NAMES.items()}


@cache
def rows_schema() -> Any:
    """Return the schema of ``OUT/rows``. Columns that do not apply are null; every identified row has a label."""
    import pyarrow as pa

    name = pa.dictionary(pa.int32(), pa.string())  # repeated text
    columns = [*_common_crawl_columns(pa, name), *_own_columns(pa, name)]
    return pa.schema(columns, metadata={"webtongue.census": str(VERSION)})


def _common_crawl_columns(pa: Any, name: Any) -> list[tuple[str, Any]]:
    return [
        ("url", pa.string()),
        ("url_host_name", name),
        ("url_host_tld", name),
        ("url_host_registered_domain", name),
        ("fetch_time", pa.timestamp("ms", "UTC")),
        ("fetch_status", pa.int16()),
        ("content_digest", pa.string()),
        ("content_mime_type", name),  # as declared
        ("content_mime_detected", name),
        ("content_charset", name),  # the detected encoding, by its WHATWG name
        ("content_languages", name),  # ISO 639-3 of every language with 5% of the text, the largest first: "isl,eng"
        ("content_truncated", name),
        ("warc_filename", name),
        ("warc_record_offset", pa.int64()),
        ("warc_record_length", pa.int64()),
        ("crawl", name),
        ("subset", name),  # warc, crawldiagnostics (status other than 200), robotstxt
    ]


def _own_columns(pa: Any, name: Any) -> list[tuple[str, Any]]:
    label_score = pa.struct([("label", pa.string()), ("log_likelihood", pa.float32())])
    return [
        ("record_type", name),
        ("status", name),  # identified, skipped, revisit, failed
        ("problem", name),  # the reason of a failure, as a code
        ("problem_detail", pa.string()),
        *_verdict_columns(pa),
        ("unrecognised_language", name),  # a declared code that is not a language
        (
            "charset_language",
            name,
        ),  # the language that the declared charset names (Cai 2009, table 5-2); most name none
        ("text_bytes", pa.int64()),  # size of the visible text in UTF-8
        ("letters", pa.int32()),  # letters that were read
        ("ip", name),
        ("ip_network", name),  # the range of the IP-to-country file that contains the address
        *((f"bits_{source}", pa.float32()) for source in BITS),  # evidence for the answer against the runner-up
        ("likeliest", pa.list_(label_score)),  # log-likelihoods of the text alone, without a prior
        ("identified_by", name),  # the source with most bits (the identified type of Cai)
        ("by_encoding", name),  # the answer of each approach of the method of Cai (2009), where it was run and has one
        ("by_language", name),
        ("by_text", name),
        ("inlinks_used", pa.int32()),
        ("first_label", name),  # before the second pass; null for rows without one
        ("first_confidence", pa.float32()),
        ("first_reliable", pa.bool_()),
        ("reading", pa.binary()),  # the packed page for the second pass; null for long clear text
        ("text", pa.large_string()),  # with --keep-text, as the next two
        ("title", pa.string()),
        ("metadata", pa.string()),  # the texts of meta elements, such as descriptions and keywords
        ("model", name),  # checksum of the model file
        ("version", name),  # release of webtongue
    ]


def _verdict_columns(pa: Any) -> list[tuple[str, Any]]:
    """Return the fields of a Verdict without a name in Common Crawl's index, in the types of the table of fields."""
    fields = [field for field in BATCH_FIELDS if field.name not in CENSUS_NAMES and field.name != "why"]
    return [(field.name, pa.int16() if field.kind is UINT8 else arrow_type(field)) for field in fields]


def batch_name(column: str) -> str:
    """Return the name that a column of a census has in ``identify_batch``."""
    return BATCH_NAMES.get(column, column)


@cache
def links_schema() -> Any:
    """Return the schema of ``OUT/links``: links to other hosts, and links that name a language."""
    import pyarrow as pa

    columns = [
        ("url", pa.string()),  # the target
        ("anchor", pa.string()),
        ("hreflang", pa.string()),
        ("source_url", pa.string()),  # the linking page, with its first answer
        ("source_label", pa.string()),
        ("source_confidence", pa.float32()),
    ]
    return pa.schema(columns, metadata={"webtongue.census": str(VERSION)})
