"""Addresses that name their language: codes in every place, names, country domains, and codes that mean something else."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from webtongue import Identifier, Verdict

# Kind: how many in 100 are right at least, and how many in 100 are reliable and wrong at most.
BARS = {
    "first segment": (93, 1), "host label": (90, 1), "locale": (97, 1), "query": (97, 1), "file name": (75, 1),
    "later segment": (85, 1), "name": (90, 1), "country domain": (93, 2), "code against domain": (90, 2),
    "another sense": (85, 3), "country code": (75, 3), "small language": (90, 1),
}  # fmt: skip
MIN_RELIABLE_RIGHT = 0.98


def read_cases() -> dict[str, list[tuple[str, str]]]:
    """Return URLs and labels by kind."""
    cases = defaultdict(list)
    for line in (Path(__file__).parent / "url_codes.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, url, label = line.split("\t")
            cases[kind].append((url, label))
    return cases


CASES = read_cases()
VERDICTS = {kind: Identifier().identify_urls([url for url, _ in cases]) for kind, cases in CASES.items()}


def pairs(kind: str) -> list[tuple[str, str, Verdict]]:
    return [(url, label, verdict) for (url, label), verdict in zip(CASES[kind], VERDICTS[kind], strict=True)]


def test_every_kind_has_a_bar_and_there_are_hundreds() -> None:
    assert CASES.keys() == BARS.keys()
    assert sum(map(len, CASES.values())) > 800


KNOWN_FAILURES = {"file name", "another sense"}  # kinds below their bar; the bar is the aim


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.xfail if kind in KNOWN_FAILURES else ()) for kind in BARS]
)
def test_kind(kind: str) -> None:
    least, most = BARS[kind]
    wrong = [(url, v.label, v.confidence) for url, label, v in pairs(kind) if v.label[:3] != label[:3]]
    surely = [case for case in wrong if case[2] >= 0.9]
    assert 100 * (1 - len(wrong) / len(CASES[kind])) >= least, wrong
    assert 100 * len(surely) / len(CASES[kind]) <= most, surely


def test_reliable_answers_are_right() -> None:
    reliable = [v.label[:3] == label[:3] for kind in BARS for _, label, v in pairs(kind) if v.reliable]
    assert sum(reliable) >= MIN_RELIABLE_RIGHT * len(reliable)
    assert len(reliable) > 300
