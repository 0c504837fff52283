"""The text of a crawl in wanted languages: what builders of corpora come for.

captures -> first look (webtongue.prefilter) -> verdict -> blocks in the language -> lines -> seen before? -> files
"""

from __future__ import annotations

from webtongue.census.extract.rows import Tally, Text
from webtongue.census.extract.run import Extracted, extract, texts
from webtongue.census.extract.wanted import Wanted, wanted_of

__all__ = ["Extracted", "Tally", "Text", "Wanted", "extract", "texts", "wanted_of"]
