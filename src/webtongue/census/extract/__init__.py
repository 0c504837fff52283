"""Extract the text of a crawl in chosen languages, for text corpora.

captures -> prefilter (webtongue.text.prefilter) -> verdict -> blocks in the language -> lines -> deduplication -> files
"""

from __future__ import annotations

from webtongue.census.extract.config import ExtractConfig, create_extract_config
from webtongue.census.extract.rows import ExtractCounts, ExtractedText
from webtongue.census.extract.run import ExtractResult, extract, extract_texts

__all__ = [
    "ExtractConfig", "ExtractCounts", "ExtractResult", "ExtractedText", "create_extract_config", "extract", "extract_texts",
]  # fmt: skip
