"""Scan the bytes of a page for blocks of text, declarations and links: the first stage of the pipeline."""

from __future__ import annotations

from webtongue.markup.alternates import Alternate
from webtongue.markup.blocks import Block
from webtongue.markup.links import Link
from webtongue.markup.read_declarations import Declaration
from webtongue.markup.scan import Markup, read, read_text
from webtongue.markup.sniff import Syntax

__all__ = ["Alternate", "Block", "Declaration", "Link", "Markup", "Syntax", "read", "read_text"]
