"""Tests of ``webtongue decode``: any encoding in, UTF-8 or a message out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cases import PAGES
from tests.cli.running import on_terminal, process, run
from webtongue.cli import decode

CZECH = "Knihovna je otevřena každý den kromě neděle, od devíti ráno do šesti večer."
MISREAD = "Das Café öffnet früh am Morgen".encode().decode("cp1252")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    (pages / "a.html").write_bytes(CZECH.encode("cp1250"))
    (pages / "deep" / "b.html").write_bytes(CZECH.encode("iso8859-2"))
    (pages / "c.png").write_bytes((PAGES / "zxx-pixel.png").read_bytes())
    (pages / "d.html").write_bytes(b"")
    return pages


def test_any_encoding_in_utf8_out() -> None:
    completed = process("decode", "-", feed=CZECH.encode("cp1250"))
    assert (completed.code, completed.out, completed.err) == (0, CZECH, "")


def test_pages_without_text_have_a_reason(folder: Path) -> None:
    for name, why in (
        ("c.png", "PNG image: text in it needs character recognition (OCR) first"),
        ("d.html", "empty"),
        ("x", "No such file or directory"),
    ):
        completed = run("decode", str(folder / name))
        assert (completed.code, completed.out) == (1, "")
        assert completed.err == f"webtongue: {folder / name}: nothing written: {why}\n"


def test_json(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(CZECH.encode("iso8859-2"))
    (tmp_path / "b.txt").write_text(MISREAD, "utf-8")
    os.symlink("nowhere", tmp_path / "c.txt")
    (tmp_path / "index.jsonl").write_text('{"file": "a.txt", "n": 1}')
    completed = run("decode", "--json", str(tmp_path))
    first, second, third = (json.loads(line) for line in completed.lines)
    assert (first["file"], first["encoding"], first["text"], first["n"]) == ("a.txt", "iso-8859-2", CZECH, 1)
    assert (second["encoding"], second["text"], second["repaired"]) == (
        "utf-8",
        MISREAD,
        "Das Café öffnet früh am Morgen",
    )
    assert (third["text"], third["reason"], third["why"]) == ("", "unreadable", "No such file or directory")
    assert completed.code == 1
    assert run("decode", "--repair", str(tmp_path / "b.txt")).out == second["repaired"]


def test_explain() -> None:
    completed = run(
        "decode", "--explain", str(PAGES / "ru-pogoda.html"), str(PAGES / "zxx-pixel.png"), "/nowhere", columns=80
    )
    assert "windows-1251" in completed.out and "declared  windows-1252" in completed.out
    assert "no text  PNG image" in completed.out and "no text  No such file or directory" in completed.out
    assert completed.code == 1 and max(map(len, completed.lines)) <= 80


def test_one_page_is_written_to_a_file(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    assert run("decode", str(folder / "a.html"), "-o", str(out)).code == 0
    assert out.read_text("utf-8") == CZECH
    completed = run("decode", str(folder / "deep" / "b.html"), "-o", f"{tmp_path}/new/")
    assert completed.code == 0 and (tmp_path / "new" / "b.html").read_text("utf-8") == CZECH


def test_several_pages_are_written_to_a_folder(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    completed = run("decode", str(folder), "-o", str(out))
    assert completed.code == 1 and completed.out == ""
    assert "c.png: nothing written: PNG image" in completed.err and "2 of 4 failed" in completed.err
    assert {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()} == {"a.html", "deep/b.html"}
    assert (out / "deep" / "b.html").read_text("utf-8") == CZECH


def test_files_are_replaced_only_with_force(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    out.write_text("mine")
    completed = run("decode", str(folder / "a.html"), "-o", str(out))
    assert completed.code == 1 and "exists; --force replaces it" in completed.err
    assert out.read_text() == "mine"
    assert run("decode", str(folder / "a.html"), "-o", str(out), "--force").code == 0
    assert out.read_text("utf-8") == CZECH
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.html", "pages"]  # nothing is left beside it


def test_in_place_replaces_the_file(folder: Path) -> None:
    page = folder / "a.html"
    assert run("decode", str(page), "-o", str(page), "--force").code == 0
    assert page.read_text("utf-8") == CZECH


def test_symbolic_links_are_not_written_through(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    os.symlink(target, tmp_path / "link")
    for force in ((), ("--force",)):
        assert run("decode", str(folder / "a.html"), "-o", str(tmp_path / "link"), *force).code == 1
    assert target.read_text() == "mine"
    assert run("decode", str(folder / "a.html"), "-o", "/dev/null", "--force").code == 1
    assert os.path.exists("/dev/null") and not os.path.isfile("/dev/null")


def test_nothing_is_written_outside_the_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    os.symlink(tmp_path, out / "deep")  # would lead out of it
    completed = run("decode", str(folder), "-o", str(out))
    assert "is outside" in completed.err and not (tmp_path / "b.html").exists()
    monkeypatch.chdir(folder / "deep")
    out = tmp_path / "other"
    assert run("decode", "../a.html", "b.html", "-o", str(out)).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.html", "b.html"]


def test_two_pages_of_one_name_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "deep" / "a.html").write_text("zwei", "utf-8")
    completed = run(
        "decode", str(folder / "a.html"), str(folder / "deep" / "a.html"), "-o", f"{tmp_path}/out", "--force"
    )
    assert completed.code == 1 and "another page of this run" in completed.err
    assert (tmp_path / "out" / "a.html").read_text("utf-8") == CZECH


def test_control_characters_are_escaped_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<p>\x1b[2J{CZECH}\n\t\u202eEnde", "utf-8")
    shown = on_terminal("decode", str(path)).out
    assert rf"<p>\x1b[2J{CZECH}" in shown and r"\u202eEnde" in shown and "\n" in shown and "\x1b" not in shown
    assert process("decode", str(path)).out == path.read_text("utf-8")
    assert on_terminal("decode", str(path), PYTHONIOENCODING="ascii").out.isascii()


def test_oversized_pages_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MAX_PAGE_BYTES", 1 << 20)
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 40)
    completed = run("decode", str(tmp_path / "hole"))
    assert completed.code == 1 and "longer than 1 MB" in completed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((str(PAGES),), "need a folder"),
        (("a", "b"), "need a folder"),
        (("-", "-"), "only once"),
        (("--json", "--explain", "x"), "--json and --explain"),
        (("--json", "-o", "y", "x"), "-o"),
        (("--explain", "-o", "y", "x"), "-o"),
        (("--json", "--repair", "x"), "--repair"),
        (("--force", "x"), "-o"),
        (("--force", "-o", "-", "x"), "-o"),
        ((str(PAGES), "-o", str(PAGES / "el-elies.html")), "is a file"),
        ((str(PAGES), "-o", str(PAGES / "inside")), "inside"),
        ((), "Missing argument"),
    ],
)
def test_wrong_calls_fail_with_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    completed = run("decode", *arguments)
    assert (completed.code, completed.out) == (2, "")
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err
