"""A datatrove pipeline step that adds the language to the metadata of documents.

A pipeline accepts plain functions as steps, so datatrove is not imported here:
``LocalPipelineExecutor(pipeline=[WarcReader(...), Identify(), ...])``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import webtongue
from webtongue import Identifier

__all__ = ["Identify"]

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
