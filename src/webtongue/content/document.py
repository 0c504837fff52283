"""The main text of one page as an object."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from webtongue.analysis import Analysis
from webtongue.content.blocks import ContentBlock, build_blocks, join_markdown, to_markdown
from webtongue.content.metadata import Metadata, read_metadata
from webtongue.content.places import placed_blocks
from webtongue.content.select import select_blocks
from webtongue.verdict import Verdict

__all__ = ["Document", "extract_document"]


@dataclass(frozen=True)
class Document:
    """The main text of a page: its content blocks, metadata and verdict."""

    _FIELD_DOCS = {
        "blocks": "The blocks of the main text, in the order of the page.",
        "verdict": "The verdict on the page.",
        "analysis": "The analysis that the main text was selected from.",
    }

    blocks: tuple[ContentBlock, ...]
    verdict: Verdict
    analysis: Analysis

    @cached_property
    def text(self) -> str:
        """The text, with a line for each block; cells of a table are separated by tabs."""
        return "\n".join(block.text for block in self.blocks)

    @cached_property
    def markdown(self) -> str:
        """The text as Markdown, with headings, lists, tables, quotations and code."""
        return join_markdown([to_markdown(block) for block in self.blocks])

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date and licences, as the page declares them."""
        return read_metadata(self.analysis)

    @property
    def title(self) -> str:
        """The title that the page declares."""
        return self.metadata.title


def extract_document(analysis: Analysis, *, boilerplate: bool = False) -> Document:
    """Return the main text of an analysed page; ``boilerplate`` keeps menus, banners and notices."""
    selected = select_blocks(list(placed_blocks(analysis)), boilerplate)
    return Document(tuple(build_blocks(selected, analysis.page.raw)), analysis.verdict, analysis)
