"""Blocks of a page's text as objects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from webtongue import _kernel
from webtongue.markup.noise import NAMES as NOISE
from webtongue.records import dataclass, replace

__all__ = ["KINDS", "Block", "iter_blocks", "to_page_offsets"]

KINDS = ("paragraph", "title", "heading", "item", "link", "navigation", "alt", "meta")  # by the kernel's numbers


@dataclass(frozen=True, slots=True)
class Block:
    """Text between two block boundaries."""

    _FIELD_DOCS = {
        "text": "The text, decoded and without markup.",
        "kind": f"One of {', '.join(KINDS)}.",
        "lang": "The attribute `lang` in scope; empty if there is none.",
        "begin": "The offset of the first byte in the page's bytes.",
        "end": "The offset after the last byte.",
        "noise": f"The kinds of noise that the text is, which counts less or not at all: {', '.join(NOISE)}; empty for other text.",
    }

    text: str
    kind: str
    lang: str
    begin: int
    end: int
    noise: tuple[str, ...] = ()

    def sentences(self) -> list[Block]:
        """Return the block divided into sentences of identifiable length; their offsets are estimates.

        >>> text = "Opið er til níu á kvöldin alla daga vikunnar. The museum is open until nine every evening."
        >>> [sentence.text for sentence in Block(text, "item", "", 0, 93).sentences()]
        ['Opið er til níu á kvöldin alla daga vikunnar.', 'The museum is open until nine every evening.']
        """
        raw = self.text.encode("utf-8", "replace")
        cuts = [0, *_kernel.cut_sentences(raw), len(raw)]
        page_bytes_per_byte = (self.end - self.begin) / max(len(raw), 1)
        return [
            replace(
                self,
                text=raw[begin:end].decode("utf-8", "replace").strip(),
                begin=self.begin + round(begin * page_bytes_per_byte),
                end=self.begin + round(end * page_bytes_per_byte),
            )
            for begin, end in pairwise(cuts)
            if begin < end
        ]


def to_page_offsets(begins: list[int], ends: list[int], page: bytes, transcoded: str) -> tuple[list[int], list[int]]:
    """Return offsets in the original bytes of a transcoded page."""
    if not transcoded:
        return begins, ends
    from webtongue.charset.offsets import to_source_offsets  # imports NumPy, which few pages need

    offsets = to_source_offsets(page, transcoded, begins + ends)
    return offsets[: len(begins)], offsets[len(begins) :]


def iter_blocks(source: bytes, scan: _kernel.Scan, page: bytes = b"", transcoded: str = "") -> Iterator[Block]:
    """Yield the blocks of a scan; ``page`` has the original bytes of a transcoded source."""
    text: bytes = scan.text
    langs = [source[begin:end].decode("utf-8", "replace").strip() for begin, end in scan.langs]
    stops, begins, ends, *columns = (column.tolist() for column in scan.blocks())
    begins, ends = to_page_offsets(begins, ends, page, transcoded)
    start = 0
    for stop, begin, end, lang, kind, flags in zip(stops, begins, ends, *columns, strict=True):
        noise = tuple(name for bit, name in enumerate(NOISE) if flags >> bit & 1)
        yield Block(text[start:stop].decode("utf-8", "replace"), KINDS[kind], langs[lang], begin, end, noise)
        start = stop + 1
