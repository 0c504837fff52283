"""Priors fade with the amount of text that fits its label, as the twin has it."""

from __future__ import annotations

import math
import random
from array import array

import pytest

from tests.twins.text.priors import FULL, Fade, weigh_prior
from webtongue import Identifier, _kernel
from webtongue.lab.train.text.file import read_model
from webtongue.text.model import DEFAULT

IDENT = Identifier()


@pytest.mark.parametrize("fade", [Fade(60, 700, 900), Fade(5, 0, 1), Fade(4000, 900, 2000), Fade(0, 0, 1024)])
def test_weights_equal_the_twin(fade: Fade) -> None:
    rnd = random.Random(4)
    model, log_priors = IDENT.reader.model.kernel, IDENT.reader.log_priors
    priors = _kernel.Priors(model, log_priors, None, (fade.half_features, fade.min_fit, fade.full_fit))
    low_scores = read_model(DEFAULT).infos["low_score"].tolist()
    for _ in range(3000):
        label, features = rnd.randrange(len(low_scores)), int(math.exp(rnd.uniform(0, 12))) - 1
        score = round(low_scores[label] / 16 * features * rnd.uniform(-0.2, 2.5))
        weight = priors.weight(model, label, score, features)
        assert weight == weigh_prior(fade, low_scores[label], score, features)
        log = -rnd.randrange(30_000)
        assert priors.faded(log, weight) == max(log_priors) + ((log - max(log_priors)) * weight >> 10)


def test_more_text_leaves_less_of_the_prior() -> None:
    text = "Bibliotekarka povedala, da bodo vrata odprta vsak dan razen ob nedeljah in praznikih, ko je mesto prazno."
    weights = [IDENT.reader.read_text(text[:size]).prior_weight for size in (12, 25, 50, len(text))]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] < FULL / 3


def test_text_that_fits_nothing_keeps_the_prior() -> None:
    assert IDENT.reader.read_text("qxv wkpf zzgrt blorq vvuxk ptkrr gwxq fjdkz").prior_weight == FULL


def test_a_fade_without_a_range_is_refused() -> None:
    model = IDENT.reader.model.kernel
    with pytest.raises(ValueError, match="full_fit"):
        _kernel.Priors(model, array("i", [0] * len(model.labels)), None, (60, 900, 900))
