"""Steps of datatrove pipelines: language, main text, filters of quality, near duplicates.

A pipeline accepts plain functions as steps, so datatrove is not imported here:
``LocalPipelineExecutor(pipeline=[WarcReader(...), Identify(), ...])``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import webtongue
from webtongue import Identifier, Page
from webtongue.content.document import extract_document
from webtongue.content.duplicates import RecentHashes, minhash_bands
from webtongue.content.quality import NO_LIMITS, QualityLimits, measure_text

__all__ = ["DropNearDuplicates", "Extract", "FilterQuality", "Identify"]

BATCH_DOCUMENTS = 256


class Identify:
    """Adds the language to the metadata of documents, in order, and drops none.

    The keys are ``language`` (BCP 47), ``language_label``, ``language_script``, ``language_score`` (the confidence),
    ``language_reliable`` and ``language_reason``. ``identifier`` holds settings; ``url`` is the metadata key of the URL.
    Documents may be text or markup.

    >>> from types import SimpleNamespace
    >>> [document] = Identify()([SimpleNamespace(text="<p>Η βιβλιοθήκη είναι ανοιχτή", metadata={})])
    >>> document.metadata["language"], document.metadata["language_reason"]
    ('el', '')
    """

    # This is no dataclass, because datatrove logs the fields of dataclasses, and an Identifier holds a mapped model.
    def __init__(self, identifier: Identifier | None = None, url: str = "url", threads: int | None = 1) -> None:
        self.identifier, self.url = identifier, url
        self.threads = threads  # datatrove runs one process for each core

    def __repr__(self) -> str:
        return f"Identify({self.identifier!r}, url={self.url!r})"

    def __call__(self, data: Iterable[Any] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        documents = iter(data or ())
        identify = self.identifier.identify_batch if self.identifier is not None else webtongue.identify_batch
        while batch := list(islice(documents, BATCH_DOCUMENTS)):
            raw = [d.text.encode("utf-8", "replace") if isinstance(d.text, str) else d.text for d in batch]
            answers = identify({"raw": raw, "url": [d.metadata.get(self.url) for d in batch]}, self.threads)
            for i, document in enumerate(batch):
                for name in ("label", "script", "reason"):
                    document.metadata[f"language_{name}"] = answers[name][i]
                document.metadata["language"] = answers["language"][i]
                document.metadata["language_score"] = round(float(answers["confidence"][i]), 6)
                document.metadata["language_reliable"] = bool(answers["reliable"][i])
                yield document


class Extract:
    """Replaces the HTML of documents by their main text, and adds title, author, date, licences and language to the metadata.

    Documents without main text are dropped. ``markdown`` keeps headings, lists, tables, quotations and code.

    >>> from types import SimpleNamespace
    >>> [document] = Extract()([SimpleNamespace(text="<title>Ferry</title><nav>Home</nav><p>It sails at nine.", metadata={})])
    >>> document.text, document.metadata["title"], document.metadata["language_label"]
    ('It sails at nine.', 'Ferry', 'eng_Latn')
    """

    def __init__(self, identifier: Identifier | None = None, markdown: bool = False, url: str = "url") -> None:
        self.identifier, self.markdown, self.url = identifier, markdown, url

    def __repr__(self) -> str:
        return f"Extract({self.identifier!r}, markdown={self.markdown}, url={self.url!r})"

    def __call__(self, data: Iterable[Any] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        identifier = self.identifier or Identifier()
        for document in data or ():
            raw = document.text.encode("utf-8", "replace") if isinstance(document.text, str) else document.text
            content = extract_document(identifier.analyze(Page(raw, document.metadata.get(self.url))))
            document.text = content.markdown if self.markdown else content.text
            known = content.metadata
            document.metadata |= {
                "title": known.title, "author": known.author, "date": known.date, "licences": list(known.licences),
                "language": content.verdict.language, "language_label": content.verdict.label,
                "language_score": round(content.verdict.confidence, 6),
            }  # fmt: skip
            if document.text:
                yield document


class FilterQuality:
    """Adds the measures of `webtongue.content.quality` to the metadata, and drops documents outside of the limits.

    The limits are those of ``webtongue extract``; by default nothing is dropped. ``label`` is the metadata key of the language.
    """

    def __init__(self, limits: QualityLimits = NO_LIMITS, label: str = "language_label") -> None:
        self.limits, self.label = limits, label

    def __call__(self, data: Iterable[Any] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        for document in data or ():
            quality = measure_text(document.text, document.metadata.get(self.label, ""))
            document.metadata |= {name: getattr(quality, name) for name in quality.__dataclass_fields__}
            if self.limits.accept(quality):
                yield document


class DropNearDuplicates:
    """Drops documents that share most of their 5-grams of words with an earlier one of the same task.

    A table of ``2**bits`` hashes is kept, of eight bytes each; a document has eight of them.
    """

    def __init__(self, bits: int = 22) -> None:
        self.bits = bits

    def __call__(self, data: Iterable[Any] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        bands = RecentHashes(self.bits)
        for document in data or ():
            if not any([bands.add(key) for key in minhash_bands(document.text)]):
                yield document
