"""The table of bench/main_text_scores.py."""

from __future__ import annotations

from tests.bench.scripts import run_with_script

CODE = """
import importlib.metadata
importlib.metadata.version = lambda name: {"webtongue": "1.0.0", "trafilatura": "2.3.1"}[name]
script.extractors = lambda: {name: lambda html, language: html for name in ("webtongue", "trafilatura")}
script.report_scores(list(script.marked_pages())[:2], 1)
"""


def test_rows_have_the_versions_that_were_measured() -> None:
    completed = run_with_script("main_text_scores", CODE)
    assert completed.returncode == 0, completed.stderr
    assert "\n| webtongue 1.0.0 | " in completed.stdout and "\n| trafilatura 2.3.1 | " in completed.stdout
