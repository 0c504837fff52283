"""Tests of ``webtongue compare``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.census import synthetic_rows
from tests.cli.running import run
from webtongue.census.compare import compare

NAMES = ("eng_Latn", "deu_Latn", "isl_Latn", "fao_Latn", "dan_Latn")


@pytest.fixture(scope="module")
def censuses(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """On all of sixty hosts half of what was English is German; Danish goes, Faroese comes; Icelandic stays."""
    folder = tmp_path_factory.mktemp("compare")
    before = np.array([(8 + i % 3, 2, 4, 0, 1) for i in range(60)])
    after = np.array([(4 + i % 3, 6, 4, 1, 0) for i in range(60)])
    return str(synthetic_rows.pages(folder / "a", before, "h", NAMES)), str(
        synthetic_rows.pages(folder / "b", after, "h", NAMES)
    )


def section(completed: str, title: str) -> str:
    return next(part for part in completed.split("\n\n") if part.startswith(title))


def test_growing_languages_are_listed(censuses: tuple[str, str]) -> None:
    completed = run("compare", *censuses, columns=140)
    assert completed.code == 0
    assert completed.lines[:3] == [
        "960 pages, then 960",
        "4 languages, then 4",
        "60 hosts, then 60, 60 of them in both",
    ]
    assert "German" in section(completed.out, "Growing (1)") and "English" not in section(completed.out, "Growing (1)")
    assert "English" in section(completed.out, "Shrinking (1)")
    assert "Faroese" in section(completed.out, "Newcomers (1)") and "Danish" in section(completed.out, "Leavers (1)")
    german = next(line for line in section(completed.out, "Growing (1)").splitlines() if "German" in line)
    assert "*" in german and "x3.00" in german
    assert "false discovery rate of 5%" in " ".join(completed.out.split())


def test_json_and_csv_are_the_comparison(censuses: tuple[str, str]) -> None:
    comparison = compare(*map(Path, censuses))
    completed = run("compare", *censuses, "--json")
    for line, change in zip(completed.lines, comparison.changes, strict=True):
        assert json.loads(line) == pytest.approx(
            change.to_dict()
        )  # threads add up in any order: the last digit may differ
    header, *rows = csv.reader(io.StringIO(run("compare", *censuses, "--csv").out))
    assert header[:3] == ["label", "language", "name"] and [row[0] for row in rows] == [
        change.label for change in comparison.changes
    ]
    danish = dict(zip(header, next(row for row in rows if row[0] == "dan_Latn"), strict=True))
    assert danish["share_growth"] == "" and danish["pages_b"] == "0" and danish["beyond_chance"] == "true"


def test_the_limit_applies_to_each_list(censuses: tuple[str, str]) -> None:
    completed = run("compare", *censuses, "--top", "1")
    assert len(section(completed.out, "All languages (1 of 5 rows)").splitlines()) == 3  # title, headings, one


def test_a_census_compared_with_itself_has_no_changes(censuses: tuple[str, str]) -> None:
    completed = run("compare", censuses[0], censuses[0])
    assert completed.code == 0 and "All languages" in completed.out
    assert not any(word in completed.out for word in ("Growing", "Shrinking", "Newcomers", "Leavers"))


def test_control_characters_in_labels_are_escaped(tmp_path: Path) -> None:
    out = str(synthetic_rows.pages(tmp_path, np.array([[3, 2]]), "h", ("eng_Latn", "\x1b[2J")))
    completed = run("compare", out, out)
    assert completed.code == 0 and "\x1b" not in completed.out and "\\x1b[2J" in completed.out


def test_two_empty_censuses_can_be_compared(tmp_path: Path) -> None:
    synthetic_rows.save(tmp_path)
    completed = run("compare", str(tmp_path), str(tmp_path))
    assert completed.code == 0 and completed.lines[0] == "0 pages, then 0"
    assert run("compare", str(tmp_path), str(tmp_path), "--json").out == ""


def test_wrong_calls_fail_with_a_message(censuses: tuple[str, str], tmp_path: Path) -> None:
    for arguments, message in (
        ((censuses[0], str(tmp_path)), "is not a census"),
        ((*censuses, "--json", "--csv"), "choose one"),
        ((*censuses, "--rate", "0"), "above 0 and below 1"),
        ((*censuses, "--rate", "1.5"), "above 0 and below 1"),
        ((*censuses, "--top", "0"), "top"),
        ((censuses[0],), "B"),
    ):
        completed = run("compare", *arguments)
        assert completed.code == 2 and message in completed.err, arguments


def test_servers_can_be_compared(tmp_path: Path) -> None:
    folders = []
    for name, many in (("a", 20), ("b", 60)):
        rows = [
            {"url": f"http://h{i}.example/", "ip": f"1.2.{i}.4", "country": "IS" if i < 20 else "FO"}
            for i in range(many)
        ]
        folders.append(str(synthetic_rows.save(tmp_path / name, synthetic_rows.table(rows))))
    done = run("compare", *folders, "--by", "servers", columns=140)
    assert done.code == 0, done.err
    assert done.lines[0] == "20 servers, then 60 (x3.00), 20 of them in both"
    assert "Faroe Islands" in section(done.out, "Newcomers (1)") and "servers B" in done.out
    assert "computed over servers" in " ".join(done.out.split())
    assert run("compare", *folders, columns=140).lines[3] == done.lines[0]
    wrong = run("compare", *folders, "--by", "planets")
    assert wrong.code == 2 and "languages, countries, places, servers" in wrong.err


def test_different_models_are_a_warning_and_different_units_an_error(censuses: tuple[str, str], tmp_path: Path) -> None:
    folders = []
    for number, about in enumerate(
        ({"model": "1", "config": {"portal": False}}, {"model": "2", "config": {"portal": True}}, {"model": "2"})
    ):
        folder = synthetic_rows.pages(tmp_path / str(number), np.array([[3, 2]]), "h", ("eng_Latn", "deu_Latn"))
        (folder / "census.json").write_text(json.dumps(about))
        folders.append(str(folder))
    warned = run("compare", folders[0], folders[2], "--json")
    assert warned.code == 0 and "model 1 and B by 2" in warned.err and len(warned.lines) == 2
    refused = run("compare", folders[0], folders[1])
    assert refused.code == 2 and "--portal" in refused.err and not refused.out
    assert run("compare", *censuses).err == ""
