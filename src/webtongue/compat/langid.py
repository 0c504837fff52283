"""The functions of langid and py3langid.

Scores are natural logarithms of probabilities, or with ``norm_probs`` the probabilities. Where langid answers English for
a text without letters, the answer is ``und``; for code and data it is ``zxx``, as with py3langid.

>>> classify("Wie spät ist es in Wien?")[0], LanguageIdentifier.from_modelstring(model, norm_probs=True).classify("123")
('de', ('und', 0.0))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from webtongue import Identifier, UsageError
from webtongue.compat.answers import NORWEGIAN, rank_codes, spell_label

__all__ = ["MODEL_FILE", "LanguageIdentifier", "classify", "model", "rank", "set_languages"]


def __dir__() -> list[str]:
    return __all__


model = b""  # langid's name for its model: here it stands for the one that is shipped
MODEL_FILE = ""  # py3langid's name for it
MIN_PROBABILITY = 2.0**-30  # the logarithm of the score is that of at least this


class LanguageIdentifier:
    """A classifier whose languages can be restricted. The model file is one of webtongue, empty for the shipped one."""

    def __init__(
        self, model_file: str | Path = MODEL_FILE, norm_probs: bool = False, min_confidence: float | None = None
    ) -> None:
        if min_confidence is not None and not norm_probs:
            raise ValueError("min_confidence requires norm_probs=True")
        self._model = str(model_file) or None
        self._norm_probs = norm_probs
        self.min_confidence = min_confidence
        self._identifier = Identifier(model=self._model)
        self._all = sorted({spell_label(label, NORWEGIAN) for label in self._identifier.labels})
        self.nb_classes = self._all

    @classmethod
    def from_model_file(cls, model_file: str | Path, *args: Any, **kwargs: Any) -> LanguageIdentifier:
        """Return a classifier with a model file of webtongue, such as :data:`MODEL_FILE`."""
        return cls(model_file, *args, **kwargs)

    from_modelpath = from_pickled_model = from_model_file

    @classmethod
    def from_modelstring(cls, string: bytes, *args: Any, **kwargs: Any) -> LanguageIdentifier:
        """Return a classifier with the shipped model, which :data:`model` stands for."""
        if string != model:
            raise UsageError(
                "models of langid cannot be read: pass webtongue.compat.langid.model, or a file to from_modelpath"
            )
        return cls(MODEL_FILE, *args, **kwargs)

    @property
    def labels(self) -> list[str]:
        """The codes that may be answered, beside ``und`` and ``zxx``."""
        return list(self.nb_classes)

    def set_languages(self, langs: Iterable[str] | None = None) -> None:
        """Restrict answers to some codes, or allow all of them with None; raise ValueError for an unknown code."""
        wanted = self._all if langs is None else sorted(set(langs))
        if unknown := [code for code in wanted if code not in self._all]:
            raise ValueError(f"Unknown language code(s): {', '.join(unknown)}")
        if not wanted:
            raise ValueError("set_languages needs at least one language code, or None for all")
        self._identifier = Identifier(model=self._model, languages=None if langs is None else wanted)
        self.nb_classes = wanted

    def classify(self, text: str | bytes) -> tuple[str, float]:
        """Return the code of the likeliest language and its score."""
        code, probability = self._rank(text)[0]
        if self.min_confidence is not None and probability < self.min_confidence:
            code = "und"
        return code, self._score(probability)

    def rank(self, text: str | bytes) -> list[tuple[str, float]]:
        """Return all codes with their scores, best first; unlikely ones share the lowest score."""
        ranked = dict(self._rank(text))
        ranked.update((code, 0.0) for code in self.nb_classes if code not in ranked)
        return [(code, self._score(probability)) for code, probability in ranked.items()]

    def _rank(self, text: str | bytes) -> list[tuple[str, float]]:
        decoded = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        return rank_codes(self._identifier.identify_text(decoded), NORWEGIAN)

    def _score(self, probability: float) -> float:
        return probability if self._norm_probs else math.log(max(probability, MIN_PROBABILITY))


_identifiers: list[LanguageIdentifier] = []


def _default() -> LanguageIdentifier:
    if not _identifiers:
        _identifiers.append(LanguageIdentifier())
    return _identifiers[0]


def classify(instance: str | bytes) -> tuple[str, float]:
    """Return the code of the likeliest language and its score."""
    return _default().classify(instance)


def rank(instance: str | bytes) -> list[tuple[str, float]]:
    """Return all codes with their scores, best first."""
    return _default().rank(instance)


def set_languages(langs: Iterable[str] | None = None) -> None:
    """Restrict the answers of this module's functions to some codes, or allow all of them with None."""
    _default().set_languages(langs)
