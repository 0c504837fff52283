"""Tests of ``webtongue estimate``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import run

CRAWL = str(Path(__file__).parents[2] / "examples" / "crawl.warc.gz")


def test_an_estimate_prints_languages_and_budgets(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("estimate", "--local", CRAWL, "--budget", "300", "-o", str(out), "--crawl", "demo")
    assert done.code == 0, done.err
    assert "644 of them may be pages" in done.plain and "300 records of" in done.plain
    assert "English" in done.plain and "What other budgets would buy" in done.plain and "webtongue report" in done.plain
    assert "Undetermined" in done.plain and not re.search(r"\bund\b", done.plain)
    english = next(line for line in done.plain.splitlines() if line.startswith("English")).split()
    assert re.fullmatch(r"\d+\.\d%", english[2])  # 640 pages support one decimal
    tables = run("tables", str(out), "pages_by_language", "--top", "3")
    assert all(word in tables.plain for word in english[2:4])  # the same share and interval
    assert (
        tables.code == 0
        and "English" in tables.plain
        and "Estimated from 300 of 644 records" in tables.plain.replace("\n", " ")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--local", CRAWL], "'--output' / '-o'"),
        (["--local", CRAWL, "-o", "OUT", "--seed", "-1"], "Invalid value for '--seed'"),
        (["missing.parquet", "-o", "OUT"], "missing.parquet cannot be read as an index"),
        (["--local", "missing.warc.gz", "-o", "OUT"], "nothing to read"),
        (["--local", CRAWL, "-o", "s3://bucket/run"], "s3://bucket/run is a URL: an estimate is small"),
        ([CRAWL, "-o", "OUT"], "is an archive, not an index: add --local"),
        ([__file__, "--local", "-o", "OUT"], "--local reads WARC and ARC files"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = run("estimate", *[str(tmp_path / "out") if argument == "OUT" else argument for argument in arguments])
    assert done.code in (1, 2) and message in done.err and "Traceback" not in done.err
    assert not (tmp_path / "out").exists()


def test_unreachable_archives_are_a_failure_with_the_first_reason(tmp_path: Path) -> None:
    lines = [
        f'com,example)/ 2024 {{"url": "http://example.com/{n}", "status": "200", "offset": "{n}", "length": "9", "filename": "crawl-data/a.warc.gz"}}'
        for n in range(60)
    ]
    (tmp_path / "a.cdxj").write_text("\n".join(lines) + "\n")
    done = run("estimate", str(tmp_path / "a.cdxj"), "--budget", "50", "-o", str(tmp_path / "out"))
    assert done.code == 1 and "50 of 50 records could not be fetched" in done.err
    assert "crawl-data/a.warc.gz at byte" in done.err and "No such file" in done.err
    assert not (tmp_path / "out").exists()


def test_a_folder_can_be_used_after_a_failure(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert run("estimate", str(tmp_path / "missing.parquet"), "-o", out).code in (1, 2)
    done = run("estimate", "--local", CRAWL, "--budget", "20", "-o", out)
    assert done.code == 0, done.err
