"""The URL model: mapped into memory once, with the priors and the allowlist of an Identifier."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from webtongue import _kernel, files
from webtongue.errors import ModelError, UsageError
from webtongue.policy import LOG_SCALE, URL
from webtongue.records import dataclass
from webtongue.reference.domains import SUFFIXES
from webtongue.text.model import parse_language, parse_weight
from webtongue.url.codes import CODES, label_priors
from webtongue.url.scripts import label_in_script
from webtongue.verdict import Reason

__all__ = ["UrlModel", "UrlReader", "load", "reader"]

IMPOSSIBLE = -(1 << 28)  # log prior of a label that is never answered
MIN_LOG_PROBABILITY = round(LOG_SCALE * math.log(URL.min_probability))
DEFAULT = files.MODELS / "url.wtu"
ENGLISH_FLOOR, CODE_FLOOR = (round(LOG_SCALE * nats) for nats in (URL.english_floor_nats, URL.code_floor_nats))
MAX_PLAIN_ENGLISH = round(LOG_SCALE * math.log(URL.max_plain_english))
# Why a URL has no answer, as a code and in words; the index is the kernel's number (UrlReason in native/url/parts.hpp).
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
NOT_ALLOWED = len(REASONS) - 1
UNKNOWN_TIER = 2  # tier of a label that the text model does not have
MAX_GUESSES = 8  # guesses of a verdict on a URL


@dataclass(frozen=True)
class UrlModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    kernel: _kernel.UrlModel

    @cached_property
    def labels(self) -> list[str]:
        """The labels that can be answered, in the order of the kernel's label numbers."""
        return list(self.kernel.labels)

    @cached_property
    def label_by_language(self) -> dict[str, str]:
        """The label of each language."""
        return {label[:3]: label for label in reversed(self.labels)}

    @property
    def manifest(self) -> dict[str, Any]:
        """The origin of the model: sources, settings, sizes."""
        manifest: dict[str, Any] = json.loads(self.kernel.manifest)
        return manifest


@dataclass(frozen=True, slots=True)
class UrlReader:
    """A URL model with priors and an allowlist: the interface of the URL stage."""

    model: UrlModel
    labels: list[str]
    scripts: list[str]
    offsets: array[int]  # added to the model's own log priors, in 1/1024 nats
    tiers: list[int]  # tiers of the labels in the text model
    allowed: list[bool] | None = None  # True for each label of the allowlist; None without an allowlist

    @property
    def label_by_language(self) -> dict[str, str]:
        """The label of each language."""
        return self.model.label_by_language

    def label_of(self, number: int, url: str | None) -> str:
        """Return a label in the script that a URL names; with an allowlist, as it is."""
        label = self.labels[number]
        return label if self.allowed is not None else label_in_script(label, url)

    def classify(self, urls: list[str] | list[str | None]) -> tuple[Any, Any, Any]:
        """Return columns: numbers of the likeliest labels (-1: none), their log-probabilities, and reasons."""
        ids, logs, reasons = self.model.kernel.classify(urls, self.offsets, MIN_LOG_PROBABILITY)
        if self.allowed is not None:
            outside = [i >= 0 and not self.allowed[i] for i in ids.tolist()]
            reasons[outside] = NOT_ALLOWED
            ids[outside] = -1
        return ids, logs, reasons

    def classify_column(self, data: Any, starts: Any) -> tuple[Any, Any, Any, Any]:
        """Return columns for URLs in a buffer: label numbers, log-probabilities, hashes of hosts, and whether domains are national.

        ``starts`` has the offset of each URL and the end of the last one, as in a column of large strings of Arrow.
        """
        ids, logs, hosts, national = self.model.kernel.classify_column(data, starts, self.offsets, MIN_LOG_PROBABILITY)
        if self.allowed is not None:
            import numpy as np

            ids[~np.array([*self.allowed, True])[ids]] = -1  # the last entry is that of -1
        return ids, logs, hosts, national

    def log_prior(self, label: int) -> int:
        """Return the log prior of a label, in 1/1024 nats up to a constant."""
        return self.model.kernel.own_priors[label] + self.offsets[label]

    def rank(self, url: str | None, limit: int = MAX_GUESSES) -> tuple[int, list[int], list[int]]:
        """Return the reason (0: the first label is the answer), label numbers and log-probabilities, the likeliest first."""
        allowed = self.allowed
        count = limit if allowed is None else len(self.labels)
        reason, ids, logs = self.model.kernel.rank(url, self.offsets, MIN_LOG_PROBABILITY, count)
        if allowed is None:
            return reason, ids, logs
        if reason == 0 and not allowed[ids[0]]:
            reason = NOT_ALLOWED
        inside = [(i, log) for i, log in zip(ids, logs, strict=True) if allowed[i]][:limit]
        return reason, [i for i, _ in inside], [log for _, log in inside]


