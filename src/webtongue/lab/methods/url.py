"""The URL model of webtongue behind the interface of the published methods, to compare it with them. It is not published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.identifier import Identifier
from webtongue.lab.methods.base import Answer, Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, get_url
from webtongue.policy import LOG_SCALE
from webtongue.url.model import REASONS, UrlReader

__all__ = ["Url", "UrlSettings"]

LOWEST_LOG = -30.0  # log-probability of labels that the model does not rank


@dataclass(frozen=True, slots=True)
class UrlSettings:
    priors: str = "web"  # or "uniform"


@dataclass(frozen=True)
class Url(Method):
    """The model that `webtongue url` uses. Scores are log probabilities."""

    name: ClassVar[str] = "url"
    reads_urls: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"url"})
    learns: ClassVar[bool] = False

    settings: UrlSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: Any) -> Self:
        """Return the method with the shipped model; ``webtongue.lab.train.url`` trains another."""
        return cls(settings, tuple(Identifier(settings.priors).url_reader.labels))

    def row(self, document: Document) -> NDArray[np.float64] | None:
        reason, numbers, logs = self._reader.rank(get_url(document), len(self.labels))
        if reason:
            return None
        row = np.full(len(self.labels), LOWEST_LOG)
        row[numbers] = np.array(logs) / LOG_SCALE
        return row

    def answer(self, document: Document) -> Answer:
        """Return the likeliest label, in the script that the URL names, or ``und`` with the model's reason."""
        url = get_url(document)
        reason, numbers, logs = self._reader.rank(url, 1)
        if reason:
            return Answer("und", reason=self.find_missing(document) or REASONS[reason][1])
        return Answer(self._reader.label_of(numbers[0], url), logs[0] / LOG_SCALE)

    @property
    def _reader(self) -> UrlReader:
        return Identifier(self.settings.priors).url_reader
