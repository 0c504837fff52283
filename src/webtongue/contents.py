"""A page's verdict together with its text, block by block: what applications take that keep the text of pages.

>>> from webtongue.identifier import Identifier
>>> found = Identifier().contents(Page("<nav>Um</nav><h1>Sýning</h1><p>Opið er til klukkan níu".encode("iso-8859-1")))
>>> [(block.kind, block.text) for block in found.blocks]
[('navigation', 'Um'), ('heading', 'Sýning'), ('paragraph', 'Opið er til klukkan níu')]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from webtongue import _kernel
from webtongue.markup import Block, Markup
from webtongue.markup.sniff import media_of
from webtongue.page import Page
from webtongue.pipeline import DECODED, Stages, go_on
from webtongue.verdict import Verdict

__all__ = ["Block", "Contents", "contents_of", "sentences"]


@dataclass(frozen=True, slots=True)
class Contents:
    """What was said of a page, and the page as it was scanned and decoded for that, None where it has no text.

    Blocks are made when they are asked for: most pages are not wanted once their verdict is known. ``languages`` and
    ``declared_language`` are the verdict's, without the rest of its explanation. ``misread``: the page's text had been read in a
    wrong encoding before it was written, and blocks have it put right.
    """

    verdict: Verdict
    scanned: Markup | None = None
    languages: tuple[tuple[str, float], ...] = ()
    declared_language: str = ""
    misread: bool = False

    @property
    def blocks(self) -> list[Block]:
        """Every block of text in UTF-8, whatever the page is in; noise is marked, and ``alt`` and ``<meta>`` come last.

        Offsets are into the page's own bytes, as those of :attr:`Verdict.segments` are.
        """
        return [] if self.scanned is None else self.scanned.blocks


def contents_of(page: Page, by: Stages, *, is_text: bool = False) -> Contents:
    """Identify a page and keep its text at hand; ``is_text``: it is text in UTF-8 in which nothing is markup."""
    media = media_of(page.content_type) if page.headers and not is_text else 0
    found = by.flow.analyse(page.raw, media, is_text, is_text)
    judged = go_on(page, found, by, DECODED if is_text else None)
    held = () if judged.reading is None else by.text.kernel.languages(judged.reading)
    return Contents(judged.verdict, judged.scanned, held, judged.said.language, judged.misread)


def sentences(block: Block) -> list[Block]:
    """A block cut into its sentences, where these are not too small to say anything; offsets are about where they stand.

    >>> text = "Opið er til níu á kvöldin alla daga vikunnar. The museum is open until nine every evening."
    >>> [part.text for part in sentences(Block(text, "item", "", 0, 93))]
    ['Opið er til níu á kvöldin alla daga vikunnar.', 'The museum is open until nine every evening.']
    """
    raw = block.text.encode("utf-8", "replace")
    cuts = [0, *_kernel.cut_sentences(raw), len(raw)]
    size = (block.end - block.begin) / max(len(raw), 1)
    return [
        replace(
            block,
            text=raw[begin:end].decode("utf-8", "replace").strip(),
            begin=block.begin + round(begin * size),
            end=block.begin + round(end * size),
        )
        for begin, end in pairwise(cuts)
        if begin < end
    ]
