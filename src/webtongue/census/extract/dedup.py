"""Remove repeated texts and lines, over the rows of all workers in the order of the inputs, with memory of fixed size."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import compress

from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.rows import ExtractCounts, ExtractedText
from webtongue.content.duplicates import RecentHashes
from webtongue.content.quality import WORD

__all__ = ["Deduplicator"]

# Of the tables of texts, lines and bands: 4, 2 and 16 million hashes, in 32, 16 and 128 MB. A text has eight bands.
TEXT_BITS, LINE_BITS, BAND_BITS = 22, 21, 24


class Deduplicator:
    """The last step: rows without repeated texts, near duplicates and lines that other pages of the host had."""

    def __init__(self, config: ExtractConfig) -> None:
        self._config = config
        self._texts = None if config.duplicates else RecentHashes(TEXT_BITS)
        self._lines = None if config.host_lines else RecentHashes(LINE_BITS)
        self._bands = None if config.near_duplicates else RecentHashes(BAND_BITS)

    def __call__(self, rows: Iterable[ExtractedText], counts: ExtractCounts) -> Iterator[ExtractedText]:
        """Yield the rows that remain, and count them."""
        return (row for row in rows if self.accept(row, counts))

    def accept(self, row: ExtractedText, counts: ExtractCounts) -> bool:
        """Remove repeated lines from a row, and count it; return False for a row that is dropped."""
        # Texts are compared before lines are removed, because no line of a repeated page would remain.
        if self._texts is not None and self._texts.add(row.text_key):
            counts.duplicates += 1
            return False
        if self._bands is not None and any([self._bands.add(key) for key in row.band_keys]):
            counts.near_duplicates += 1
            return False
        if self._lines is not None and row.line_keys:
            are_repeated = [self._lines.add(key) for key in row.line_keys]
            row.words -= sum(len(WORD.findall(line)) for line in compress(row.lines, are_repeated))
            are_new = [not is_repeated for is_repeated in are_repeated]
            row.lines = list(compress(row.lines, are_new))
            row.markdown_lines = list(compress(row.markdown_lines, are_new))
        if len("\n".join(row.lines)) < self._config.min_characters:
            counts.short += 1
            return False
        row.characters = len(row.text)
        counts.add_row(row.label, row.characters)
        return True

    def save(self) -> Iterator[bytes]:
        """Yield the state in chunks, compressed: empty slots take no space."""
        packer = zlib.compressobj(1)
        for table in self._tables():
            yield packer.compress(table.state)
        yield packer.flush()

    def load(self, chunks: Iterable[bytes]) -> None:
        """Restore the state that `save` returned for the same settings."""
        unpacker = zlib.decompressobj()
        views = [table.state for table in self._tables()]
        for chunk in chunks:
            data = unpacker.decompress(chunk)
            while data:
                if not views:
                    raise ValueError("the state of duplicates has more tables than expected")
                count = min(len(data), len(views[0]))
                views[0][:count] = data[:count]
                views[0], data = views[0][count:], data[count:]
                if not views[0]:
                    views.pop(0)
        if views:
            raise ValueError("the state of duplicates is cut")

    def _tables(self) -> list[RecentHashes]:
        return [table for table in (self._texts, self._lines, self._bands) if table is not None]
