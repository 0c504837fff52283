"""A step for pipelines of datatrove: every document is told its language.

A pipeline takes plain functions beside its own steps, so nothing of datatrove is imported here:
``LocalPipelineExecutor(pipeline=[WarcReader(...), Identify(), ...])``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import webtongue
from webtongue import Identifier

__all__ = ["Identify"]

DOCUMENTS = 256  # at a time


class Identify:
    """Puts ``language`` (BCP 47), ``language_label``, ``language_script``, ``language_score`` (how sure), ``language_reliable`` and
    ``language_reason`` into the metadata of documents, in their order, and drops none.

    ``identifier`` holds settings; ``url`` names the metadata that has the address. Text and markup are told apart.

    >>> from types import SimpleNamespace
    >>> [document] = Identify()([SimpleNamespace(text="<p>Η βιβλιοθήκη είναι ανοιχτή", metadata={})])
    >>> document.metadata["language"], document.metadata["language_reason"]
    ('el', '')
    """

    # No dataclass: datatrove writes those to its log field by field, and an Identifier holds a mapped model.
    def __init__(self, identifier: Identifier | None = None, url: str = "url", threads: int | None = 1) -> None:
        self.identifier, self.url = identifier, url
        self.threads = threads  # datatrove runs a process for each core

    def __repr__(self) -> str:
        return f"Identify({self.identifier!r}, url={self.url!r})"

    def __call__(self, data: Iterable[Any] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        documents = iter(data or ())
        identify = self.identifier.identify_batch if self.identifier is not None else webtongue.identify_batch
        while some := list(islice(documents, DOCUMENTS)):
            raw = [d.text.encode("utf-8", "replace") if isinstance(d.text, str) else d.text for d in some]
            found = identify({"raw": raw, "url": [d.metadata.get(self.url) for d in some]}, self.threads)
            for i, document in enumerate(some):
                for name in ("label", "script", "reason"):
                    document.metadata[f"language_{name}"] = found[name][i]
                document.metadata["language"] = found["language"][i]
                document.metadata["language_score"] = round(float(found["confidence"][i]), 6)
                document.metadata["language_reliable"] = bool(found["reliable"][i])
                yield document
