"""Saved pages, with and without a page list, and archives in a ZIP file."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.census.archive_records import arc, arc_record, http, response, warc
from tests.census.read.helpers import text
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read, wacz
from webtongue.census.read.captures import payload_digest
from webtongue.census.read.inputs import expand_inputs

URL = "https://example.is/"
PAGE = "<p>Góðan dag".encode()


def captures(path: Path, kind: str = "page", **config: Any) -> list[Capture]:
    return list(read(Source(str(path), kind, path.name), Config(**config)))


def of_folder(folder: Path) -> dict[str, Capture]:
    config = Config()
    result = [capture for source in expand_inputs([str(folder)], config) for capture in read(source, config)]
    by_name = {os.path.relpath(capture.filename, folder): capture for capture in result}
    assert len(by_name) == len(result)
    return by_name


def test_a_saved_page(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    [result] = captures(path)
    assert (result.url, result.body, result.record_type, result.filename) == ("", PAGE, "page", "a.html")
    assert (result.digest, result.length, result.fetch_status, result.problem) == (
        payload_digest(PAGE),
        len(PAGE),
        200,
        Problem.NONE,
    )


def test_the_url_is_read_from_a_browser_comment(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<!DOCTYPE html>\n<!-- saved from url=(0019)https://example.is/ -->\n" + PAGE)
    assert captures(path)[0].url == URL


def test_a_long_page_is_truncated_without_a_digest(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(PAGE * 10)
    [result] = captures(path, max_page_bytes=20)
    assert (result.body, result.truncated, result.digest) == ((PAGE * 10)[:20], "length", "")


def test_images_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.PNG").write_bytes(b"\x89PNG")
    [result] = captures(tmp_path / "a.PNG")
    assert (result.status, result.body) == (Status.SKIPPED, None)


def test_unreadable_files_become_rows(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "folder.html").mkdir()
    details = []
    for name in ("none.html", "pipe.html", "folder.html", "nul\x00.html", "x" * 5000):
        [result] = captures(tmp_path / name)
        assert (result.problem, result.status) == (Problem.UNREADABLE, Status.FAILED)
        details.append(result.detail)
    assert details[:3] == ["No such file or directory", "a pipe, not a file", "a folder, not a file"]
    for kind in ("warc", "arc", "jsonl", "parquet", "wacz", "folder"):
        [result] = captures(tmp_path / "pipe.html", kind)
        assert (result.problem, result.record_type) == (Problem.UNREADABLE, "damaged")


def test_a_page_list_provides_urls_and_headers(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    for name in ("a.html", "inside/b.html", "unlisted.html"):
        (tmp_path / name).write_bytes(PAGE)
    (tmp_path / "pages.warc.gz").write_bytes(warc([response(URL + "warc")]))
    rows: list[Any] = [
        {
            "file": "a.html",
            "url": URL + "a",
            "headers": {"Content-Type": "text/html; charset=x"},
            "ip": "192.0.2.7",
            "country": "IS",
        },
        {"path": "./inside//b.html", "url": URL + "b", "fetch_status": 404},
        {"file": "missing.html", "url": URL + "missing"},
        {"file": "../outside.html"},
        {"file": "/etc/hostname"},
        {"url": URL + "no file"},
        [],
    ]
    (tmp_path / "index.jsonl").write_text("\n".join([*map(json.dumps, rows), "no json"]), "utf-8")
    config = Config()
    result = [capture for source in expand_inputs([str(tmp_path)], config) for capture in read(source, config)]
    first, second, missing, *bad = result[: len(rows) + 1]
    assert (first.url, first.body, first.ip, first.country, first.mime_type) == (
        URL + "a",
        PAGE,
        "192.0.2.7",
        "IS",
        "text/html",
    )
    assert (second.url, second.body, second.fetch_status) == (URL + "b", PAGE, 404)
    assert (missing.url, missing.problem) == (URL + "missing", Problem.UNREADABLE)
    assert [capture.problem for capture in bad] == [Problem.BAD_ROW] * 5
    rest = result[len(rows) + 1 :]
    assert [(os.path.basename(capture.filename), capture.url) for capture in rest] == [
        ("pages.warc.gz", URL + "warc"),
        ("unlisted.html", ""),
    ]


def test_a_long_page_list_is_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.census.read import inputs

    monkeypatch.setattr(inputs, "PAGES_PER_SOURCE", 7)
    (tmp_path / "a.html").write_bytes(PAGE)
    lines = [json.dumps({"file": "a.html", "url": f"{URL}{number}"}) for number in range(40)]
    lines.insert(5, "")
    (tmp_path / "index.jsonl").write_text("\n".join(lines), "utf-8")
    for given in (tmp_path, tmp_path / "index.jsonl"):
        config = Config()
        sources = list(expand_inputs([str(given)], config))
        assert len(sources) == 6
        result = [capture.url for source in sources for capture in read(source, config)]
        assert result == [f"{URL}{number}" for number in range(40)]


def test_an_index_with_pages_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_text(json.dumps({"url": URL, "html": "<p>"}), "utf-8")
    assert of_folder(tmp_path)["index.jsonl"].url == URL


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


FILES = {
    "datapackage.json": b"{}",
    "archive/a.warc.gz": warc([response(URL + "1", text(1, 50_000)), response(URL + "2", text(2, 50_000))]),
    "archive/b.warc": warc([response(URL + "3")], gz=False),
    "archive/c.arc.gz": arc([arc_record(URL + "4", http(PAGE))]),
    "pages/pages.jsonl": b"{}",
    "archive/notes.txt": b"WARC/1.0",
}


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_wacz(tmp_path: Path, compression: int) -> None:
    path = tmp_path / "x.wacz"
    path.write_bytes(zipped(FILES, compression))
    result = captures(path, "wacz")
    assert [capture.url for capture in result] == [URL + number for number in "1234"]
    assert [capture.filename for capture in result] == [
        f"x.wacz/archive/{name}" for name in ("a.warc.gz", "a.warc.gz", "b.warc", "c.arc.gz")
    ]
    assert (result[1].offset, result[1].body) == (result[0].length, text(2, 50_000))


def test_damaged_wacz_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.wacz"
    raw = zipped(FILES)
    for number in range(0, len(raw), max(len(raw) // 80, 1)):
        path.write_bytes(raw[:number] + b"\xff\xff\xff" + raw[number + 3 :])
        assert captures(path, "wacz")
        path.write_bytes(raw[:number])
        assert captures(path, "wacz")[-1].problem is Problem.UNREADABLE


def test_a_wacz_directory_has_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.wacz"
    path.write_bytes(zipped({f"archive/{number}.warc": b"" for number in range(500)}))
    monkeypatch.setattr(wacz, "MAX_DIRECTORY_BYTES", 10_000)
    [result] = captures(path, "wacz")
    assert result.problem is Problem.UNREADABLE
    assert "its directory has" in result.detail
