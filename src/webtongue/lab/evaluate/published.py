"""Evaluate a published method through the interface of peers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.errors import UsageError
from webtongue.lab import methods
from webtongue.lab.evaluate.peers import Answer, Peer
from webtongue.lab.methods.base import split_label

__all__ = ["Published"]


class Published(Peer):
    """A published method, by its name with the model that ships, or by its model file."""

    def __init__(self, name_or_path: str) -> None:
        is_file = name_or_path.endswith(methods.SUFFIX)
        self.method = methods.load(Path(name_or_path)) if is_file else methods.ready(name_or_path)
        if self.method.reads_urls:
            raise UsageError(f"{name_or_path} reads URLs, which the test sets do not have")
        self.name = f"{self.method.name} ({Path(name_or_path).name})" if is_file else self.method.name  # type: ignore[misc]
        super().__init__()

    def codes(self) -> Iterable[str]:
        return sorted({split_label(label)[0] for label in self.method.labels})

    def call(self, text: str) -> Any:
        return self.method.answer(text)

    def read(self, reply: Any) -> Answer:
        return Answer(reply.label if reply.label in labels.SPECIAL else str(labels.fold(reply.label)))

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        return [self.read(reply) for reply in self.method.answer_many(texts)]
