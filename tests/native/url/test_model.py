"""The kernel's scores of URLs equals a readable twin that reads the model file itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.native.url.test_features import PIECES, TABLE, TWIN
from tests.twins.url.classifier import UrlClassifier
from tests.twins.url.model import UrlModel
from webtongue import _kernel
from webtongue.policy import LOG_SCALE, URL
from webtongue.url.model import CODE_FLOOR, DEFAULT, ENGLISH_FLOOR, MAX_PLAIN_ENGLISH, load, reader

READER = reader(load(), "web", None)
KERNEL = load().kernel
CLASSIFIER = UrlClassifier(
    UrlModel(DEFAULT, TWIN, TABLE), load().labels, KERNEL.own_priors, KERNEL.code_priors, ENGLISH_FLOOR, CODE_FLOOR
)
ROUNDING = 32 / LOG_SCALE  # sums of the kernel are integers, its exponentials come from a table
GUESSES = 4


def test_codes_count_by_even_priors() -> None:
    count, evenness = KERNEL.model_labels, URL.code_evenness
    own = np.array(KERNEL.own_priors) / LOG_SCALE
    even = evenness * own[:count] - np.logaddexp.reduce(evenness * own[:count])
    expected = np.concatenate([2 * own[:count] - even, own[count:]])
    assert np.allclose(np.array(KERNEL.code_priors) / LOG_SCALE, expected, atol=2 / LOG_SCALE)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_scores_equal_the_twin(url: str) -> None:
    expected = CLASSIFIER.totals(url)
    reason, ids, logs = READER.rank(url, GUESSES)
    if expected is None or not ids:
        assert reason
        return
    best = sorted(expected.values(), reverse=True)[:GUESSES]
    if (
        logs[0] == MAX_PLAIN_ENGLISH
    ):  # English without a code or a country's domain has a limit, which the twin does not apply
        assert best[0] - np.logaddexp.reduce(list(expected.values())) >= MAX_PLAIN_ENGLISH / LOG_SCALE - ROUNDING
        return
    for i, log in zip(ids, logs, strict=True):
        difference = (logs[0] - log) / LOG_SCALE
        assert abs(best[0] - expected[READER.labels[i]] - difference) < ROUNDING or log == 0
    for number, log in enumerate(logs):
        assert abs(best[0] - best[number] - (logs[0] - log) / LOG_SCALE) < ROUNDING or log == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=12))
def test_a_column_of_urls_equals_a_list(urls: list[str]) -> None:
    encoded = [url.encode() for url in urls]
    starts = np.cumsum([0, *map(len, encoded)])
    ids, logs, hosts, national = READER.classify_column(np.frombuffer(b"".join(encoded), np.uint8), starts)
    expected_ids, expected_logs, _ = READER.classify(urls)
    assert ids.tolist() == expected_ids.tolist() and logs.tolist() == expected_logs.tolist()
    for url, number, is_national in zip(encoded, hosts.tolist(), national.tolist(), strict=True):
        host = _kernel.split_url(url)[2]
        tld = host.rpartition(b".")[2]
        assert is_national == (len(tld) == 2 or tld[:1] >= b"\x80" or tld[:4] == b"xn--")
        assert number == (_fnv(host.lower()) if host else 0)


def _fnv(text: bytes) -> int:
    number = 0xCBF29CE484222325
    for byte in text:
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number


def test_a_column_with_wrong_offsets_is_refused() -> None:
    data = np.frombuffer(b"https://example.is/", np.uint8)
    for starts in ([0, 20], [5, 3], [-1, 4]):
        with pytest.raises(ValueError, match="offsets must rise"):
            READER.classify_column(data, np.array(starts))
