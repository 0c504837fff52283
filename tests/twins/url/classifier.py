"""The readable twin of native/url/classifier.cpp: the words' model, top level domain and codes in one score per label."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.twins.url.features import setting
from tests.twins.url.model import UrlModel

LOG_SCALE = 1024


@dataclass(frozen=True, slots=True)
class UrlClassifier:
    model: UrlModel
    labels: list[str]  # of the model, then others
    priors: list[int]
    code_priors: list[int]
    english_floor: int
    code_floor: int

    def totals(self, url: str) -> dict[str, float] | None:
        """Return the score of every label that the URL is evidence for, up to a constant and some rounding."""
        scores = self.model.scores(url)
        if scores is None:
            return None
        bias, top, words = (part / LOG_SCALE for part in scores)
        count = len(bias)
        _, found = self.model.read(url)
        regional: dict[str, float] = {}
        for row in (*found.tld, *found.script):
            if row.label in self.labels[:count]:
                top[self.labels.index(row.label)] += row.values[0] / 100
            else:
                regional[row.label] = regional.get(row.label, 0.0) + row.values[0] / 100
        if found.mentions or setting(url.encode()) % 2 == 0:  # a code or a country's domain
            words = np.maximum(words, words[self.labels.index("eng_Latn")] + self.english_floor / LOG_SCALE)
        priors = np.array(self.priors) / LOG_SCALE
        known = bias + top + words - priors[:count]
        average, level = _log_sum(bias + top + words), _log_sum(bias + top) + sorted(words)[count // 2]
        codes: dict[str, float] = {}
        for place, meanings in found.mentions:
            for row in meanings:
                if row.values[place]:
                    odds = math.log(row.values[place] / (1000 - row.values[place]))
                    nats = odds - self.code_priors[self.labels.index(row.label)] / LOG_SCALE
                    codes[row.label] = max(codes.get(row.label, nats), nats)
        evidence = dict(zip(self.labels[:count], known, strict=True))
        evidence |= {label: level + regional.get(label, 0.0) for label in (*regional, *codes) if label not in evidence}
        for label, nats in codes.items():
            evidence[label] = max(evidence[label], average + self.code_floor / LOG_SCALE) + nats
        return {label: value + priors[self.labels.index(label)] for label, value in evidence.items()}


def _log_sum(logs: np.ndarray) -> float:
    return float(np.logaddexp.reduce(logs))
