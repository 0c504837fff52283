"""The kernel's scores equal a readable twin that reads the model file itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.native.url.test_features import NAMED, PIECES, TWIN
from tests.twins.url.model import UrlModel
from webtongue.url.model import DEFAULT, load, reader

READER = reader(load(), "web", None)
MODEL = UrlModel(DEFAULT, TWIN, NAMED)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_scores_equal_the_twin(url: str) -> None:
    expected = MODEL.totals(url)
    reason, ids, logs = READER.rank(url, 4)
    if expected is None or not ids:
        assert reason
        return
    best = sorted(range(len(expected)), key=lambda i: (-expected[i], i))[:4]
    assert ids == best[: len(ids)]
    for i, log in zip(ids, logs, strict=True):
        assert (logs[0] - log) == min(expected[ids[0]] - expected[i], logs[0] - log + 16) or log == 0
