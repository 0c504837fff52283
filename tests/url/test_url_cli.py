"""``webtongue url`` and ``webtongue reproduce``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: str, feed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    code = "from webtongue.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], input=feed, capture_output=True)


def test_table() -> None:
    done = run("url", "https://www.example.de/nachrichten/aus-der-region", "javascript:void(0)")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "deu_Latn" in text
    assert "not the address of a page" in text


def test_json_lines_keep_order_and_survive_bad_bytes() -> None:
    feed = b"https://example.fr/les-nouvelles-du-jour\n\nhttp://example.de/%FF\xff\nnonsense\n"
    done = run("url", "--json", "-", feed=feed)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["language"] for row in rows] == ["fr", "und", "und"]
    assert rows[2]["reason"] == "not a URL"


def test_experiments_load_and_ask_for_data() -> None:
    pytest.importorskip("sklearn")
    done = run("reproduce", "baykan2013", "--data", str(Path(__file__).parent))
    assert done.returncode != 0
    assert b"train.tsv.xz is not there" in done.stderr  # loaded, and gone as far as its data


def test_unknown_paper() -> None:
    done = run("reproduce", "nobody1900")
    assert done.returncode != 0
    assert b"no experiment" in done.stderr
