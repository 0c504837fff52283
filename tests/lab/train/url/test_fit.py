"""Fitting a URL model: what URLs weigh; priors."""

from __future__ import annotations

import numpy as np
import pytest

from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.fit import compute_priors, weigh_urls
from webtongue.url.codes import web_share


def test_small_groups_sure_labels_and_lone_urls_weigh_more() -> None:
    groups = np.array([0, 0, 0, 0, 1, 0])
    domains = np.array([0, 0, 0, 1, 2, 3])
    gold = np.array([False] * 5 + [True])
    weights = weigh_urls(groups, domains, gold, UrlConfig())
    assert weights.mean() == pytest.approx(1.0)
    assert weights[0] < weights[3] < weights[4]
    assert weights[5] == pytest.approx(3 * weights[3])


def test_priors_go_back_to_how_common_languages_are() -> None:
    truth = np.array([0] * 90 + [1] * 10, np.uint16)
    url_weights = np.where(truth == 0, 0.5, 4.5)
    none, half, full = (compute_priors(truth, url_weights, ["deu", "isl"], share, 5) for share in (0.0, 0.5, 1.0))
    assert np.exp(none.final) == pytest.approx([0.5, 0.5])
    assert np.exp(full.final) == pytest.approx([91 / 102, 11 / 102])
    assert none.final[1] > half.final[1] > full.final[1]
    assert not none.offsets.any()
    rare = compute_priors(truth, url_weights, ["deu", "isl"], 1.0, 20)
    assert np.exp(rare.final[1] - rare.final[0]) == pytest.approx(web_share("isl") / (91 / 102))
