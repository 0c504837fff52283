"""Blocks of a page's text as objects, for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webtongue.markup.noise import NAMES as NOISE

__all__ = ["Block", "blocks_of"]

KINDS = ("paragraph", "title", "heading", "item", "link", "navigation", "alt", "meta")  # the kernel's numbers


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text between two block boundaries, where it stands in the page, and the ``lang`` in scope."""

    text: str
    kind: str
    lang: str
    begin: int
    end: int
    noise: tuple[str, ...] = ()


def blocks_of(source: bytes, scan: Any) -> list[Block]:
    """Make the objects: one a block."""
    text: bytes = scan.text
    langs = [source[begin:end].decode("utf-8", "replace").strip() for begin, end in scan.langs]
    out = []
    start = 0
    columns = (column.tolist() for column in scan.blocks())
    for stop, begin, end, lang, kind, flags in zip(*columns, strict=True):
        noise = tuple(name for bit, name in enumerate(NOISE) if flags >> bit & 1)
        out.append(Block(text[start:stop].decode("utf-8", "replace"), KINDS[kind], langs[lang], begin, end, noise))
        start = stop + 1
    return out
