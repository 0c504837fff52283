"""``webtongue decode``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.cases import PAGES

CZECH = "Knihovna je otevřena každý den kromě neděle, od devíti ráno do šesti večer."


def run(*arguments: str, feed: bytes = b"") -> bytes:
    code = "from webtongue.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], input=feed, capture_output=True, check=True).stdout


def test_any_encoding_in_utf8_out() -> None:
    assert run("decode", "-", feed=CZECH.encode("cp1250")).decode() == CZECH


def test_json(tmp_path: Path) -> None:
    twice = "Das Café öffnet früh am Morgen".encode().decode("cp1252")
    (tmp_path / "a.txt").write_bytes(CZECH.encode("iso8859-2"))
    (tmp_path / "b.txt").write_text(twice, "utf-8")
    first, second = (json.loads(line) for line in run("decode", "--json", str(tmp_path)).splitlines())
    assert (first["file"], first["encoding"], first["text"]) == ("a.txt", "iso-8859-2", CZECH)
    assert (second["encoding"], second["text"], second["repaired"]) == (
        "utf-8",
        twice,
        "Das Café öffnet früh am Morgen",
    )
    assert run("decode", "--repair", str(tmp_path / "b.txt")).decode() == second["repaired"]


def test_explain() -> None:
    said = run("decode", "--explain", str(PAGES / "ru-pogoda.html"), str(PAGES / "zxx-pixel.png")).decode()
    assert "windows-1251" in said
    assert "declared: windows-1252" in said
    assert "no text: PNG image" in said
