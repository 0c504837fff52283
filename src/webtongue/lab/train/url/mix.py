"""Fit the weights of channels on domains held out of training, separately for each type of URL.

A model trusts domain names that it has seen in training more than new ones deserve. So the channels (structure and text of top
level domain, host, path and query) are weighted again on domains that training has not seen: on domains of countries and on generic
ones, for home pages and for other pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.url.features import CHANNELS, URL_TYPES, Rows
from webtongue.lab.train.url.fit import Fit, Priors

NEWTON_STEPS = 12  # the last ones change nothing
# Strength of the prior that a channel keeps its weight of training, in URLs: large domains differ too much for a weaker one.
RIDGE = 200.0
GENERIC_HOME = 3  # type of the URLs with invented names: see setting_of in native/url/model.cpp
MIN_WEIGHT, MAX_WEIGHT = 0.0, 4.0  # no negative and no unbounded weights
SMOOTHING_URLS = 1.0  # added to the count of each language


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights of the channels and offsets of the labels, by type of URL."""

    weights: NDArray[np.float64]  # URL_TYPES x CHANNELS
    offsets: NDArray[np.float64]  # URL_TYPES x labels

    @classmethod
    def neutral(cls, labels: int) -> Mix:
        """Return the weights of training: 1 for every channel, no offsets."""
        return cls(np.ones((URL_TYPES, CHANNELS)), np.zeros((URL_TYPES, labels)))

    def bias(self, bias: NDArray[np.float32], priors: Priors) -> NDArray[np.float64]:
        """Return the bias of each type of URL and label, with the final priors."""
        biases: NDArray[np.float64] = bias + priors.offsets + self.offsets
        return biases

    def logits(
        self, channel_scores: NDArray[np.float64], url_types: NDArray[np.uint8], bias: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return scores of URLs from the scores of their channels (CHANNELS x URLs x labels)."""
        logits: NDArray[np.float64] = np.einsum("vnk,nv->nk", channel_scores, self.weights[url_types]) + bias[url_types]
        return logits


def score_channels(fitted: Fit, rows: Rows) -> NDArray[np.float64]:
    """Return the score of each channel in nats: CHANNELS x URLs x labels."""
    by_channel = []
    for channel in range(CHANNELS):
        values = np.where(rows.channels == channel, rows.values, 0).astype(np.float32)
        by_channel.append(fitted.scores(Rows(rows.starts, rows.ids, rows.parts, values, rows.channels)) - fitted.bias)
    return np.stack(by_channel).astype(np.float64)


def fit_mix(
    bias: NDArray[np.float32],
    priors: Priors,
    channel_scores: NDArray[np.float64],
    url_types: NDArray[np.uint8],
    truth: NDArray[np.uint16],
    url_weights: NDArray[np.float64],
) -> Mix:
    """Return the weights of least loss on URLs whose domains the fit has not seen, for each type of URL.

    Only home pages of generic domains, which have few features, also get offsets towards the languages common among them.
    """
    mix = Mix.neutral(len(bias))
    for url_type in range(URL_TYPES):
        numbers = np.flatnonzero(url_types == url_type)
        columns = channel_scores[:, numbers].transpose(1, 2, 0)
        start = np.ones(CHANNELS)
        offsets = np.zeros(len(bias))
        if url_type == GENERIC_HOME:
            common = np.bincount(truth[numbers], url_weights[numbers], minlength=len(bias)) + SMOOTHING_URLS
            offsets = np.log(common / common.sum()) - priors.final
            offsets -= offsets.mean()
            same = np.broadcast_to(offsets[None, :, None], (len(numbers), len(offsets), 1))
            columns, start = np.concatenate([columns, same], axis=2), np.append(start, 0.0)
        weights = _fit_newton(columns, bias + priors.offsets, truth[numbers], url_weights[numbers], start)
        mix.weights[url_type] = weights[:CHANNELS]
        mix.offsets[url_type] = weights[CHANNELS:].sum() * offsets
    return mix


def _fit_newton(
    columns: NDArray[np.float64],
    base: NDArray[np.float64],
    truth: NDArray[np.uint16],
    url_weights: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the weights of columns (URLs x labels x columns) in a multinomial logistic model, regularised towards ``start``."""
    weights, ridge = start.copy(), RIDGE * np.eye(len(start))
    true_columns = columns[np.arange(len(truth)), truth]
    for _ in range(NEWTON_STEPS if len(truth) else 0):
        logits = columns @ weights + base
        probabilities = np.exp(logits - logits.max(1, keepdims=True))
        probabilities *= (url_weights / probabilities.sum(1))[:, None]
        means = np.einsum("nk,nkp->np", probabilities, columns)
        gradient = (means - url_weights[:, None] * true_columns).sum(0) + RIDGE * (weights - start)
        weighted = (columns * np.sqrt(probabilities)[:, :, None]).reshape(-1, len(start))
        hessian = weighted.T @ weighted - (means / url_weights[:, None]).T @ means
        weights = np.clip(weights - np.linalg.solve(hessian + ridge, gradient), MIN_WEIGHT, MAX_WEIGHT)
    return weights
