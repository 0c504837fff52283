"""The object that holds settings and answers: immutable, shared by threads, picklable."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from webtongue import pipeline
from webtongue.errors import UsageError
from webtongue.page import Page
from webtongue.verdict import Verdict

__all__ = ["Identifier"]

TEXT_HEADERS = {"content-type": "text/plain; charset=utf-8"}
CHUNK = 32  # pages handed to a thread at a time
STRINGS = ("label", "language", "script", "encoding", "reason", "declared_language", "declared_encoding")
NUMBERS = {"confidence": "f4", "encoding_confidence": "f4", "reliable": "?"}


@dataclass(frozen=True, slots=True)
class Identifier:
    """Says what pages are in.

    >>> Identifier().identify("<p>Καλημέρα κόσμε".encode()).label
    'ell_Grek'
    """

    def identify(
        self, raw: bytes, url: str | None = None, headers: Mapping[str, str] | None = None, ip: str | None = None
    ) -> Verdict:
        """The verdict on one page, from its bytes and what is known of where they came from."""
        return pipeline.identify(Page(raw, url, headers, ip))  # type: ignore[arg-type]

    def identify_text(self, text: str) -> Verdict:
        """The verdict on text that is decoded already: no markup is looked for."""
        if not isinstance(text, str):
            raise TypeError(f"text is str, not {type(text).__name__}; bytes go to identify()")
        return pipeline.identify_text(Page(text.encode("utf-8", "replace"), headers=TEXT_HEADERS))

    def identify_many(self, pages: Iterable[Page | bytes], threads: int | None = None) -> list[Verdict]:
        """Verdicts on many pages, in their order, on several threads (the kernel releases the GIL)."""
        whole = [page if isinstance(page, Page) else Page(page) for page in pages]
        if threads is None:
            threads = os.cpu_count() or 1
        if threads < 1:
            raise UsageError(f"threads is 1 or more, not {threads}")
        if threads == 1 or len(whole) <= CHUNK:
            return [pipeline.identify(page) for page in whole]
        chunks = [whole[i : i + CHUNK] for i in range(0, len(whole), CHUNK)]
        with ThreadPoolExecutor(threads) as pool:
            return [verdict for done in pool.map(_identify_chunk, chunks) for verdict in done]

    def identify_batch(self, columns: Mapping[str, Sequence[Any]], threads: int | None = None) -> dict[str, Any]:
        """Columns in, columns out: what a census, Spark or a service calls.

        In: ``raw`` and, if known, ``url``, ``headers`` and ``ip``, all of one length (None where a value is missing).
        Out: a list for each name in STRINGS, a NumPy array for each in NUMBERS.

        >>> out = Identifier().identify_batch({"raw": ["ქართული ენა".encode(), b"%PDF-1.4"]})
        >>> out["label"], out["reason"]
        (['kat_Geor', 'zxx'], ['', 'PDF document'])
        """
        import numpy as np  # here, since it takes longer to import than all of webtongue

        unknown = set(columns) - {"raw", "url", "headers", "ip"}
        if "raw" not in columns or unknown:
            raise UsageError(f"columns are raw, url, headers, ip; raw is needed; unknown: {sorted(unknown) or 'none'}")
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            raise UsageError(f"columns differ in length: {lengths}")
        names = list(columns)
        rows = zip(*columns.values(), strict=True)
        verdicts = self.identify_many((Page(**dict(zip(names, row, strict=True))) for row in rows), threads)
        out: dict[str, Any] = {name: [getattr(v, name) for v in verdicts] for name in STRINGS}
        out |= {name: np.array([getattr(v, name) for v in verdicts], dtype) for name, dtype in NUMBERS.items()}
        return out


def _identify_chunk(pages: list[Page]) -> list[Verdict]:
    return [pipeline.identify(page) for page in pages]
