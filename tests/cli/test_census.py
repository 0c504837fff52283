"""Tests of the exit codes of ``webtongue census``."""

from __future__ import annotations

from pathlib import Path

from tests.cli import running

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
