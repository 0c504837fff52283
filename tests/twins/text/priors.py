"""How much priors count: the readable twin of Priors::weight in native/text/priors.cpp."""

from __future__ import annotations

from dataclasses import dataclass

FULL = 1024
MIN_LOW_SCORE = 512
MAX_FIT = 1 << 20
FIT_FEATURES = 1000  # of a text of which half the fit is enough


@dataclass(frozen=True)
class Fade:
    """Features at which priors count half, and the fits between which fading sets in, in 1/1024 of a label's low score."""

    half_features: int
    min_fit: int
    full_fit: int


def weigh_prior(fade: Fade, low_score: int, score: int, features: int) -> int:
    """Return the weight of priors in 1/1024 for a text whose best label has this score."""
    if not fade.half_features:
        return FULL
    low = max(low_score, MIN_LOW_SCORE) * max(features, 1)
    fit = min(score * 16 * 1024 // low, MAX_FIT) if score > 0 else 0
    fit = min(fit + fit * features // FIT_FEATURES, MAX_FIT)
    weight = FULL * fade.half_features // (fade.half_features + features)
    share = max(0, min(fit - fade.min_fit, fade.full_fit - fade.min_fit))
    return FULL - (FULL - weight) * share // (fade.full_fit - fade.min_fit)
