"""Every command on the demo crawl gives the same numbers of captures, pages, languages, labels, hosts, domains and servers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cli.running import run

EXAMPLES = Path(__file__).parents[2] / "examples"
SPECIAL = ("und", "zxx", "mul")
MIN_TOTAL = 60  # smaller numbers of languages in a report are those of a figure


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Run the census; return its folder and what it printed."""
    out = str(tmp_path_factory.mktemp("counts") / "out")
    crawl, geo = str(EXAMPLES / "crawl.warc.gz"), str(EXAMPLES / "crawl.mmdb")
    completed = run("census", crawl, "--geo", geo, "--no-second-pass", "--workers", "1", "-o", out)
    assert completed.code == 0, completed.err
    return out, completed.out


@pytest.fixture(scope="module")
def out(printed: tuple[str, str]) -> str:
    return printed[0]


@pytest.fixture(scope="module")
def counts(out: str) -> dict[str, Any]:
    """The row of the view ``counts``."""
    completed = run("sql", out, "SELECT * FROM counts", "--json")
    return dict(json.loads(completed.lines[0]))


def table(out: str, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("tables", out, name, "--format", "json").lines]


def test_definitions_by_hand(out: str, counts: dict[str, Any]) -> None:
    rows = [json.loads(line) for line in run("sql", out, "SELECT * FROM rows", "--json", "--limit", "100000").lines]
    pages = [row for row in rows if row["status"] == "identified" and row["fetch_status"] == 200]
    labels = {row["label"] for row in pages} - set(SPECIAL)
    assert counts["captures"] == len(rows) and counts["pages"] == len(pages)
    assert counts["labels"] == len(labels) and counts["languages"] == len({label[:3] for label in labels})
    assert counts["hosts"] == len({row["url_host_name"] for row in pages} - {None})
    assert counts["domains"] == len({row["url_host_registered_domain"] for row in pages} - {None})
    assert counts["servers"] == len({row["ip"] for row in rows} - {None})
    assert counts["reliable_pages"] == sum(row["reliable"] for row in pages)
    assert counts["little_text_pages"] == sum(row["letters"] < 60 for row in pages if row["letters"] is not None)
    # The demo crawl tells the definitions apart.
    hosts_of_captures = {row["url_host_name"] for row in rows} - {None}
    assert counts["languages"] < counts["labels"] and counts["hosts"] < len(hosts_of_captures)


def test_the_summary_is_the_view(out: str, counts: dict[str, Any]) -> None:
    summary = {row["what"]: row["value"] for row in table(out, "summary")}
    share = summary.pop("reliable")
    times = [summary.pop(name) for name in ("first_fetch", "last_fetch")]
    assert summary == {name: counts[name] for name in summary} and len(summary) == len(counts) - len(times)
    assert share == pytest.approx(counts["reliable_pages"] / counts["pages"])
    assert counts["reliable_pages"] + counts["unreliable_pages"] == counts["pages"]


def test_tables_have_as_many_rows_and_pages(out: str, counts: dict[str, Any]) -> None:
    for name in ("pages_by_language", "pages_by_language_corrected"):
        rows = table(out, name)
        assert sum(row["pages"] for row in rows) == counts["pages"]
        assert sum(row["reliable"] for row in rows) == counts["reliable_pages"]
        assert sum(row["little_text"] for row in rows) == counts["little_text_pages"]
        assert len({row["label"] for row in rows} - set(SPECIAL)) == counts["labels"]
    assert len(table(out, "ranks")) == counts["labels"]
    assert len(table(out, "pages_by_host")) == counts["hosts"]
    servers = table(out, "servers_by_country")
    assert sum(row["servers"] for row in servers) == counts["servers"]
    assert len({row["country"] for row in servers} - {"ZZ"}) == counts["countries"]
    assert sum(row["captures"] for row in table(out, "captures_by_status")) == counts["captures"]
    unknown = sum(row["pages"] for row in table(out, "unknown_by_reason"))
    assert unknown == sum(row["pages"] for row in table(out, "pages_by_language") if row["label"] in SPECIAL)


def test_pages_with_little_text_have_a_row_of_their_own(out: str, counts: dict[str, Any]) -> None:
    rows = table(out, "pages_by_text")
    assert sum(row["pages"] for row in rows) == counts["pages"] and sum(row["share"] for row in rows) == pytest.approx(
        1
    )
    assert sum(row["reliable"] for row in rows) == counts["reliable_pages"]
    known = sum(row["pages"] for row in table(out, "pages_by_language") if row["label"] not in SPECIAL)
    assert sum(row["with_language"] for row in rows) == known
    assert (
        rows[0]["letters"] == "under 60" and rows[0]["pages"] == counts["little_text_pages"] > rows[0]["with_language"]
    )


def test_the_description_of_the_example_has_the_same_captures(counts: dict[str, Any]) -> None:
    description = (EXAMPLES / "README.md").read_text("utf-8")
    assert f"A census has {counts['captures']} rows" in " ".join(description.split())


def test_the_census_prints_the_same_captures(printed: tuple[str, str], counts: dict[str, Any]) -> None:
    assert re.search(rf"captures +{counts['captures']}\n +identified +{counts['identified']}\n", printed[1])
    assert re.search(rf" failed +{counts['failed']}\n", printed[1])


def test_a_comparison_has_the_same_counts(out: str, counts: dict[str, Any]) -> None:
    pages, languages, hosts, servers = (
        f"{counts[name]} {name}, then {counts[name]}" for name in ("pages", "languages", "hosts", "servers")
    )
    lines = run("compare", out, out, columns=140).lines
    both = "{} of them in both"
    assert lines[:2] == [pages, languages]
    assert lines[2] == f"{hosts}, {both.format(counts['hosts'])}"
    assert lines[3] == f"{servers} (x1.00), {both.format(counts['servers'])}"
    changes = [json.loads(line) for line in run("compare", out, out, "--json").lines]
    assert len({change["label"] for change in changes} - set(SPECIAL)) == counts["labels"]


def test_the_report_has_the_same_counts(out: str, tmp_path: Path, counts: dict[str, Any]) -> None:
    page = tmp_path / "report.html"
    assert run("report", out, "-o", str(page)).code == 0
    text = re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(script|style).*?</\1>", " ", page.read_text("utf-8")))
    for noun in ("pages", "languages", "servers"):
        assert f"{counts[noun]} {noun}" in text
    totals = [int(number) for number in re.findall(r"\b(\d+) languages", text) if int(number) >= MIN_TOTAL]
    assert totals and set(totals) == {counts["languages"]}
    assert f"{counts['little_text_pages']} pages (" in text
    for name in ("labels", "hosts", "domains"):
        assert re.search(rf"\b{name}\b[^<\n]*\s+{counts[name]}\b", text, re.IGNORECASE), name


def test_the_database_for_other_programs_has_the_view(out: str, counts: dict[str, Any]) -> None:
    with duckdb.connect(str(Path(out) / "census.duckdb"), read_only=True) as connection:
        languages, labels, hosts = connection.execute("SELECT languages, labels, hosts FROM counts").fetchone()
    assert (languages, labels, hosts) == (counts["languages"], counts["labels"], counts["hosts"])
