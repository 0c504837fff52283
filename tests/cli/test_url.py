"""``webtongue url``."""

from __future__ import annotations

import json
import subprocess
import sys


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
    assert (rows[2]["reason"], rows[2]["why"]) == ("not_a_url", "not a URL")
