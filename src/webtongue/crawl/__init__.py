"""A language-focused crawler on Scrapy: the function behind ``webtongue crawl``, and components for Scrapy projects.

    settings = {**COMPONENTS, "WEBTONGUE_LANGUAGES": ["is", "fo"]}      # switches all components on in a Scrapy project

Only the names below are public. docs/crawl.md describes components and statistics, docs/settings.md the settings.
"""

from __future__ import annotations

from webtongue.crawl.config import Config
from webtongue.crawl.run import Progress, Summary, crawl
from webtongue.crawl.settings import COMPONENTS

__all__ = ["COMPONENTS", "Config", "Progress", "Summary", "crawl"]
