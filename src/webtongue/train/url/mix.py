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
RIDGE = 200.0  # URLs' worth of belief that a part weighs what it weighed in training: large domains differ too much for less
GENERIC_HOME = 3  # the kind of address that invented names are: see setting_of in native/url/model.cpp
LEAST, MOST = 0.0, 4.0  # no part speaks against itself, none is believed without end
SMOOTH = 1.0  # URLs of each language that a kind of address has before any is seen


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights of the voices by kind of address, and what is added there for each label."""

    weights: NDArray[np.float64]  # SETTINGS x VOICES
    leans: NDArray[np.float64]  # SETTINGS x labels

    @classmethod
    def plain(cls, labels: int) -> Mix:
        """Everything as it was in training."""
        return cls(np.ones((SETTINGS, VOICES)), np.zeros((SETTINGS, labels)))

    def bias(self, bias: NDArray[np.float32], priors: Priors) -> NDArray[np.float64]:
        """The bias of each label in each kind of address, priors as the model holds them."""
        out: NDArray[np.float64] = bias + priors.offsets + self.leans
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

    Only home pages of generic domains, which have little else to go by, also lean to the languages that are common among them.
    """
    out = Mix.plain(len(bias))
    for setting in range(SETTINGS):
        which = np.flatnonzero(settings == setting)
        columns = said[:, which].transpose(1, 2, 0)
        start = np.ones(VOICES)
        lean = np.zeros(len(bias))
        if setting == GENERIC_HOME:
            common = np.bincount(truth[which], worth[which], minlength=len(bias)) + SMOOTH
            lean = np.log(common / common.sum()) - priors.held
            lean -= lean.mean()
            same = np.broadcast_to(lean[None, :, None], (len(which), len(lean), 1))
            columns, start = np.concatenate([columns, same], axis=2), np.append(start, 0.0)
        found = _newton(columns, bias + priors.offsets, truth[which], worth[which], start)
        out.weights[setting] = found[:VOICES]
        out.leans[setting] = found[VOICES:].sum() * lean
    return out


def _newton(
    columns: NDArray[np.float64],
    base: NDArray[np.float64],
    truth: NDArray[np.uint16],
    worth: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Weights of columns (URLs x labels x columns) in a multinomial logistic model, held near where they start."""
    found, ridge = start.copy(), RIDGE * np.eye(len(start))
    right = columns[np.arange(len(truth)), truth]
    for _ in range(STEPS if len(truth) else 0):
        logits = columns @ found + base
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances *= (worth / chances.sum(1))[:, None]
        means = np.einsum("nk,nkp->np", chances, columns)
        slope = (means - worth[:, None] * right).sum(0) + RIDGE * (found - start)
        weighed = (columns * np.sqrt(chances)[:, :, None]).reshape(-1, len(start))
        curve = weighed.T @ weighed - (means / worth[:, None]).T @ means
        found = np.clip(found - np.linalg.solve(curve + ridge, slope), LEAST, MOST)
    return found
