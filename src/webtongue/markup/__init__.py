"""The first stage: from a page's bytes to blocks of text, claims and links."""

from __future__ import annotations

from webtongue.markup.alternates import Alternate
from webtongue.markup.blocks import Block
from webtongue.markup.claims import Claim
from webtongue.markup.links import Link
from webtongue.markup.scan import Markup, read, read_text
from webtongue.markup.sniff import Syntax

__all__ = ["Alternate", "Block", "Claim", "Link", "Markup", "Syntax", "read", "read_text"]
