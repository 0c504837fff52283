"""Fit the URL model: multinomial logistic regression by AdaGrad, weights of URLs, ranking of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.features import Rows
from webtongue.lab.train.url.file import LANES
from webtongue.url.codes import web_share

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model before quantisation."""

    vocabulary: NDArray[np.uint64]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def scores(self, rows: Rows) -> NDArray[np.float32]:
        """Return the score in nats of each row and label."""
        scores = np.zeros((len(rows), LANES), np.float32)
        wide_weights, bias = _pad_lanes(self.weights), _pad_lanes(self.bias[None])[0]
        _kernel.predict_urls(rows.starts, rows.ids, rows.parts, rows.values, wide_weights, bias, scores)
        return scores[:, : len(self.bias)]


def fit(
    keys: NDArray[np.uint64],
    initial: NDArray[np.float32],
    rows: Rows,
    truth: NDArray[np.uint16],
    url_weights: NDArray[np.float32],
    config: UrlConfig,
    progress: Progress,
) -> Fit:
    """Return the model after passes of AdaGrad from the initial weights, in a new order each, with a falling rate."""
    count = initial.shape[1]
    weights = _pad_lanes(initial)
    sums = np.zeros_like(weights)
    bias, bias_sums = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    rng = np.random.default_rng(config.seed)
    for pass_index in range(config.passes):
        order = rng.permutation(len(rows)).astype(np.uint32)
        rate = config.rate * (1 - 0.8 * pass_index / config.passes)
        loss = _kernel.fit_urls(
            rows.starts, rows.ids, rows.parts, rows.values, order, truth, url_weights,
            rate, config.drop_host, config.drop_top, config.drop_domain, config.smooth, pass_index + 1, count,
            weights, sums, bias, bias_sums,
        )  # fmt: skip
        progress(f"pass {pass_index + 1}: loss {loss:.3f}")
    return Fit(keys, weights[:, :count], bias[:count])


def _pad_lanes(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a copy with as many columns as the kernel has lanes."""
    wide = np.zeros((len(weights), LANES), np.float32)
    wide[:, : weights.shape[1]] = weights
    return wide


def weigh_urls(
    groups: NDArray[np.int64], domains: NDArray[np.int64], gold: NDArray[np.bool_], config: UrlConfig
) -> NDArray[np.float64]:
    """Return the weight of each URL, 1 on average: more in small groups and with certain labels, less on domains with many URLs.

    A group is a language on generic domains, or on all others: a German .com is rarer than a German page, and with weights by
    language only, every .com became English.
    """
    group_sizes, domain_sizes = np.bincount(groups)[groups], np.bincount(domains)[domains]
    weights = group_sizes.astype(np.float64) ** -config.rarity * domain_sizes.astype(np.float64) ** -config.crowd
    weights[gold] *= config.gold_worth
    normalised: NDArray[np.float64] = weights / weights.mean()
    return normalised


@dataclass(frozen=True, slots=True)
class Priors:
    """Log priors of the languages: among the weighted URLs of training, and in the final model."""

    training: NDArray[np.float64]
    final: NDArray[np.float64]

    @property
    def offsets(self) -> NDArray[np.float64]:
        """Nats that are added to scores to move from the training priors to the final ones."""
        return self.final - self.training


def compute_priors(
    truth: NDArray[np.uint16], url_weights: NDArray[np.float64], languages: Sequence[str], share: float, min_urls: int
) -> Priors:
    """Return priors moved by ``share`` from those of the weighted URLs to the frequencies of languages.

    Of a language with less than ``min_urls`` the list says little: it is as frequent as on the web.
    """
    counts = np.bincount(truth, minlength=len(languages))
    weighted = np.bincount(truth, weights=url_weights, minlength=len(languages)) + 1.0
    weighed, frequent = np.log(weighted / weighted.sum()), np.log((counts + 1.0) / (counts + 1.0).sum())
    final = weighed + share * (frequent - weighed)
    for number in np.flatnonzero(counts < min_urls):
        final[number] = np.log(web_share(languages[int(number)]))
    return Priors(weighed, final - np.logaddexp.reduce(final))


def rank_features(fitted: Fit, weighted_rows: Sequence[tuple[Rows, float]]) -> NDArray[np.int64]:
    """Return the numbers of the features by how much they change scores on some rows, each set with its weight, best first."""
    squared_values = np.zeros(len(fitted.vocabulary))
    for rows, weight in weighted_rows:
        values = rows.values.astype(np.float64) ** 2
        squared_values += weight * np.bincount(rows.ids, weights=values, minlength=len(fitted.vocabulary))
    return np.argsort(-fitted.weights.var(axis=1) * squared_values, kind="stable")
