"""``webtongue compare``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.census import made_rows
from tests.cli.running import run
from webtongue.census.compare import compare

NAMES = ("eng_Latn", "deu_Latn", "isl_Latn", "fao_Latn", "dan_Latn")


@pytest.fixture(scope="module")
def censuses(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """On all of sixty hosts half of what was English is German; Danish goes, Faroese comes; Icelandic stays."""
    folder = tmp_path_factory.mktemp("compare")
    before = np.array([(8 + i % 3, 2, 4, 0, 1) for i in range(60)])
    after = np.array([(4 + i % 3, 6, 4, 1, 0) for i in range(60)])
    return str(made_rows.pages(folder / "a", before, "h", NAMES)), str(made_rows.pages(folder / "b", after, "h", NAMES))


def section(done: str, title: str) -> str:
    return next(part for part in done.split("\n\n") if part.startswith(title))


def test_what_grew_is_told(censuses: tuple[str, str]) -> None:
    done = run("compare", *censuses, columns=140)
    assert done.code == 0
    assert done.lines[0].startswith("960 pages, then 960; 60 hosts, 60 of them in both")
    assert "German" in section(done.out, "Growing (1)") and "English" not in section(done.out, "Growing (1)")
    assert "English" in section(done.out, "Shrinking (1)")
    assert "Faroese" in section(done.out, "Newcomers (1)") and "Danish" in section(done.out, "Leavers (1)")
    german = next(line for line in section(done.out, "Growing (1)").splitlines() if "German" in line)
    assert "*" in german and "x3.00" in german
    assert "no more than 5% are not" in " ".join(done.out.split())


def test_json_and_csv_are_the_comparison(censuses: tuple[str, str]) -> None:
    found = compare(*map(Path, censuses))
    done = run("compare", *censuses, "--json")
    for line, one in zip(done.lines, found.changes, strict=True):
        assert json.loads(line) == pytest.approx(
            one.to_dict()
        )  # threads add up in any order: the last digit may differ
    header, *rows = csv.reader(io.StringIO(run("compare", *censuses, "--csv").out))
    assert header[:3] == ["label", "language", "name"] and [row[0] for row in rows] == [
        one.label for one in found.changes
    ]
    danish = dict(zip(header, next(row for row in rows if row[0] == "dan_Latn"), strict=True))
    assert danish["share_growth"] == "" and danish["pages_b"] == "0" and danish["beyond_chance"] == "true"


def test_as_many_of_each_list_as_wanted(censuses: tuple[str, str]) -> None:
    done = run("compare", *censuses, "--top", "1")
    assert len(section(done.out, "All languages (5)").splitlines()) == 3  # title, headings, one


def test_a_census_beside_itself(censuses: tuple[str, str]) -> None:
    done = run("compare", censuses[0], censuses[0])
    assert done.code == 0 and "All languages" in done.out
    assert not any(word in done.out for word in ("Growing", "Shrinking", "Newcomers", "Leavers"))


def test_labels_of_others_do_not_act_on_a_terminal(tmp_path: Path) -> None:
    out = str(made_rows.pages(tmp_path, np.array([[3, 2]]), "h", ("eng_Latn", "\x1b[2J")))
    done = run("compare", out, out)
    assert done.code == 0 and "\x1b" not in done.out and "\\x1b[2J" in done.out


def test_nothing_beside_nothing(tmp_path: Path) -> None:
    made_rows.save(tmp_path)
    done = run("compare", str(tmp_path), str(tmp_path))
    assert done.code == 0 and done.lines[0] == "0 pages, then 0; 0 hosts, 0 of them in both"
    assert run("compare", str(tmp_path), str(tmp_path), "--json").out == ""


def test_wrong_calls(censuses: tuple[str, str], tmp_path: Path) -> None:
    for arguments, said in (
        ((censuses[0], str(tmp_path)), "is no census"),
        ((*censuses, "--json", "--csv"), "choose one"),
        ((*censuses, "--rate", "0"), "above 0 and below 1"),
        ((*censuses, "--rate", "1.5"), "above 0 and below 1"),
        ((*censuses, "--top", "0"), "top"),
        ((censuses[0],), "B"),
    ):
        done = run("compare", *arguments)
        assert done.code == 2 and said in done.err, arguments
