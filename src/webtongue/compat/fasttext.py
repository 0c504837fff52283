"""``load_model`` and ``predict`` of fastText, for its language models.

>>> load_model("lid.176.bin").predict("Wie spät ist es in Wien?")
(('__label__de',), array([1.]))
>>> load_model("lid.176.bin", scripts=True).predict("Wie spät ist es in Wien?")[0]
('__label__deu_Latn',)
"""

from __future__ import annotations

from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np

from webtongue import Identifier, Verdict
from webtongue.compat.answers import NORWEGIAN, rank_codes, rank_labels

__all__ = ["LanguageModel", "load_model"]


def __dir__() -> list[str]:
    return __all__


PREFIX = "__label__"
SPELLINGS = {**NORWEGIAN, "gsw": "als", "bua": "bxr", "egl": "eml"}  # lid.176 has Wikipedia's codes
MODEL_SUFFIX = ".wtm"


class LanguageModel:
    """A language model with the methods of fastText's."""

    def __init__(self, identifier: Identifier, scripts: bool) -> None:
        self._identifier = identifier
        self._scripts = scripts

    def predict(self, text: Any, k: int = 1, threshold: float = 0.0, on_unicode_error: str = "strict") -> Any:
        """Return the ``k`` best labels with a probability of at least ``threshold``, and an array of their probabilities.

        ``k=-1`` gives all of them. Labels that are no guess have the probability 0, in alphabetical order. A list of texts gives a
        list of lists of labels and a list of arrays. Text without a language is ``und`` or ``zxx``.
        """
        if k < 1 and k != -1:
            raise ValueError("k needs to be 1 or higher!")
        texts = text if isinstance(text, list) else [text]
        for line in texts:
            if isinstance(line, str) and "\n" in line:
                raise ValueError("predict processes one line at a time (remove '\\n')")
        answers = [self._select(verdict, k, threshold) for verdict in self._identifier.identify_texts(texts)]
        probabilities = [np.array([probability for _, probability in answer]) for answer in answers]
        if isinstance(text, list):
            return [[label for label, _ in answer] for answer in answers], probabilities
        return tuple(label for label, _ in answers[0]), probabilities[0]

    def get_labels(self) -> list[str]:
        """Return all labels of the model."""
        return list(self._labels)

    labels = property(get_labels)

    @cached_property
    def _labels(self) -> list[str]:
        names = rank_labels if self._scripts else _rank_spelt
        return sorted({PREFIX + names(Verdict(label, 1.0))[0][0] for label in self._identifier.labels})

    def _select(self, verdict: Verdict, k: int, threshold: float) -> list[tuple[str, float]]:
        ranked = rank_labels(verdict) if self._scripts else _rank_spelt(verdict)
        best = [(PREFIX + name, probability) for name, probability in ranked if probability >= threshold]
        if threshold <= 0 and (k == -1 or len(best) < k):
            known = {name for name, _ in best}
            best += [(name, 0.0) for name in self._labels if name not in known]
        return best if k == -1 else best[:k]


def _rank_spelt(verdict: Verdict) -> list[tuple[str, float]]:
    return rank_codes(verdict, SPELLINGS)


def load_model(path: str | PathLike[str], *, scripts: bool = False) -> LanguageModel:
    """Return the shipped model, or the one in ``path`` if that ends in ``.wtm``; models of fastText are not read.

    Labels are the codes of lid.176 (``__label__de``), or with ``scripts`` those of GlotLID and NLLB (``__label__deu_Latn``).
    """
    name = fspath(path)
    return LanguageModel(Identifier(model=name if name.endswith(MODEL_SUFFIX) else None), scripts)
