"""A published method under the face that peers have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from webtongue import labels, methods
from webtongue.errors import UsageError
from webtongue.evaluate.peers import Answer, Peer
from webtongue.methods.base import label_parts

__all__ = ["Published"]


class Published(Peer):
    """A method by its name, with the model that ships, or by its model file."""

    def __init__(self, wanted: str) -> None:
        is_file = wanted.endswith(methods.SUFFIX)
        self.method = methods.load(Path(wanted)) if is_file else methods.ready(wanted)
        if self.method.of_urls:
            raise UsageError(f"{wanted} reads addresses, and the sets that are scored here have none")
        self.name = f"{self.method.name} ({Path(wanted).name})" if is_file else self.method.name  # type: ignore[misc]
        super().__init__()

    def codes(self) -> Iterable[str]:
        return sorted({label_parts(label)[0] for label in self.method.labels})

    def call(self, text: str) -> Any:
        return self.method.answer(text)

    def read(self, reply: Any) -> Answer:
        return Answer(reply.label if reply.label in labels.SPECIAL else str(labels.fold(reply.label)))

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        return [self.read(reply) for reply in self.method.answer_many(texts)]
