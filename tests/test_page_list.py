"""Tests of page lists: the command line and the census read them alike, and an invalid line does not affect others."""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from webtongue import page_list
from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.read import read
from webtongue.census.read.inputs import expand_inputs
from webtongue.cli.sources import Item, Known, items
from webtongue.errors import UnreadableFile
from webtongue.page import Inlink
from webtongue.page_list import Entry, entries, is_page_list, path_of

PAGE = b"<p>Foto Album"
ROW: dict[str, Any] = {
    "file": "a.html", "url": "https://example.is/a", "headers": {"content-language": "is"}, "ip": "192.0.2.7", "country": "IS",
    "inlinks": [{"url": "https://other.example/", "language": "is", "anchor": "Myndir"}, 7], "host": {"isl": 40, "eng": 2},
}  # fmt: skip


def write_list(folder: Path, *rows: Any) -> Path:
    path = folder / page_list.INDEX
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def read_by_census(path: Path, **settings: Any) -> list[Capture]:
    config = Config(**settings)
    return [capture for source in expand_inputs([str(path)], config) for capture in read(source, config)]


def read_by_command(path: Path) -> list[Item]:
    return list(items([str(path)], Known()))


def test_both_readers_return_the_same_hints(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(PAGE)
    rows = [ROW, {**ROW, "ip": None, "ip_address": "192.0.2.8"}, {"path": "./a.html"}]
    write_list(tmp_path, *rows)
    captures, items = read_by_census(tmp_path / page_list.INDEX), read_by_command(tmp_path / page_list.INDEX)
    assert len(captures) == len(items) == 3
    for capture, item in zip(captures, items, strict=True):
        page = item.page
        assert page is not None and page.raw == capture.body == PAGE
        assert (capture.url, capture.ip, capture.country) == (page.url or "", page.ip or "", page.country or "")
        assert (capture.headers, capture.inlinks, capture.host) == (page.headers, page.inlinks, page.host)
    assert captures[0].inlinks == (Inlink("https://other.example/", "is", anchor="Myndir"),)
    assert captures[0].host == {"isl": 40, "eng": 2} and captures[1].ip == "192.0.2.8"


@pytest.mark.parametrize(
    "row",
    [
        "{", "[]", "7", '{"file": "a.html", "n": NaN}', {"url": "x"}, {"file": 3}, {"file": "a.html", "url": 5},
        {"file": "a.html", "headers": ["x"]}, {"file": "a.html", "inlinks": {}}, {"file": "a.html", "host": "example.is"},
        {"file": "../a.html"}, {"file": "/etc/hostname"},
    ],
)  # fmt: skip
def test_both_readers_refuse_the_same_lines(tmp_path: Path, row: Any) -> None:
    (tmp_path / "a.html").write_bytes(PAGE)
    path = write_list(tmp_path, ROW, row)
    [good, bad], [page, item] = read_by_census(path), read_by_command(path)
    assert good.url == ROW["url"] and page.page is not None
    assert bad.problem == "bad_row" and item.trouble.endswith(bad.detail) and bad.detail


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(
    "bad", ['{"file": "b.html", "url": "https://example.is/b"', '{"fiel": "b.html"}', "nonsense", "[]"]
)
def test_an_invalid_line_does_not_affect_others(tmp_path: Path, bad: str, at: int) -> None:
    for name in ("a.html", "b.html", "c.html"):
        (tmp_path / name).write_bytes(PAGE)
    rows: list[Any] = [{**ROW, "file": name, "url": f"https://example.is/{name}"} for name in ("a.html", "c.html")]
    rows.insert(at, bad)
    write_list(tmp_path, *rows)
    captures = read_by_census(tmp_path)
    known = {
        os.path.basename(item.filename): (item.url, item.ip, item.country) for item in captures if not item.problem
    }
    assert known["a.html"] == ("https://example.is/a.html", "192.0.2.7", "IS")
    assert known["c.html"] == ("https://example.is/c.html", "192.0.2.7", "IS")
    assert known["b.html"] == ("", "", "")
    assert [item.problem for item in captures if item.problem] == ["bad_row"]


def test_the_majority_of_lines_decides_whether_a_file_is_a_page_list() -> None:
    listing, holding, bad = b'{"file": "a"}\n', b'{"url": "u", "html": "<p>"}\n', b"{\n"
    for lines, expected in (
        (listing, True), (holding, False), (bad + listing, True), (bad * 3 + holding, False), (listing + holding * 2, False),
        (listing * 2 + holding, True), (bad, True), (b"", True), (b'{"path": "/news", "html": "<p>"}\n', False),
        (b'{"file": "a.html", "text": "a note"}\n', True),
    ):  # fmt: skip
        assert is_page_list(BytesIO(lines)) is expected, lines
    assert not is_page_list(BytesIO(b'{"body": "<p>"}'), ("body",))


def test_a_part_of_a_list(tmp_path: Path) -> None:
    raw = b'\xef\xbb\xbf{"file": "a"}\n\n{"file": "b"}\r\n{"file": "c"}'
    whole = list(entries(BytesIO(raw)))
    assert [(item.number, item.file) for item in whole] == [(1, "a"), (3, "b"), (4, "c")]
    for begin in range(len(whole)):
        for end in range(begin + 1, len(whole)):
            some = entries(BytesIO(raw), whole[begin].offset, whole[end].offset)
            assert [item.file for item in some] == [item.file for item in whole[begin:end]]


def test_symbolic_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "pages"
    for path in (outside / "a.html", folder / "inner" / "b.html"):
        path.parent.mkdir(parents=True)
        path.write_bytes(PAGE)
    (folder / "link").symlink_to(outside)
    (folder / "same").symlink_to("inner")
    (folder / "file.html").symlink_to(outside / "a.html")
    for name in ("inner/b.html", "same/b.html", "file.html"):  # as a walk through the folder finds, or by another name
        assert Path(path_of(str(folder), Entry(1, file=name))).read_bytes() == PAGE
    for name in (
        "link/a.html",
        "../outside/a.html",
        "inner/../../outside/a.html",
        "same/../../../outside/a.html",
        "link/b/a",
    ):
        with pytest.raises(UnreadableFile, match="outside the folder"):
            path_of(str(folder), Entry(1, file=os.path.normpath(name)))
    write_list(folder, {"file": "link/a.html", "url": "https://example.is/"}, {"file": "inner/b.html"})
    first, second, *_ = read_by_census(folder)
    assert (first.problem, first.body, first.url) == ("bad_row", None, "https://example.is/")
    assert second.body == PAGE
    troubles = [item.trouble for item in read_by_command(folder / page_list.INDEX)]
    assert troubles == ["outside the folder of its index: a folder on its way is a link", ""]
