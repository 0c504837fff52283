"""The main text of a page with its structure, its metadata and measures of its quality."""

from __future__ import annotations

from webtongue.content.blocks import ContentBlock
from webtongue.content.document import Document, extract_document
from webtongue.content.metadata import Metadata

__all__ = ["ContentBlock", "Document", "Metadata", "extract_document"]
