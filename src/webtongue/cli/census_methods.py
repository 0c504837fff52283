"""Published methods as identifiers of a census."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webtongue.census.methods import MethodAnswer
from webtongue.charset.names import resolve
from webtongue.errors import UsageError
from webtongue.lab import methods
from webtongue.lab.methods.base import UND
from webtongue.lab.methods.composite import MANNERS, Composite, extract
from webtongue.page import Page

__all__ = ["Answers"]

DIGEST_DIGITS = 12


class Answers:
    """A published method for a census: it answers pages, with the answer of each approach and the declarations.

    It is pickled by its settings.
    """

    def __init__(self, name: str, manner: str | None = None, model: str | None = None) -> None:
        if manner is not None and name != Composite.name:
            raise UsageError("--manner is an option of the method composite only")
        self._name, self._manner, self._model = name, manner, model
        self._method = methods.ready(name, Path(model) if model else None, {"manner": manner} if manner else {})

    def __reduce__(self) -> tuple[Any, ...]:
        return Answers, (self._name, self._manner, self._model)

    @property
    def description(self) -> str:
        """The name of the method, its manner if it has several, and its model file with a digest: it is written to the census."""
        manner = f", {self._manner or MANNERS[0]}" if isinstance(self._method, Composite) else ""
        if not self._model:
            return f"{self._name}{manner}"
        digest = hashlib.sha256(Path(self._model).read_bytes()).hexdigest()[:DIGEST_DIGITS]
        return f"{self._name}{manner}, {Path(self._model).name} {digest}"

    def __call__(self, pages: Sequence[Page]) -> list[MethodAnswer]:
        """Return the answer on each page."""
        return [self._answer(page) for page in pages]

    def _answer(self, page: Page) -> MethodAnswer:
        if isinstance(self._method, Composite):
            examined = self._method.examine(page)
            answer, approach, extracted = examined.answer, examined.approach, examined.extracted
            answers = {
                f"by_{name}": "" if found.label == UND else found.label for name, found in examined.by_approach.items()
            }
        else:
            answer, extracted, answers = self._method.answer(page), extract(page), {}
            approach = "" if answer.label == UND else self._name
        declared = resolve(extracted.encoding)
        return MethodAnswer(
            answer.label, approach, answer.reason, **answers, encoding=answer.encoding, text_bytes=len(extracted.text),
            declared_language=extracted.language, declared_encoding=declared.name if declared else "",
        )  # fmt: skip
