"""Fitting: multinomial logistic regression by AdaGrad, what each URL weighs, the features worth keeping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import Rows
from webtongue.train.url.file import LANES

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model before it is packed."""

    vocabulary: NDArray[np.uint64]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def scores(self, rows: Rows) -> NDArray[np.float32]:
        """Nats of each label for each row."""
        out = np.zeros((len(rows), LANES), np.float32)
        wide, bias = _widened(self.weights), _widened(self.bias[None])[0]
        _kernel.predict_urls(rows.starts, rows.ids, rows.parts, rows.values, wide, bias, out)
        return out[:, : len(self.bias)]


def fit(
    known: NDArray[np.uint64],
    start: NDArray[np.float32],
    rows: Rows,
    truth: NDArray[np.uint16],
    worth: NDArray[np.float32],
    config: UrlConfig,
    progress: Progress,
) -> Fit:
    """Passes of AdaGrad from the given weights, in a fresh order each, the rate falling."""
    count = start.shape[1]
    weights = _widened(start)
    sums = np.zeros_like(weights)
    bias, bias_sums = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    chance = np.random.default_rng(config.seed)
    for step in range(config.passes):
        order = chance.permutation(len(rows)).astype(np.uint32)
        rate = config.rate * (1 - 0.8 * step / config.passes)
        loss = _kernel.fit_urls(
            rows.starts, rows.ids, rows.parts, rows.values, order, truth, worth,
            rate, config.drop_host, config.drop_top, config.drop_domain, config.smooth, step + 1, count,
            weights, sums, bias, bias_sums,
        )  # fmt: skip
        progress(f"pass {step + 1}: loss {loss:.3f}")
    return Fit(known, weights[:, :count], bias[:count])


def _widened(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """A copy with as many columns as the kernel has lanes."""
    out = np.zeros((len(weights), LANES), np.float32)
    out[:, : weights.shape[1]] = weights
    return out


def worths(
    groups: NDArray[np.int64], domains: NDArray[np.int64], gold: NDArray[np.bool_], config: UrlConfig
) -> NDArray[np.float64]:
    """What each URL weighs, 1 on average: those of small groups and with sure labels more, those of crowded domains less.

    A group is a language on generic domains, or on all others: a German .com is rarer than a German page, and weighed by
    language alone every .com became English.
    """
    sizes, crowds = np.bincount(groups)[groups], np.bincount(domains)[domains]
    out = sizes.astype(np.float64) ** -config.rarity * crowds.astype(np.float64) ** -config.crowd
    out[gold] *= config.gold_worth
    found: NDArray[np.float64] = out / out.mean()
    return found


@dataclass(frozen=True, slots=True)
class Priors:
    """Log priors of the languages: as URLs were weighed, and as the model is to hold them."""

    weighed: NDArray[np.float64]
    held: NDArray[np.float64]

    @property
    def offsets(self) -> NDArray[np.float64]:
        """What is added to scores, in nats."""
        return self.held - self.weighed


def priors_of(truth: NDArray[np.uint16], worth: NDArray[np.float64], count: int, share: float) -> Priors:
    """Moved from the priors of the weighed URLs towards how common languages are among the URLs."""
    common = np.bincount(truth, minlength=count) + 1.0
    heavy = np.bincount(truth, weights=worth, minlength=count) + 1.0
    weighed, real = np.log(heavy / heavy.sum()), np.log(common / common.sum())
    return Priors(weighed, weighed + share * (real - weighed))


MADE_MOVED = 0.02  # what a feature that only made URLs have counts for


def worthiest(fitted: Fit, rows: Rows, most: int) -> NDArray[np.int64]:
    """Numbers of the features that move scores most on these rows, the first first."""
    moved = np.bincount(rows.ids, weights=rows.values.astype(np.float64) ** 2, minlength=len(fitted.vocabulary))
    spread = fitted.weights.var(axis=1)
    return np.argsort(-spread * (moved + MADE_MOVED), kind="stable")[:most]
