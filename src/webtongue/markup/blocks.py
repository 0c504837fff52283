"""Blocks of a page's text as objects, for those who ask."""

from __future__ import annotations

from dataclasses import dataclass

from webtongue import _kernel
from webtongue.encodings.offsets import to_page
from webtongue.markup.noise import NAMES as NOISE

__all__ = ["Block", "blocks_of"]

KINDS = ("paragraph", "title", "heading", "item", "link", "navigation", "alt", "meta")  # the kernel's numbers


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text between two block boundaries, where it stands in the page's bytes, and the ``lang`` in scope."""

    text: str
    kind: str
    lang: str
    begin: int
    end: int
    noise: tuple[str, ...] = ()


def blocks_of(source: bytes, scan: _kernel.Scan, page: bytes = b"", transcoded: str = "") -> list[Block]:
    """Make the objects: one a block. ``page`` is what the source was transcoded from, if it was."""
    text: bytes = scan.text
    langs = [source[begin:end].decode("utf-8", "replace").strip() for begin, end in scan.langs]
    stops, begins, ends, *columns = (column.tolist() for column in scan.blocks())
    if transcoded:
        marks = to_page(page, transcoded, begins + ends)
        begins, ends = marks[: len(begins)], marks[len(begins) :]
    out = []
    start = 0
    for stop, begin, end, lang, kind, flags in zip(stops, begins, ends, *columns, strict=True):
        noise = tuple(name for bit, name in enumerate(NOISE) if flags >> bit & 1)
        out.append(Block(text[start:stop].decode("utf-8", "replace"), KINDS[kind], langs[lang], begin, end, noise))
        start = stop + 1
    return out
