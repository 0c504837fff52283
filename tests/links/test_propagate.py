"""Languages passed on along a graph: the twin, caps, cycles, farms, bad input."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.links import propagate as twin
from webtongue.errors import MissingExtra, UsageError
from webtongue.links import Config, Links, Pages, propagate, sites_of

LABELS = ("deu_Latn", "eng_Latn", "isl_Latn", "vie_Latn")
LONG = 2000


def graph(chance: random.Random, pages: int = 12, links: int = 40) -> tuple[Pages, Links, list, list]:
    """A random graph with cycles, links to itself, repeated links, pages without text, and few sites."""
    rows = []
    for _ in range(pages):
        names = chance.sample(LABELS, chance.randrange(4))
        left = 1.0
        row = {}
        for name in names:
            row[name] = left * chance.random()
            left -= row[name]
        rows.append(row)
    letters = [chance.choice([0, 5, 40, 300, LONG]) for _ in range(pages)]
    hosts = [chance.randrange(6) for _ in range(pages)]
    domains = [host // 2 for host in hosts]
    edges = [
        (chance.randrange(pages), chance.randrange(pages), chance.choice([1.0, 1.0, 0.3, 0.0])) for _ in range(links)
    ]
    source, target, weights = zip(*edges, strict=True) if edges else ((), (), ())
    table = Pages.of([list(row.items()) for row in rows], letters, hosts, domains)
    return table, Links(np.array(source, int), np.array(target, int), np.array(weights, float)), rows, edges


@given(st.integers(0, 1 << 30), st.integers(1, 14), st.integers(0, 60))
def test_the_twin_says_the_same(seed: int, pages: int, links: int) -> None:
    table, arrows, rows, edges = graph(random.Random(seed), pages, links)
    assert table.hosts is not None and table.domains is not None
    config = Config(cut=1e-9)
    found = propagate(table, arrows, config)
    slow, rounds, residual = twin.propagate(
        rows, table.letters.tolist(), edges, table.hosts.tolist(), table.domains.tolist(), config
    )
    assert abs(found.rounds - rounds) <= 1 and found.converged
    assert found.residual == pytest.approx(residual, abs=1e-8)
    for page, row in enumerate(slow):
        assert found.row(page) == pytest.approx({name: p for name, p in row.items() if p > 0}, abs=1e-7)


@given(st.integers(0, 1 << 30))
def test_rows_are_chances_and_order_leaves_no_trace(seed: int) -> None:
    table, arrows, _, _ = graph(random.Random(seed), 30, 150)
    found = propagate(table, arrows)
    sums = np.bincount(np.repeat(np.arange(30), np.diff(found.starts)), found.probabilities, 30)
    assert found.converged and found.rounds <= 31 and sums.max() <= 1 + 1e-9
    mixed = np.random.default_rng(seed).permutation(150)
    assert arrows.weights is not None
    again = propagate(table, Links(arrows.source[mixed], arrows.target[mixed], arrows.weights[mixed]))
    for name in ("starts", "labels", "probabilities"):
        assert np.array_equal(getattr(found, name), getattr(again, name))


def test_what_is_given_is_not_changed() -> None:
    table = Pages(("b", "a"), [0, 2, 4], [1, 0, 1, 0], [0.2, 0.8, 0.9, 0.3], [10, 10])  # type: ignore[arg-type]
    before = [getattr(table, name).copy() for name in ("starts", "labels", "probabilities", "letters")]
    arrows = Links([1, 0], [0, 1])  # type: ignore[arg-type]
    propagate(table, arrows)
    after = [getattr(table, name) for name in ("starts", "labels", "probabilities", "letters")]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert arrows.source.tolist() == [1, 0]


def test_pages_without_links_to_them_stay_as_they_are() -> None:
    table = Pages.of([[("isl_Latn", 0.4), ("fao_Latn", 0.3)], [("eng_Latn", 1.0)]], [3, LONG])
    found = propagate(table, Links([0, 0], [1, 1]))  # type: ignore[arg-type]
    assert found.row(0) == pytest.approx({"isl_Latn": 0.4, "fao_Latn": 0.3})
    nothing = propagate(table, Links([], []))  # type: ignore[arg-type]
    assert nothing.row(1) == {"eng_Latn": 1.0} and nothing.converged


def test_short_pages_are_told_by_their_links_at_any_distance() -> None:
    rows = [[("isl_Latn", 1.0)], [], [], [("hun_Latn", 0.5)]]
    found = propagate(Pages.of(rows, [LONG, 0, 0, 8]), Links([0, 1, 0], [1, 2, 3]))  # type: ignore[arg-type]
    labels, chances = found.best()
    assert [found.names[i] for i in labels] == ["isl_Latn"] * 4
    assert chances[0] > chances[1] > chances[2] > 0.1


def test_an_empty_graph() -> None:
    found = propagate(Pages.of([], []), Links([], []))  # type: ignore[arg-type]
    assert found.converged and not len(found.labels) and found.best()[0].tolist() == []
    bare = propagate(Pages.of([[], []], [0, 0]), Links([0, 1], [1, 0]))  # type: ignore[arg-type]
    assert bare.best()[0].tolist() == [-1, -1]


def test_links_of_a_page_to_itself_and_repeated_ones_change_nothing() -> None:
    table = Pages.of([[("isl_Latn", 0.9)], [("eng_Latn", 0.4)], [("eng_Latn", 1.0)]], [LONG, 9, LONG])
    plain = propagate(table, Links([0, 2], [1, 1]))  # type: ignore[arg-type]
    more = propagate(table, Links([0, 2] + [1] * 500 + [0] * 500, [1, 1] + [1] * 500 + [1] * 500))  # type: ignore[arg-type]
    assert plain.row(1) == more.row(1)


def test_cycles_end() -> None:
    ring = np.arange(1000)
    rows = [[("isl_Latn", 1.0)]] + [[] for _ in range(999)]
    found = propagate(Pages.of(rows, [50] + [0] * 999), Links(ring, (ring + 1) % 1000))
    assert found.converged and found.rounds <= 31


def victim(letters: float, own: float, farm: Links, count: int, domains: np.ndarray) -> dict[str, float]:
    """Page 0 is honest and French, in a domain of its own; the farm is in Vietnamese, long and sure."""
    rows = [[("fra_Latn", own)]] + [[("vie_Latn", 1.0)]] * count
    found = propagate(Pages.of(rows, [letters] + [LONG] * count, domains, domains), farm)
    return found.row(0)


COUNT = 10_000
EACH = np.arange(1, COUNT + 1)


@pytest.mark.parametrize("letters", [150, 300, LONG])
@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("sites", [1, 7, COUNT])
def test_a_farm_does_not_turn_an_honest_page(letters: int, cycles: bool, sites: int) -> None:
    domains = np.concatenate([[0], 1 + EACH % sites])
    source, target = [EACH], [np.zeros(COUNT, int)]
    if cycles:  # the farm links to itself, round and round, and the page links back
        chance = np.random.default_rng(5)
        source += [EACH, chance.choice(EACH, 5 * COUNT), np.zeros(100, int)]
        target += [np.roll(EACH, 1), chance.choice(EACH, 5 * COUNT), EACH[:100]]
    row = victim(letters, 0.98, Links(np.concatenate(source), np.concatenate(target)), COUNT, domains)
    assert next(iter(row)) == "fra_Latn"
    assert row["vie_Latn"] < (0.25 if letters < 300 else 0.12 if letters < LONG else 0.07)


def test_a_farm_of_one_domain_is_one_vote_beside_honest_links() -> None:
    """A short page with two honest linking domains stays theirs."""
    rows = [[("fra_Latn", 0.3)], [("isl_Latn", 1.0)], [("isl_Latn", 1.0)]] + [[("vie_Latn", 1.0)]] * COUNT
    domains = np.array([0, 1, 2] + [3] * COUNT)
    hosts = np.concatenate([[0, 1, 2], 3 + np.arange(COUNT) % 50])
    source = np.concatenate([[1, 2], 3 + np.arange(COUNT)])
    found = propagate(
        Pages.of(rows, [8] + [LONG] * (COUNT + 2), hosts, domains), Links(source, np.zeros(len(source), int))
    )
    assert next(iter(found.row(0))) == "isl_Latn"


def test_a_hub_is_one_vote_for_each() -> None:
    rows = [[("vie_Latn", 1.0)]] + [[("fra_Latn", 0.98)]] * COUNT
    found = propagate(Pages.of(rows, [LONG] + [200] * COUNT), Links(np.zeros(COUNT, int), EACH))
    labels, _ = found.best()
    assert {found.names[i] for i in labels[1:]} == {"fra_Latn"}


def test_bad_values_are_put_right() -> None:
    table = Pages(
        ("a", "b"), [0, 2, 4, 5], [0, 1, 0, 0, 1], [np.nan, 0.5, 3.0, 3.0, -1.0], [np.inf, np.nan, -5.0]  # type: ignore[arg-type]
    )  # fmt: skip
    found = propagate(table, Links([0, 1, 2], [1, 2, 0], [np.nan, np.inf, 0.5]))  # type: ignore[arg-type]
    assert np.isfinite(found.probabilities).all() and found.probabilities.max() <= 1
    assert found.row(1)["a"] == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: Pages(("a",), [0, 1], [1], [0.5], [3]),  # type: ignore[arg-type]
        lambda: Pages(("a",), [0, 2], [0], [0.5], [3]),  # type: ignore[arg-type]
        lambda: Pages(("a",), [], [], [], []),  # type: ignore[arg-type]
        lambda: Pages(("a",), [0, 1], [0], [0.5], [3, 4]),  # type: ignore[arg-type]
        lambda: Pages(("a",), [0, 1], [0], [0.5], [3], [1, 2]),  # type: ignore[arg-type]
        lambda: Links([0, 1], [0]),  # type: ignore[arg-type]
        lambda: Links([0], [0], [1, 2]),  # type: ignore[arg-type]
        lambda: propagate(Pages.of([[]], [0]), Links([0], [1])),  # type: ignore[arg-type]
        lambda: propagate(Pages.of([[]], [0]), Links([-1], [0])),  # type: ignore[arg-type]
    ],
)
def test_wrong_calls_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError):
        call()


def test_without_scipy_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtra, match=r"webtongue\[links\]"):
        propagate(Pages.of([[]], [0]), Links([], []))  # type: ignore[arg-type]


def test_sites_of_addresses() -> None:
    urls = [
        "https://a.blogspot.com/",
        "https://b.blogspot.com/1",
        "http://www.bbc.co.uk/",
        "http://news.bbc.co.uk/x",
        "",
        "?",
        "http://192.0.2.1/",
    ]
    hosts, domains = sites_of(urls)
    assert domains.tolist() == [0, 1, 2, 2, 3, 4, 5] and hosts.tolist() == [0, 1, 2, 3, 4, 5, 6]
