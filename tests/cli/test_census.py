"""Tests of the exit codes of ``webtongue census``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import running
from tests.evidence.mmdb import mmdb

PAGE = '{"url": "https://example.org/", "html": "<p>Die Bibliothek ist jeden Tag geöffnet, auch am Sonntag.</p>"}\n'
LINK = '{"url": "https://example.org/a", "label": "deu_Latn"}\n'


def census(tmp_path: Path, lines: str) -> running.Done:
    (tmp_path / "in.jsonl").write_text(lines, "utf-8")
    return running.run("census", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out"), "--workers", "1")


def test_lines_without_a_page_become_rows(tmp_path: Path) -> None:
    completed = census(tmp_path, PAGE + LINK)
    assert completed.code == 0 and "bad row 1" in completed.out


def test_a_census_without_usable_input_fails(tmp_path: Path) -> None:
    completed = census(tmp_path, LINK * 3)
    assert completed.code == 1 and "problem_list" in completed.err and completed.err.count("\n") == 1
    listed = running.run("tables", str(tmp_path / "out"), "problem_list", "--format", "csv")
    assert "no html or content or text in the row" in listed.out


@pytest.mark.parametrize("columns", [60, 80])
def test_long_lists_of_problems_fit_the_terminal(tmp_path: Path, columns: int) -> None:
    crawl = Path(__file__).parents[2] / "examples" / "crawl.warc.gz"
    out = tmp_path / "out"
    completed = running.run("census", str(crawl), "-o", str(out), "--workers", "1", "--no-second-pass", columns=columns)
    assert completed.code == 0, completed.err
    lines = [line for line in completed.lines if str(tmp_path) not in line]  # a path is not cut: it is copied
    assert max(map(len, lines)) <= columns
    start = next(i for i, line in enumerate(lines) if line.startswith("problems"))
    listed = " ".join(" ".join(lines[start:]).split())
    assert "damaged 3" in listed and "unknown coding 1" in listed


@pytest.mark.parametrize(("ip", "is_shown"), [("185.112.144.1", True), ("9.9.9.9", False), (None, False)])
def test_the_attribution_is_shown_if_an_address_was_located(tmp_path: Path, ip: str | None, is_shown: bool) -> None:
    geo = tmp_path / "geo.mmdb"
    geo.write_bytes(mmdb({"185.112.144.0/22": {"country_code": "IS"}}, kind="DBIP-Country-Lite"))
    row = {"url": "https://example.org/", "html": "<p>Die Bibliothek ist jeden Tag geöffnet.</p>", "ip": ip}
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    out = str(tmp_path / "out")
    completed = running.run("census", str(tmp_path / "in.jsonl"), "-o", out, "--workers", "1", "--geo", str(geo))
    assert completed.code == 0 and ("DB-IP" in completed.out) is is_shown
    assert ("DB-IP" in running.run("tables", out, "summary").out) is is_shown
