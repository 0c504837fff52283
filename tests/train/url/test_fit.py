"""Fitting a URL model: what URLs weigh; priors."""

from __future__ import annotations

import numpy as np
import pytest

from webtongue.train.url.config import UrlConfig
from webtongue.train.url.fit import priors_of, worths


def test_small_groups_sure_labels_and_lone_urls_weigh_more() -> None:
    groups = np.array([0, 0, 0, 0, 1, 0])
    domains = np.array([0, 0, 0, 1, 2, 3])
    gold = np.array([False] * 5 + [True])
    found = worths(groups, domains, gold, UrlConfig())
    assert found.mean() == pytest.approx(1.0)
    assert found[0] < found[3] < found[4]
    assert found[5] == pytest.approx(3 * found[3])


def test_priors_go_back_to_how_common_languages_are() -> None:
    truth = np.array([0] * 90 + [1] * 10, np.uint16)
    worth = np.where(truth == 0, 0.5, 4.5)
    none, half, whole = (priors_of(truth, worth, 2, share) for share in (0.0, 0.5, 1.0))
    assert np.exp(none.held) == pytest.approx([0.5, 0.5])
    assert np.exp(whole.held) == pytest.approx([91 / 102, 11 / 102])
    assert none.held[1] > half.held[1] > whole.held[1]
    assert not none.offsets.any()
