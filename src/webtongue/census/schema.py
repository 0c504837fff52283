"""The columns of a census: one row a capture. Common Crawl's names first, so that a join with its index is one line."""

from __future__ import annotations

from functools import cache
from typing import Any

__all__ = ["BITS", "LIKELIEST", "VERSION", "links_schema", "rows_schema"]

VERSION = 1  # of these columns; docs/census.md lists them
BITS = ("text", "prior", "declared", "encoding", "url", "country", "links", "host")  # sources, each a column bits_...
LIKELIEST = 8  # labels whose log-likelihood by the text is kept: what settling needs


@cache
def rows_schema() -> Any:
    """Of ``OUT/rows``. A column is null where it does not apply, and a label is there for every identified row."""
    import pyarrow as pa

    name = pa.dictionary(pa.int32(), pa.string())  # text that comes again and again
    columns = [*_common_crawls(pa, name), *_ours(pa, name)]
    return pa.schema(columns, metadata={"webtongue.census": str(VERSION)})


def _common_crawls(pa: Any, name: Any) -> list[tuple[str, Any]]:
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
        ("content_charset", name),  # the encoding found, by its WHATWG name
        ("content_languages", name),  # ISO 639-3 of every language with 5% of the text, the largest first: "isl,eng"
        ("content_truncated", name),
        ("warc_filename", name),
        ("warc_record_offset", pa.int64()),
        ("warc_record_length", pa.int64()),
        ("crawl", name),
        ("subset", name),  # warc, crawldiagnostics (no 200), robotstxt
    ]


def _ours(pa: Any, name: Any) -> list[tuple[str, Any]]:
    label_share = pa.struct([("label", pa.string()), ("share", pa.float32())])
    label_score = pa.struct([("label", pa.string()), ("log_likelihood", pa.float32())])
    return [
        ("record_type", name),
        ("status", name),  # identified, skipped, revisit, failed
        ("problem", name),  # why it failed: a code
        ("problem_detail", pa.string()),
        ("label", name),  # of the page: after settling, if it was settled
        ("language", name),
        ("script", name),
        ("confidence", pa.float32()),
        ("reliable", pa.bool_()),
        ("tier", pa.int16()),
        ("look_alikes", name),  # the group of labels that the label is one of: "group" is a word of SQL
        ("look_alikes_confidence", pa.float32()),
        ("languages", pa.list_(label_share)),  # every language with 5% of the text or more
        ("reason", name),  # why und, zxx or mul
        ("language_declared", name),
        ("language_agrees", pa.bool_()),
        ("language_unrecognised", name),  # a declared code that names no language
        ("encoding_declared", name),
        ("encoding_agrees", pa.bool_()),
        ("encoding_confidence", pa.float32()),
        ("charset_language", name),  # what the declared charset alone names (Cai 2009, table 5-2), most name none
        ("text_bytes", pa.int64()),  # visible text, as UTF-8
        ("letters", pa.int32()),  # that were read
        ("ip", name),
        ("country", name),
        *((f"bits_{source}", pa.float32()) for source in BITS),  # for the answer against its nearest rival
        ("likeliest", pa.list_(label_score)),  # by the text alone, without a prior
        ("identified_by", name),  # the source with most bits (Cai's identified type)
        ("inlinks_used", pa.int32()),
        ("first_label", name),  # before settling; null where that changed nothing of the row
        ("first_confidence", pa.float32()),
        ("first_reliable", pa.bool_()),
        ("reading", pa.binary()),  # what settling decides from, packed by the kernel; null for clear long text
        ("text", pa.large_string()),  # with --keep-text
        ("model", name),  # checksum
        ("version", name),  # of webtongue
    ]


@cache
def links_schema() -> Any:
    """Of ``OUT/links``: links to other sites, and those that name a language; all links with --keep-links."""
    import pyarrow as pa

    columns = [
        ("url", pa.string()),  # where it leads
        ("anchor", pa.string()),
        ("hreflang", pa.string()),
        ("source_url", pa.string()),  # the linking page, and what it is in by its first look
        ("source_label", pa.string()),
        ("source_confidence", pa.float32()),
    ]
    return pa.schema(columns, metadata={"webtongue.census": str(VERSION)})
