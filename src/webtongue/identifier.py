"""The object that holds settings and answers: immutable, shared by threads, picklable."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webtongue import pipeline
from webtongue.errors import UsageError
from webtongue.page import Page
from webtongue.text.model import DEFAULT, Reader, load, reader
from webtongue.url import identify_url, identify_urls, with_anchor
from webtongue.url import model as url_model
from webtongue.verdict import Verdict

__all__ = ["Identifier"]

CHUNK = 32  # pages handed to a thread at a time
STRINGS = ("label", "language", "script", "encoding", "reason", "declared_language", "declared_encoding")
NUMBERS = {"confidence": "f4", "encoding_confidence": "f4", "reliable": "?", "tier": "u1"}


@dataclass(frozen=True, slots=True)
class Identifier:
    """Says what pages are in. Immutable, shared by threads, pickled by its settings.

    ``priors``: "web" weighs languages by how common they are online, so that a thousand rare ones do not take pages from
    the common; "uniform" is for sentences that may be in any language; or a mapping of labels to weights.
    ``languages``: labels or tags that may be answered, None for all. ``model``: a model file, None for the one shipped.

    >>> Identifier(languages=["da", "nb", "sv"]).identify_text("Var ligger biblioteket, och när öppnar det?").language
    'sv'
    """

    priors: str | Mapping[str, float] = "web"
    languages: Sequence[str] | None = None
    model: str | None = None
    reader: Reader = field(init=False, repr=False, compare=False)
    _urls: list[url_model.UrlReader] = field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.languages, str):
            raise TypeError("languages is a list of labels or tags, not one string")
        loaded = load(Path(self.model) if self.model else DEFAULT)
        object.__setattr__(self, "reader", reader(loaded, self.priors, self.languages))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Identifier, (self.priors, self.languages, self.model))

    @property
    def labels(self) -> list[str]:
        """Every label that can be answered."""
        return list(self.reader.model.labels)

    @property
    def tiers(self) -> dict[str, int]:
        """How far each label can be trusted: 1 verified on modern text, 2 plausible, 3 scripture or declarations only."""
        return dict(zip(self.reader.model.labels, self.reader.model.tiers, strict=True))

    def identify(
        self, raw: bytes, url: str | None = None, headers: Mapping[str, str] | None = None, ip: str | None = None
    ) -> Verdict:
        """The verdict on one page, from its bytes and what is known of where they came from."""
        if type(raw) is bytes and url is None and headers is None and ip is None:
            return pipeline.identify(raw, self.reader)
        return pipeline.identify(Page(raw, url, headers, ip), self.reader)  # type: ignore[arg-type]

    def identify_page(self, page: Page) -> Verdict:
        """The verdict on a page that is made already."""
        return pipeline.identify(page, self.reader)

    def identify_text(self, text: str) -> Verdict:
        """The verdict on text that is decoded already: no markup is looked for."""
        if not isinstance(text, str):
            raise TypeError(f"text is str, not {type(text).__name__}; bytes go to identify()")
        return pipeline.identify_text(text, self.reader)

    @property
    def url_reader(self) -> url_model.UrlReader:
        """The URL model with this Identifier's priors and languages; loaded when first asked for."""
        if not self._urls:
            self._urls.append(url_model.reader(url_model.load(), self.priors, self.languages))
        return self._urls[0]

    def identify_url(self, url: str, ip: str | None = None, anchor: str | None = None) -> Verdict:
        """The verdict on a page by its URL alone, and the words of a link to it where they are known.

        >>> Identifier().identify_url("https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/").language
        'de'
        """
        if not isinstance(url, str):
            raise TypeError(f"a URL is str, not {type(url).__name__}")
        verdict = identify_url(url, self.url_reader, ip)
        if anchor:
            return with_anchor(verdict, self.url_reader, anchor, self.identify_text(anchor).guesses)
        return verdict

    def identify_urls(self, urls: Iterable[str]) -> list[Verdict]:
        """Verdicts on many URLs, in their order."""
        if isinstance(urls, str):
            raise TypeError("identify_urls takes many URLs; one goes to identify_url()")
        return identify_urls(list(urls), self.url_reader)

    def classify_urls(self, urls: Sequence[str]) -> dict[str, Any]:
        """Columns of many URLs: ``label`` and ``reason`` as lists, ``confidence`` as an array."""
        import numpy as np

        ids, logs, reasons = self.url_reader.classify(list(urls))
        names = [*self.url_reader.labels, "und"]  # -1 is the last
        said = url_model.REASONS
        return {
            "label": [names[i] for i in ids.tolist()],
            "confidence": np.where(ids >= 0, np.exp(logs / url_model.NATS), 0.0).astype("f4"),
            "reason": [said[reason] for reason in reasons.tolist()],
        }

    def classify(self, text: str) -> str:
        """The likeliest label of a text and nothing else; ``und`` where no letter says anything."""
        try:
            return self.reader.brief.classify(text) or "und"
        except UnicodeEncodeError:  # lone surrogates
            return self.reader.brief.classify(text.encode("utf-8", "replace")) or "und"

    def classify_many(self, texts: Sequence[str]) -> tuple[list[str], list[float]]:
        """The likeliest label of each text and its probability; ``und`` for what a Verdict would call no language."""
        try:
            labels, sure = self.reader.brief.classify_many(list(texts))
        except UnicodeEncodeError:
            labels, sure = self.reader.brief.classify_many([text.encode("utf-8", "replace") for text in texts])
        return [label or "und" for label in labels], sure

    def identify_many(self, pages: Iterable[Page | bytes], threads: int | None = None) -> list[Verdict]:
        """Verdicts on many pages, in their order, on several threads (the kernel releases the GIL)."""
        whole = [page if isinstance(page, Page) else Page(page) for page in pages]
        if threads is None:
            threads = os.cpu_count() or 1
        if threads < 1:
            raise UsageError(f"threads is 1 or more, not {threads}")
        if threads == 1 or len(whole) <= CHUNK:
            return [pipeline.identify(page, self.reader) for page in whole]
        chunks = [whole[i : i + CHUNK] for i in range(0, len(whole), CHUNK)]
        from concurrent.futures import ThreadPoolExecutor  # here, since importing it takes a tenth of the whole

        with ThreadPoolExecutor(threads) as pool:
            return [verdict for done in pool.map(self._identify_chunk, chunks) for verdict in done]

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

    def _identify_chunk(self, pages: list[Page]) -> list[Verdict]:
        return [pipeline.identify(page, self.reader) for page in pages]
