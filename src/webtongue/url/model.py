"""The URL model as an Identifier holds it: mapped into memory once, with priors and limits."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from webtongue import _kernel, files
from webtongue.errors import ModelError, UsageError
from webtongue.hints.domain import SUFFIXES
from webtongue.text.model import known_label, weight_of
from webtongue.verdict import Reason

__all__ = ["NATS", "UrlModel", "UrlReader", "load", "reader"]

NATS = 1024
IMPOSSIBLE = -(1 << 28)
# An answer that is wrong three times in four is none: home pages of names that say nothing, mostly (docs/url.md).
LEAST_CHANCE = 0.25
LEAST_LOG = round(NATS * math.log(LEAST_CHANCE))
DEFAULT = files.MODELS / "url.wtu"
NAMES = files.DATA / "address_names.tsv"
# By the kernel's numbers (native/url/parts.hpp): why a URL has no answer, as a code and in words.
REASONS: tuple[tuple[Reason, str], ...] = (
    (Reason.NONE, ""),
    (Reason.EMPTY, "empty"),
    (Reason.NOT_A_URL, "not a URL"),
    (Reason.NOT_A_PAGE, "not the address of a page"),
    (Reason.SAYS_NOTHING, "the URL says nothing"),
    (Reason.NOT_TEXT, "not text: lone surrogates"),
    (Reason.TOO_LONG, "too long to be the address of a page"),
    (Reason.USER_NAME, "holds a user name"),
    (Reason.IPV6_HOST, "the host is an IPv6 address"),
    (Reason.MISSING, "no URL was given"),
    (Reason.SAYS_NOTHING, "no URL is known to be in a language asked for"),
    (Reason.SAYS_NOTHING, "the URL says too little"),
    (Reason.NOT_ASKED, "not one of the languages asked for"),
)
NOT_ASKED = len(REASONS) - 1
# Nats by which languages outside of a list are lowered: half of what they are in text, since a URL says less.
OUTSIDE = 2.0
UNKNOWN_TIER = 2  # of a label that the text model in use does not have


@dataclass(frozen=True)
class UrlModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    kernel: _kernel.UrlModel

    @cached_property
    def labels(self) -> list[str]:
        """Every label that can be answered, by the kernel's numbers."""
        return list(self.kernel.labels)

    @property
    def manifest(self) -> dict[str, Any]:
        """Where the model comes from: sources, settings, sizes."""
        found: dict[str, Any] = json.loads(self.kernel.manifest)
        return found


@dataclass(frozen=True, slots=True)
class UrlReader:
    """A model with priors and limits: what the URL stage calls."""

    model: UrlModel
    labels: list[str]
    scripts: list[str]
    offsets: array[int]
    tiers: list[int]  # of the text that the text model's label of the same name learnt from
    asked: list[bool] | None = None  # which labels a list of languages has; None: all

    def classify(self, urls: list[str] | list[str | None]) -> tuple[Any, Any, Any]:
        """Columns: numbers of the likeliest labels (-1: none), their log-probabilities, and reasons."""
        ids, logs, reasons = self.model.kernel.classify(urls, self.offsets, LEAST_LOG)
        if self.asked is not None:
            outside = [i >= 0 and not self.asked[i] for i in ids.tolist()]
            reasons[outside] = NOT_ASKED
            ids[outside] = -1
        return ids, logs, reasons

    def log_prior(self, label: int) -> int:
        """How common a label is taken to be, as the log of a weight."""
        return self.model.kernel.own_priors[label] + self.offsets[label]

    def scores(self, url: str) -> dict[str, float]:
        """Log-probabilities in nats of all labels, asked for or not; none where the URL says nothing."""
        ids, logs = self.ranked(url)
        return {self.labels[i]: log / NATS for i, log in zip(ids, logs, strict=True)}

    def ranked(self, url: str) -> tuple[list[int], list[int]]:
        """The same as the kernel has them: numbers of labels, and logs in 1/1024 nats."""
        _, ids, logs = self.model.kernel.rank(url, self.offsets, LEAST_LOG, len(self.labels))
        return ids, logs

    def rank(self, url: str | None, most: int = 8) -> tuple[int, list[int], list[int]]:
        """Reason (0: the first label is the answer), labels and log-probabilities, the likeliest first."""
        asked = self.asked
        many = most if asked is None else len(self.labels)
        reason, ids, logs = self.model.kernel.rank(url, self.offsets, LEAST_LOG, many)
        if asked is None:
            return reason, ids, logs
        if reason == 0 and not asked[ids[0]]:
            reason = NOT_ASKED
        kept = [(i, log) for i, log in zip(ids, logs, strict=True) if asked[i]][:most]
        return reason, [i for i, _ in kept], [log for _, log in kept]


@cache
def load(path: Path = DEFAULT) -> UrlModel:
    """Map a model file; the same path gives the same model."""
    try:
        return UrlModel(path, _kernel.UrlModel(files.contents(path), SUFFIXES.read_bytes(), NAMES.read_bytes()))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a URL model that can be used: {error}") from error


def reader(
    model: UrlModel,
    priors: str | Mapping[str, float],
    languages: Sequence[str] | None,
    tiers: Mapping[str, int] = MappingProxyType({}),
) -> UrlReader:
    """A model made ready; ``tiers`` by label, as the text model has them.

    "web" keeps the priors the model has learnt with (the square root of how common a language is among the URLs);
    "uniform" takes them off, a mapping puts weights in their place.
    """
    offsets = [round(NATS * nats) for nats in _nats(model, priors)]
    asked = None
    if languages is not None:
        wanted = {known_label(name).language for name in languages}
        asked = [label.partition("_")[0] in wanted for label in model.labels]
        lower = round(NATS * OUTSIDE)
        outside = [value - lower if any(asked) else IMPOSSIBLE for value in offsets]
        offsets = [value if ok else other for value, other, ok in zip(offsets, outside, asked, strict=True)]
    scripts = [label.partition("_")[2] for label in model.labels]
    known = [tiers.get(label, UNKNOWN_TIER) for label in model.labels]
    return UrlReader(model, model.labels, scripts, array("i", offsets), known, asked)


def _nats(model: UrlModel, priors: str | Mapping[str, float]) -> list[float]:
    own = [value / NATS for value in model.kernel.own_priors]
    if isinstance(priors, Mapping):
        weights: dict[str, float] = {}
        for name, weight in priors.items():
            language = known_label(name).language
            weights[language] = weights.get(language, 0.0) + weight_of(name, weight)
        least = min((w for w in weights.values() if w > 0), default=1.0) / 1000
        shares = [max(weights.get(label.partition("_")[0], least), least) for label in model.labels]
        return [math.log(share) - prior for share, prior in zip(shares, own, strict=True)]
    if priors == "uniform":
        return [-prior for prior in own]
    if priors == "web":
        return [0.0] * len(own)
    raise UsageError(f"priors are 'web', 'uniform' or a mapping of labels to weights, not {priors!r}")
