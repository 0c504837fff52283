"""Evidence about a page's language from other sources than its text, and the combination of all evidence."""

from __future__ import annotations