def open_kernel(memory: Any) -> _kernel.UrlModel:
    """Return the kernel's URL model for the bytes of a model file."""
    return _kernel.UrlModel(
        memory, SUFFIXES.read_bytes(), CODES.read_bytes(), *label_priors(),
        ENGLISH_FLOOR, MAX_PLAIN_ENGLISH, CODE_FLOOR, URL.code_evenness,
    )  # fmt: skip


@cache
def load(path: Path = DEFAULT) -> UrlModel:
    """Return the model in a file, which is mapped into memory once."""
    try:
        return UrlModel(path, open_kernel(files.map_model(path)))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be used as a URL model: {error}") from error


def reader(
    model: UrlModel,
    priors: str | Mapping[str, float],
    languages: Sequence[str] | None,
    tiers: Mapping[str, int] = MappingProxyType({}),
) -> UrlReader:
    """Return a model with priors and an allowlist; ``tiers`` are those of the text model, by label.

    "web" keeps the priors of training (the square root of how common a language is among URLs), "uniform" removes them, and a
    mapping replaces them by weights.
    """
    offsets = [round(LOG_SCALE * nats) for nats in _prior_offsets(model, priors)]
    allowed = None
    if languages is not None:
        codes = {parse_language(name).language for name in languages}
        allowed = [label.partition("_")[0] in codes for label in model.labels]
        penalty = round(LOG_SCALE * URL.outside_nats)
        outside = [value - penalty if any(allowed) else IMPOSSIBLE for value in offsets]
        offsets = [
            value if is_allowed else lowered
            for value, lowered, is_allowed in zip(offsets, outside, allowed, strict=True)
        ]
    scripts = [label.partition("_")[2] for label in model.labels]
    own_tiers = [tiers.get(label, UNKNOWN_TIER) for label in model.labels]
    return UrlReader(model, model.labels, scripts, array("i", offsets), own_tiers, allowed)


def _prior_offsets(model: UrlModel, priors: str | Mapping[str, float]) -> list[float]:
    """Return the offsets that turn the model's own log priors into the given ones, in nats."""
    model_priors = [value / LOG_SCALE for value in model.kernel.own_priors]
    if isinstance(priors, Mapping):
        weights: dict[str, float] = {}
        for name, weight in priors.items():
            language = parse_language(name).language
            weights[language] = weights.get(language, 0.0) + parse_weight(name, weight)
        floor = min((w for w in weights.values() if w > 0), default=1.0) / 1000
        shares = [max(weights.get(label.partition("_")[0], floor), floor) for label in model.labels]
        return [math.log(share) - prior for share, prior in zip(shares, model_priors, strict=True)]
    if priors == "uniform":
        return [-prior for prior in model_priors]
    if priors == "web":
        return [0.0] * len(model_priors)
    raise UsageError(f"priors are 'web', 'uniform' or a mapping of labels to weights, not {priors!r}")
