"""Comparisons of two censuses: equal to a Python twin, planted changes are found, random ones are not significant."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.census import synthetic_rows
from webtongue import UsageError
from webtongue.census.compare import Change, Comparison, compare
from webtongue.census.statistics import beyond_chance, student_factor, student_tails

LABELS = ("eng_Latn", "deu_Latn", "fra_Latn", "isl_Latn", "fao_Latn", "dan_Latn")
Pages = Sequence[tuple[str | None, str | None]]  # host and label


def census(out: Path, pages: Pages, **config: Any) -> Path:
    count = len(pages)
    columns = {
        "url_host_name": pa.array([host for host, _ in pages], pa.string()),
        "label": pa.array([label for _, label in pages], pa.string()),
        "status": pa.array(["identified"] * count, pa.string()),
        "fetch_status": pa.array([200] * count, pa.int16()),
        "tier": pa.array([1] * count, pa.int16()),
    }
    return synthetic_rows.save(out, synthetic_rows.filled(columns, count), config=config)


def drawn(rng: Any, hosts: Iterable[int], shares: Sequence[float], size: int = 12) -> list[tuple[str, str]]:
    """Write pages of hosts that are mostly in one language, the same one in every census."""
    out = []
    for host in hosts:
        own = np.random.default_rng(host).choice(len(shares), p=shares)
        mixture = 0.8 * (np.arange(len(shares)) == own) + 0.2 * np.array(shares)
        count = 1 + int(rng.poisson(size))
        out += [(f"h{host}.example", LABELS[i]) for i in rng.choice(len(shares), count, p=mixture)]
    return out


Hosts = list[tuple[Counter[str], Counter[str]]]  # labels of a host's pages in either census


def by_hand(first: Pages, second: Pages) -> dict[str, dict[str, Any]]:
    """Return the comparison of each label from the pages of each host; a page without a host is a host of its own."""
    hosts: defaultdict[Any, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for which, pages in enumerate((first, second)):
        for number, (host, label) in enumerate(pages):
            hosts[host if host else (which, number)][which][label or "und"] += 1
    names = {label or "und" for _, label in (*first, *second)}
    return {label: of_label(label, list(hosts.values()), (len(first), len(second))) for label in names}


def of_label(label: str, hosts: Hosts, whole: tuple[int, int]) -> dict[str, Any]:
    counts = tuple(sum(host[which][label] for host in hosts) for which in (0, 1))
    shares = tuple(count / total if total else 0.0 for count, total in zip(counts, whole, strict=True))
    held = [one[label] + other[label] for one, other in hosts]
    degrees = max(sum(held) ** 2 / sum(count**2 for count in held) - 1, 1)

    def error(shares: tuple[float, ...], by: tuple[float, ...]) -> float:
        """Of a difference of shares, each divided by something: how far it moves when one host after the other is left out."""
        moves = [
            [moved(host[which], label, whole[which], shares[which]) / by[which] for which in (0, 1)] for host in hosts
        ]
        return math.sqrt(len(hosts) / max(len(hosts) - 1, 1) * sum((other - one) ** 2 for one, other in moves))

    row: dict[str, Any] = dict.fromkeys(("share_growth", "low", "high", "growth", "growth_low", "growth_high"))
    row |= {"pages_a": counts[0], "pages_b": counts[1], "share_a": shares[0], "share_b": shares[1], "chance": 1.0}
    row["hosts"] = sum(map(bool, held))
    distance = abs(shares[1] - shares[0])
    if all(whole):
        wide = error(shares, (1, 1))
        row["chance"] = student_tails(distance / wide, degrees) if wide > 1e-9 else float(distance == 0)
    if all(counts):
        for names, now, ratio in (
            (("share_growth", "low", "high"), shares, shares[1] / shares[0]),
            (("growth", "growth_low", "growth_high"), (0.0, 0.0), counts[1] / counts[0]),
        ):
            times = math.exp(student_factor(degrees) * error(now, shares))
            row |= dict(zip(names, (ratio, ratio / times, ratio * times), strict=True))
    return row


def moved(host: Counter[str], label: str, whole: int, share: float) -> float:
    """Return the change of a share without a host; for a host with all pages, its difference from the share."""
    return (host[label] - share * host.total()) / (whole - host.total() or whole or 1)


def both(tmp_path: Path, first: Pages, second: Pages, rate: float = 0.05) -> Comparison:
    return compare(census(tmp_path / "a", first), census(tmp_path / "b", second), rate)


RNG = np.random.default_rng(11)
EVEN = [1 / len(LABELS)] * len(LABELS)
PAIRS: dict[str, tuple[Pages, Pages]] = {
    "hosts in both": (drawn(RNG, range(60), EVEN), drawn(RNG, range(30, 110), EVEN)),
    "nulls": (
        [(None, "isl_Latn"), (None, None), ("a", None), ("a", "isl_Latn"), ("b", "fao_Latn")],
        [(None, "isl_Latn"), (None, "isl_Latn"), ("a", "fao_Latn"), ("c", "qqq_Zzzz")],
    ),
    "none, then some": ([], [("a", "isl_Latn"), ("b", "isl_Latn")]),
    "some, then none": ([("a", "isl_Latn")], []),
    "none": ([], []),
    "one host": ([("a", "isl_Latn")], [("a", "isl_Latn"), ("a", "fao_Latn")]),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_comparison_equals_its_python_twin(tmp_path: Path, name: str) -> None:
    first, second = PAIRS[name]
    result = both(tmp_path, first, second)
    expected = by_hand(first, second)
    assert {one.label for one in result.changes} == set(expected)
    for one in result.changes:
        row = one.to_dict()
        for column, value in expected[one.label].items():
            assert row[column] == (None if value is None else pytest.approx(value, rel=1e-6, abs=1e-9)), (
                one.label,
                column,
            )
    assert (result.pages_a, result.pages_b) == (len(first), len(second))
    named = [{host for host, _ in pages if host} for pages in (first, second)]
    assert result.hosts_of_both == len(named[0] & named[1])
    believed = beyond_chance([one.chance for one in result.changes])
    assert [one.beyond_chance for one in result.changes] == believed
    assert list(result.changes) == sorted(result.changes, key=lambda one: (-max(one.share_a, one.share_b), one.label))


def test_a_census_equals_itself(tmp_path: Path) -> None:
    out = census(tmp_path, drawn(np.random.default_rng(1), range(50), EVEN))
    result = compare(out, out)
    assert all(one.chance == 1 and not one.beyond_chance and one.share_growth == 1 for one in result.changes)
    assert all((one.low, one.high) == pytest.approx((1, 1)) for one in result.changes)
    assert not (result.growing or result.shrinking or result.newcomers or result.leavers)
    assert result.hosts_a == result.hosts_b == result.hosts_of_both == 50


def test_planted_changes_are_found(tmp_path: Path) -> None:
    """Half of the English pages of every host become German; Faroese appears, Danish disappears."""
    rng = np.random.default_rng(5)
    before = drawn(rng, range(200), [0.5, 0.2, 0.1, 0.1, 0.0, 0.1])
    after = [
        (host, "deu_Latn" if label == "eng_Latn" and i % 2 else "fao_Latn" if label == "dan_Latn" else label)
        for i, (host, label) in enumerate(before)
    ]
    result = both(tmp_path, before, after)
    assert [one.label for one in result.growing] == ["deu_Latn"]
    assert [one.label for one in result.shrinking] == ["eng_Latn"]
    assert [one.label for one in result.newcomers] == ["fao_Latn"] and result.newcomers[0].beyond_chance
    assert [one.label for one in result.leavers] == ["dan_Latn"] and result.leavers[0].growth is None
    english = result.shrinking[0]
    assert (
        english.name == "English" and english.language == "en" and english.low < english.share_growth < english.high < 1
    )
    same = next(one for one in result.changes if one.label == "isl_Latn")
    assert same.chance == 1 and same.share_growth == 1  # no host changed


def test_a_change_of_one_host_is_not_significant(tmp_path: Path) -> None:
    """A thousand new pages of one host multiply the share of a language, which is not significant."""
    rng = np.random.default_rng(6)
    before = drawn(rng, range(40), EVEN)
    result = both(tmp_path, before, [*before, *[("new.example", "fao_Latn")] * 1000])
    faroese = next(one for one in result.changes if one.label == "fao_Latn")
    assert faroese.share_growth > 3 and not faroese.beyond_chance and faroese.low < 1


def test_random_changes_are_not_significant(tmp_path: Path) -> None:
    """In repeated samples of one population, intervals contain 1 and hardly any change is significant."""
    changes: list[Change] = []
    false_alarms = 0
    for number in range(12):
        rng = np.random.default_rng(100 + number)
        samples = [rng.choice(3000, 150, replace=False) + 3000 * number for _ in range(2)]
        result = both(tmp_path / str(number), *(drawn(rng, sorted(map(int, some)), EVEN) for some in samples))
        changes += result.changes
        false_alarms += any(one.beyond_chance for one in result.changes)
    covered = sum(one.low is not None and one.low <= 1 <= one.high for one in changes) / len(changes)
    assert len(changes) == 72 and covered >= 0.9
    assert false_alarms <= 3


def test_intervals_contain_the_true_growth(tmp_path: Path) -> None:
    """The share of every language is known in both populations."""
    covered = []
    later = [0.30, 0.10, 0.15, 0.15, 0.20, 0.10]
    for number in range(8):
        rng = np.random.default_rng(200 + number)
        first = drawn(rng, range(10_000 * number, 10_000 * number + 250), EVEN)
        second = drawn(rng, range(10_000 * number + 5_000, 10_000 * number + 5_250), later)
        for one in both(tmp_path / str(number), first, second).changes:
            truth = later[LABELS.index(one.label)] * len(LABELS)
            covered.append(one.low is not None and one.low <= truth <= one.high)
    assert len(covered) == 48 and np.mean(covered) >= 0.88


def test_the_false_discovery_rate_can_be_set(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    first, second = drawn(rng, range(80), EVEN), drawn(rng, range(1000, 1080), [0.25, 0.2, 0.15, 0.15, 0.15, 0.1])
    strict, lax = both(tmp_path / "1", first, second, 1e-9), both(tmp_path / "2", first, second, 0.999)
    assert not any(one.beyond_chance for one in strict.changes)
    assert any(one.beyond_chance for one in lax.changes)


def test_a_portal_census_counts_servers(tmp_path: Path) -> None:
    rows = [
        {"url": f"http://h{i}.example.is/{page}", "ip": f"192.0.2.{i}"} for i in range(5) for page in ("", "2", "3")
    ]
    one = synthetic_rows.save(tmp_path / "a", synthetic_rows.table(rows), config={"portal": True})
    other = synthetic_rows.save(tmp_path / "b", synthetic_rows.table(rows))
    assert compare(one, one).pages_a == 5 and compare(other, other).pages_b == 15
    for kind in ("languages", "countries", "places"):
        with pytest.raises(UsageError, match=r"one home page per server .* all pages: .*--portal"):
            compare(one, other, kind=kind)
    assert compare(one, other, kind="servers").servers_b == 5


def test_methods_must_be_equal_and_other_settings_are_warnings(tmp_path: Path) -> None:
    pages = [("a", "isl_Latn"), ("b", "fao_Latn")]
    base = census(tmp_path / "a", pages, method="", priors="web", languages=None)
    other = census(tmp_path / "b", pages, method="composite parallel", priors="web", languages=None)
    with pytest.raises(UsageError, match=r"by the model and .* by composite parallel: .*--method"):
        compare(base, other)
    assert compare(base, other, kind="countries").warnings == ()
    third = census(tmp_path / "c", pages, method="", priors="uniform", languages=["is", "fo"])
    warnings = compare(base, third).warnings
    assert len(warnings) == 2 and "priors" in warnings[0] and "(default, ['is', 'fo'])" in warnings[1]
    (third / "census.json").write_text("[")
    with pytest.raises(UsageError, match="damaged"):
        compare(base, third)


def test_samples_of_different_size_are_a_warning(tmp_path: Path) -> None:
    pages = [("a", "isl_Latn"), ("b", "fao_Latn")]
    whole = census(tmp_path / "a", pages)
    half = census(tmp_path / "b", pages, sample=0.5)
    for kind in ("languages", "countries", "places", "servers"):
        (warning,) = compare(whole, half, kind=kind).warnings
        assert "A has a sample of 1 of its captures and B of 0.5" in warning
        assert compare(half, half, kind=kind).warnings == ()


def test_a_folder_without_a_census_is_reported(tmp_path: Path) -> None:
    out = census(tmp_path / "a", [("a", "isl_Latn")])
    with pytest.raises(UsageError, match="is not a census"):
        compare(out, tmp_path)
    with pytest.raises(UsageError, match="is not a census"):
        compare(tmp_path / "nowhere", out)


def places(out: Path, rows: Sequence[tuple[str | None, str | None, str, str]]) -> Path:
    """Write a census of pages with server address, country, host and label."""
    names = ("ip", "country", "url_host_name", "label")
    columns = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    count = len(rows)
    columns |= {
        "status": pa.array(["identified"] * count, pa.string()),
        "fetch_status": pa.array([404 if ip == "9.9.9.9" else 200 for ip, *_ in rows], pa.int16()),
    }
    return synthetic_rows.save(out, synthetic_rows.filled(columns, count), config={})


def test_servers_and_geography_are_compared(tmp_path: Path) -> None:
    """Section 6.2.2 of Cai (2009): in sixty Icelandic hosts nothing changes; thirty German servers become ninety."""
    stays = [(f"1.1.1.{i}", "IS", f"i{i}.example", "isl_Latn") for i in range(60)]
    german = [(f"2.2.2.{i}", "DE", f"g{i}.example", "deu_Latn") for i in range(90)]
    first = [*stays, *german[:30], ("1.1.1.0", "IS", "i0.example", "eng_Latn"), ("9.9.9.9", None, "x.example", "und")]
    second = [*stays, *german, ("3.3.3.3", "FO", "f.example", "fao_Latn")]
    a, b = places(tmp_path / "a", first), places(tmp_path / "b", second)
    servers = compare(a, b, kind="servers")
    assert (servers.servers_a, servers.servers_b, servers.servers_of_both) == (91, 151, 90)
    found = {change.label: change for change in servers.changes}
    assert {label: (change.pages_a, change.pages_b) for label, change in found.items()} == {
        "DE": (30, 90), "IS": (60, 60), "FO": (0, 1), "ZZ": (1, 0),
    }  # fmt: skip
    assert found["DE"].name == "Germany" and found["DE"].growth == 3.0 and found["DE"].beyond_chance
    assert found["IS"].growth == 1.0 and (found["ZZ"].name, found["ZZ"].language) == ("Unknown country", "")
    countries = {change.label: change for change in compare(a, b, kind="countries").changes}
    assert (countries["IS"].pages_a, countries["IS"].pages_b) == (61, 60) and "ZZ" not in countries, (
        "pages, not servers"
    )
    by_place = {change.label: change for change in compare(a, b, kind="places").changes}
    assert (by_place["DE deu_Latn"].name, by_place["DE deu_Latn"].language) == ("German, Germany", "de")
    assert by_place["DE deu_Latn"].growth == 3.0 and by_place["IS eng_Latn"].pages_b == 0
    languages = compare(a, b)
    assert (languages.servers_a, languages.servers_b) == (91, 151) and languages.pages_a == 91
    with pytest.raises(UsageError, match="places"):
        compare(a, b, kind="planets")


def test_a_comparison_of_countries_has_the_intervals_of_languages(tmp_path: Path) -> None:
    """The same pages with countries in the place of languages: the figures are the same."""
    first, second = PAIRS["hosts in both"]
    names = dict(zip(LABELS, ("IS", "FO", "DK", "NO", "SE", "FI"), strict=True))
    a, b = (
        places(tmp_path / name, [(None, names[str(label)], str(host), "eng_Latn") for host, label in pages])
        for name, pages in (("a", first), ("b", second))
    )
    expected = by_hand(first, second)
    for change in compare(a, b, kind="countries").changes:
        row = expected[next(label for label, code in names.items() if code == change.label)]
        assert (change.chance, change.low, change.high) == pytest.approx((row["chance"], row["low"], row["high"]))
