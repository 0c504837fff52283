"""The archive: responses are stored as received, a damaged end is cut off, and other tools can read it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

warcio = pytest.importorskip("warcio", reason="archives need warcio: pip install 'webtongue[crawl]'")

from warcio.archiveiterator import ArchiveIterator  # noqa: E402

from webtongue import identify  # noqa: E402
from webtongue.crawl.archive import Archive, Capture  # noqa: E402

PAGE = "<html lang=is><p>Bókasafnið er opið alla daga frá klukkan níu.".encode()


def make_capture(number: int = 1, body: bytes = PAGE, **changes: object) -> Capture:
    fields = {"status": 200, "protocol": "HTTP/1.1", "ip": "192.0.43.10", "method": "GET"} | changes
    headers = [
        (b"Content-Type", b"text/html"),
        (b"X-Odd", b"\xff\x80 caf\xe9"),
        (b"Set-Cookie", b"a"),
        (b"Set-Cookie", b"b"),
    ]
    return Capture(
        f"http://example.is/{number}?a=b",
        headers=headers,
        body=body,
        request_headers=[(b"User-Agent", b"test")],
        **fields,
    )  # type: ignore[arg-type]


def read_records(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    records = []
    with path.open("rb") as file:
        for record in ArchiveIterator(file, no_record_parse=True):
            records.append((record.rec_type, dict(record.rec_headers.headers), record.raw_stream.read()))
    return records


def open_archive(path: Path, end: int | None = None) -> Archive:
    return Archive(path, "webtongue/test", "test", end)


def test_a_capture(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    compressed = gzip.compress(PAGE)
    archive = open_archive(path)
    start, size = archive.write(make_capture(body=compressed), identify(PAGE))
    archive.close()
    assert start + size == path.stat().st_size
    info, response, request, metadata = read_records(path)
    assert [info[0], response[0], request[0], metadata[0]] == ["warcinfo", "response", "request", "metadata"]
    head, _, body = response[2].partition(b"\r\n\r\n")
    assert body == compressed  # as received, not decompressed
    assert head.startswith(b"HTTP/1.1 200 OK\r\n") and head.count(b"Set-Cookie") == 2 and b"caf\xe9" in head
    assert response[1]["WARC-IP-Address"] == "192.0.43.10"
    assert request[2].startswith(b"GET /1?a=b HTTP/1.1\r\nHost: example.is\r\n")
    assert json.loads(metadata[2])["webtongue"]["label"] == "isl_Latn"
    assert metadata[1]["WARC-Concurrent-To"] == request[1]["WARC-Concurrent-To"] == response[1]["WARC-Record-ID"]


@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b\x08\x00half a member", b"\0" * 5000])
def test_a_truncated_end_is_cut_off(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.warc.gz"
    archive = open_archive(path)
    archive.write(make_capture(1), None)
    end = archive.size
    archive.write(make_capture(2), None)
    archive._file.write(damage)
    archive.close()
    archive = open_archive(path, end)
    archive.write(make_capture(3), identify(PAGE))
    archive.close()
    urls = [fields["WARC-Target-URI"] for kind, fields, _ in read_records(path) if kind == "response"]
    assert [url[-5] for url in urls] == ["1", "3"]
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(path)], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout


def test_line_breaks_in_headers_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    archive = open_archive(path)
    headers = [(b"X", b"a\r\n\r\nWARC/1.1")]
    archive.write(Capture("http://example.is/", 200, "HTTP/1.1", headers, b"", "", "GET", []), None)
    archive.close()
    response = next(block for kind, _, block in read_records(path) if kind == "response")
    assert response.count(b"\r\n\r\n") == 1
