"""Tests of the inputs of commands: one item for everything in a folder, without blocking."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from webtongue import page_list
from webtongue.cli import sources
from webtongue.cli.sources import Item, Known, items, texts


def read_items(*paths: Path | str, known: Known | None = None) -> list[Item]:
    return list(items([str(path) for path in paths], known or Known()))


def names(*paths: Path | str) -> list[str]:
    return [item.name for item in read_items(*paths)]


def troubles(*paths: Path | str) -> dict[str, str]:
    return {item.name: item.trouble for item in read_items(*paths) if item.trouble}


def make(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def test_files_of_a_folder_are_sorted_by_relative_path(tmp_path: Path) -> None:
    make(tmp_path, b_html="b", a__z_html="z", a_html="a", a__b__c_html="c")
    assert names(tmp_path) == ["a/b/c.html", "a/z.html", "a.html", "b.html"]
    assert names(tmp_path / "a", tmp_path / "b.html") == [
        f"{tmp_path}/a/b/c.html", f"{tmp_path}/a/z.html", f"{tmp_path}/b.html",
    ]  # fmt: skip


def test_special_files_have_a_reason_and_do_not_block(tmp_path: Path) -> None:
    make(tmp_path, a_html="a")
    os.mkfifo(tmp_path / "pipe")
    os.symlink("nowhere", tmp_path / "broken")
    os.symlink("loop", tmp_path / "loop")
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.getcwd()
        os.chdir(tmp_path)  # the name of a socket has to be short
        try:
            bound.bind("sock")
        finally:
            os.chdir(here)
        messages = troubles(tmp_path, tmp_path / "missing", "/dev/null", tmp_path / "pipe")
    messages = {Path(name).name: why for name, why in messages.items()}
    assert messages == {
        "pipe": "a pipe, not a file",
        "broken": "No such file or directory",
        "loop": "Too many levels of symbolic links",
        "sock": "a socket, not a file",
        "missing": "No such file or directory",
        "null": "a device, not a file",
    }


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, in__a_html="a", out__b_html="b")
    os.symlink("..", tmp_path / "in" / "up")
    os.symlink(".", tmp_path / "in" / "self")
    os.symlink("../out/b.html", tmp_path / "in" / "file")
    assert names(tmp_path / "in") == ["a.html", "file"]
    os.symlink("in", tmp_path / "asked")
    assert names(tmp_path / "asked") == ["a.html", "file"]


def test_unreadable_files_are_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, a_html="a", locked__b_html="b", secret_html="s")

    def refusing(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(path: Any, *rest: Any, **more: Any) -> Any:
            if str(path).endswith(("secret.html", "locked")):  # permissions do not hold for root
                raise PermissionError(13, "Permission denied", str(path))
            return call(path, *rest, **more)

        return instead

    monkeypatch.setattr(os, "open", refusing(os.open))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    assert names(tmp_path) == ["a.html", "locked/", "secret.html"]
    assert troubles(tmp_path) == {"locked/": "Permission denied", "secret.html": "Permission denied"}


def test_files_that_disappear_are_items(tmp_path: Path) -> None:
    make(tmp_path, a_html="a", b_html="b", c_html="c")
    walk = items([str(tmp_path)], Known())
    first = next(walk)
    (tmp_path / "b.html").unlink()
    os.mkfifo(tmp_path / "b.html")
    assert [(item.name, item.trouble) for item in (first, *walk)] == [
        ("a.html", ""), ("b.html", "a pipe, not a file"), ("c.html", ""),
    ]  # fmt: skip


def test_pages_are_read_lazily(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, **{f"p{number}_html": "x" for number in range(50)})
    read: list[str] = []
    opened = sources._file
    monkeypatch.setattr(sources, "_file", lambda path: read.append(path) or opened(path))
    walk = items([str(tmp_path)], Known())
    next(walk)
    next(walk)
    assert len(read) == 2


def test_long_pages_are_truncated_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_bytes(b"x" * 100_000)
    (item,) = read_items(path, known=Known(limit=70_000))
    assert item.page is not None and len(item.page.raw) == 70_000 and item.cut
    (item,) = read_items(path, known=Known(limit=100_000))
    assert item.page is not None and len(item.page.raw) == 100_000 and not item.cut
    (item,) = read_items(path, known=Known(limit=99_999, whole=True))
    assert item.page is None and item.trouble.startswith("longer than")


def test_sparse_files_are_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "hole"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    (item,) = read_items(path)
    assert item.cut and item.page is not None and len(item.page.raw) == sources.MAX_PAGE_BYTES


def index_of(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "index.jsonl"
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return path


def test_an_index_has_the_hints_of_pages(tmp_path: Path) -> None:
    make(tmp_path, a_html="a", b_html="b")
    row = (
        '{"file": "./b.html", "url": "http://b.de/", "headers": {"Content-Language": "de"}, "ip": "192.0.2.7", "n": 1}'
    )
    index_of(tmp_path, row, "")
    first, second = read_items(tmp_path)
    assert first.keys == {"file": "a.html"}
    assert second.page is not None and second.page.url == "http://b.de/" and second.page.ip == "192.0.2.7"
    assert second.page.header("content-language") == "de"
    assert second.keys["n"] == 1 and second.keys["url"] == "http://b.de/"


def test_an_index_keeps_its_order(tmp_path: Path) -> None:
    make(tmp_path, a_html="a", b_html="b", c_html="c")
    path = index_of(tmp_path, '{"file": "c.html"}', '{"path": "a.html"}', '{"file": "c.html"}')
    assert names(path) == ["c.html", "a.html", "c.html"]
    assert names(path, tmp_path / "b.html")[:1] == [f"{tmp_path}/c.html"]


def test_invalid_lines_are_items_and_others_are_read(tmp_path: Path) -> None:
    make(tmp_path, a_html="a", b_html="b", d_html="d", e_html="e")
    lines = [
        b'\xef\xbb\xbf{"file": "a.html"}', "{", "[1]", "7", "null", '{"url": "x"}', '{"file": 3}', b'{"file": "\xff"}',
        '{"file": "b.html", "url": 5}', '{"file": "d.html", "headers": ["x"]}', '{"file": "e.html", "ip": {}}',
        '{"file": "gone.html"}', '{"file": "../x"}', '{"file": "/etc/hostname"}', '{"n": NaN, "file": "a.html"}',
        '{"n": 1e999, "file": "a.html"}', "[" * 100_000, '{"file": "a\\u0000b"}', '{"file": "\\ud800"}',
    ]  # fmt: skip
    for paths in ((index_of(tmp_path, *lines),), (tmp_path,)):
        messages = troubles(*paths)
        assert "a.html" not in messages
        assert messages["index.jsonl:2"].startswith("not JSON")
        assert messages["index.jsonl:3"] == "not an object but a list"
        assert messages["index.jsonl:4"] == "not an object but a number"
        assert messages["index.jsonl:5"] == "not an object but null"
        assert messages["index.jsonl:6"] == messages["index.jsonl:7"] == "no file is named"
        assert messages["index.jsonl:8"].startswith("not JSON")
        assert messages["b.html"] == "index.jsonl:9: url is a number, not a string"
        assert messages["d.html"] == "index.jsonl:10: headers are a list, not an object"
        assert messages["e.html"] == "index.jsonl:11: ip is an object, not a string"
        assert messages["gone.html"] == "No such file or directory"
        assert messages["../x"] == messages["/etc/hostname"] == "outside the folder of its index"
        assert "NaN" in messages["index.jsonl:15"] and "1e999" in messages["index.jsonl:16"]
        assert messages["index.jsonl:17"].startswith("not JSON")
        assert messages["a\0b"] and messages["\ud800"]


def test_an_index_that_is_no_file_is_an_item(tmp_path: Path) -> None:
    make(tmp_path, a_html="a")
    os.mkfifo(tmp_path / "index.jsonl")
    assert troubles(tmp_path) == {"index.jsonl": "a pipe, not a file"}
    assert names(tmp_path) == ["index.jsonl", "a.html"]


def test_an_endless_line_is_not_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_list, "MAX_LINE_BYTES", 64)
    file = BytesIO(b'{"file": "a"}\n' + b"x" * 1000 + b'\n{"file": "b"}')
    assert [(row.number, row.file, bool(row.error)) for row in page_list.entries(file)] == [
        (1, "a", False), (2, "", True), (3, "b", False),
    ]  # fmt: skip


def test_lines_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes("Guten Tag\r\n\nКак дела?\n".encode() + b"caf\xe9")
    read_items: Iterator[Item] = texts([str(path), str(tmp_path), "/nowhere"])
    assert [(item.text, item.keys.get("line"), item.trouble) for item in read_items] == [
        ("Guten Tag", 1, ""), ("Как дела?", 3, ""), ("caf\ufffd", 4, ""),
        ("", None, "a folder, not a file"), ("", None, "No such file or directory"),
    ]  # fmt: skip
