"""Evaluate a published method through the interface of peers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.lab import methods
from webtongue.lab.documents import TEXT, URL
from webtongue.lab.evaluate.peers import Answer, Peer
from webtongue.lab.evaluate.sets import Item
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.document import Document

__all__ = ["Published"]


class Published(Peer):
    """A published method, by its name with the model that ships, or by its model file."""

    def __init__(self, name_or_path: str) -> None:
        is_file = name_or_path.endswith(methods.SUFFIX)
        self.method = methods.load(Path(name_or_path)) if is_file else methods.ready(name_or_path)
        self.name = f"{self.method.name} ({Path(name_or_path).name})" if is_file else self.method.name  # type: ignore[misc]
        super().__init__()

    def codes(self) -> Iterable[str]:
        return sorted({split_label(label)[0] for label in self.method.labels})

    def find_obstacle(self, kind: str) -> str:
        """Return why the method cannot be scored on items of a kind, empty if it can."""
        if self.method.reads_urls:
            if kind == URL and "url" not in self.method.reads:
                return "it reads IP addresses, and the set has URLs"
            return "it reads URLs, and the set has texts" if kind == TEXT else ""
        return super().find_obstacle(kind)

    def get_input(self, item: Item) -> Document:
        """Return the page with all that is known of it, for methods that read bytes or declarations; else the text or URL."""
        return item.page or item.text

    def call(self, text: Document) -> Any:
        return self.method.answer(text)

    def read(self, reply: Any) -> Answer:
        return Answer(reply.label if reply.label in labels.SPECIAL else str(labels.fold(reply.label)))

    def predict(self, texts: Sequence[Document]) -> list[Answer]:
        return [self.read(reply) for reply in self.method.answer_many(texts)]
