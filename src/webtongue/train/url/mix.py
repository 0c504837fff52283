"""How much each part of an address weighs: fitted on domains held out of training, one kind of address at a time.

A model that has seen a domain knows more by its name than it will know of another one. So what the top level domain, the host,
the path and the query say, by their structure and by their text, is weighed again where no domain was seen before: on the
domain of a country or on a generic one, for home pages and for those below them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.train.url.features import SETTINGS, VOICES, Rows
from webtongue.train.url.fit import Fit, Priors

STEPS = 12  # of Newton's method; the last ones change nothing
RIDGE = 20.0  # URLs' worth of belief that a part weighs what it weighed in training
NAMED = 4  # from this kind of address on a part names a language, and how common languages are there says little
LEAST, MOST = 0.0, 4.0  # no part speaks against itself, none is believed without end
SMOOTH = 1.0  # URLs of each language that a kind of address has before any is seen


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights of the voices and of the bias by kind of address, and what is added there for each label."""

    weights: NDArray[np.float64]  # SETTINGS x VOICES
    biases: NDArray[np.float64]  # SETTINGS
    leans: NDArray[np.float64]  # SETTINGS x labels

    @classmethod
    def plain(cls, labels: int) -> Mix:
        """Everything as it was in training."""
        return cls(np.ones((SETTINGS, VOICES)), np.ones(SETTINGS), np.zeros((SETTINGS, labels)))

    def bias(self, bias: NDArray[np.float32], priors: Priors) -> NDArray[np.float64]:
        """The bias of each label in each kind of address, priors as the model holds them."""
        out: NDArray[np.float64] = self.biases[:, None] * bias + priors.offsets + self.leans
        return out

    def logits(
        self, said: NDArray[np.float64], settings: NDArray[np.uint8], bias: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Scores of URLs from what their voices say (VOICES x URLs x labels)."""
        out: NDArray[np.float64] = np.einsum("vnk,nv->nk", said, self.weights[settings]) + bias[settings]
        return out


def voices_of(fitted: Fit, rows: Rows) -> NDArray[np.float64]:
    """What each voice says for each label, in nats: VOICES x URLs x labels."""
    out = []
    for voice in range(VOICES):
        values = np.where(rows.voices == voice, rows.values, 0).astype(np.float32)
        out.append(fitted.scores(Rows(rows.starts, rows.ids, rows.parts, values, rows.voices)) - fitted.bias)
    return np.stack(out).astype(np.float64)


def fit_mix(
    bias: NDArray[np.float32],
    priors: Priors,
    said: NDArray[np.float64],
    settings: NDArray[np.uint8],
    truth: NDArray[np.uint16],
    worth: NDArray[np.float64],
) -> Mix:
    """The weights of least loss on URLs whose domains the fit has not seen, one kind of address after the other.

    URLs are weighed as in training: how common languages are comes in afterwards, by the priors.
    """
    out = Mix.plain(len(bias))
    for setting in range(SETTINGS):
        which = np.flatnonzero(settings == setting)
        common = np.bincount(truth[which], worth[which], minlength=len(bias)) + SMOOTH
        lean = np.log(common / common.sum()) - priors.weighed
        lean = (lean - lean.mean()) * (setting < NAMED)
        columns = np.concatenate([said[:, which].transpose(1, 2, 0), _same(bias, which), _same(lean, which)], axis=2)
        start = np.array([1.0] * (VOICES + 1) + [0.0])
        found = _newton(columns, truth[which], worth[which], start)
        out.weights[setting], out.biases[setting] = found[:VOICES], found[VOICES]
        out.leans[setting] = found[VOICES + 1] * lean
    return out


def _same(row: NDArray[np.floating], which: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.broadcast_to(row.astype(np.float64)[None, :, None], (len(which), len(row), 1))


def _newton(
    columns: NDArray[np.float64],
    truth: NDArray[np.uint16],
    worth: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Weights of columns (URLs x labels x columns) in a multinomial logistic model, held near where they start."""
    found, ridge = start.copy(), RIDGE * np.eye(len(start))
    right = columns[np.arange(len(truth)), truth]
    for _ in range(STEPS if len(truth) else 0):
        logits = columns @ found
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances *= (worth / chances.sum(1))[:, None]
        means = np.einsum("nk,nkp->np", chances, columns)
        slope = (means - worth[:, None] * right).sum(0) + RIDGE * (found - start)
        weighed = (columns * np.sqrt(chances)[:, :, None]).reshape(-1, len(start))
        curve = weighed.T @ weighed - (means / worth[:, None]).T @ means
        found = np.clip(found - np.linalg.solve(curve + ridge, slope), LEAST, MOST)
    return found
