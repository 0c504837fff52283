"""``webtongue census``: how it ends."""

from __future__ import annotations

from pathlib import Path

from tests.cli import running

PAGE = '{"url": "https://example.org/", "html": "<p>Die Bibliothek ist jeden Tag geöffnet, auch am Sonntag.</p>"}\n'
LINK = '{"url": "https://example.org/a", "label": "deu_Latn"}\n'


def census(tmp_path: Path, lines: str) -> running.Done:
    (tmp_path / "in.jsonl").write_text(lines, "utf-8")
    return running.run("census", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out"), "--workers", "1")


def test_lines_without_a_page_are_rows(tmp_path: Path) -> None:
    done = census(tmp_path, PAGE + LINK)
    assert done.code == 0 and "bad row 1" in done.out


def test_a_census_in_which_nothing_could_be_used_is_no_success(tmp_path: Path) -> None:
    done = census(tmp_path, LINK * 3)
    assert done.code == 1 and "problem_list" in done.err and done.err.count("\n") == 1
    listed = running.run("tables", str(tmp_path / "out"), "problem_list", "--format", "csv")
    assert "no html or content or text in it" in listed.out
