"""A crawler that looks for languages, on Scrapy: components for any project, and what ``webtongue crawl`` runs.

    SETTINGS = {"WEBTONGUE_LANGUAGES": ["is", "fo"], **COMPONENTS}      # of webtongue.crawl.components

docs/crawl.md has the settings, the policies and what was measured.
"""

from __future__ import annotations

from webtongue.crawl.config import Config
from webtongue.crawl.run import Progress, Summary, crawl

__all__ = ["Config", "Progress", "Summary", "crawl"]
