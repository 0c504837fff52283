"""Remote files: temporary errors are retried, and reading continues after a lost connection."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import fsspec
import pytest

from tests.census.archive_records import response, warc
from tests.census.read.helpers import crawl, text
from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read, remote_io
from webtongue.census.read.inputs import expand_inputs
from webtongue.errors import MissingExtra

DATA = warc([*crawl(12), response("https://example.org/large", text(1, 600_000))])
URLS = [f"https://example.org/{number}" for number in range(12)] + ["https://example.org/large"]
Answer = Callable[[http.server.BaseHTTPRequestHandler, int], None]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """Serve every request by a function of the request and its number, and give the URL."""
    numbers = iter(range(10**6))

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, next(numbers))

        do_HEAD = do_GET

        def log_message(self, *_: Any) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/a.warc.gz"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def refuse(handler: http.server.BaseHTTPRequestHandler, status: int, after: str = "") -> None:
    handler.send_response(status)
    if after:
        handler.send_header("Retry-After", after)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def give(
    handler: http.server.BaseHTTPRequestHandler, ranges: bool = True, max_bytes: int = 10**9, sized: bool = True
) -> None:
    """Send the file, or the requested range; close the connection after ``max_bytes``."""
    begin, end = 0, len(DATA)
    requested = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers.get("Range", ""))
    if requested and ranges:
        begin, end = int(requested[1]), min(int(requested[2] or len(DATA)) + 1, len(DATA))
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(DATA)}")
    else:
        handler.send_response(200)
    if sized:
        handler.send_header("Content-Length", str(end - begin))
    handler.send_header("Content-Encoding", "gzip")  # as some servers send for compressed files
    handler.end_headers()
    if handler.command == "GET":
        handler.wfile.write(DATA[begin : min(end, begin + max_bytes)])
        handler.wfile.flush()
    handler.close_connection = True


def urls(url: str, waits: list[float], **config: Any) -> list[str]:
    result = list(read(Source(url, "warc"), Config(**config), waits.append))
    assert not [capture.detail for capture in result if capture.problem]
    return [capture.url for capture in result]


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_temporary_errors_are_retried(status: int) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        if number < 4:  # each attempt sends two requests: HEAD, and GET if that is refused
            refuse(handler, status)
        else:
            give(handler)

    waits: list[float] = []
    with served(answer) as url:
        assert urls(url, waits) == URLS
    assert len(waits) == 2
    assert 0.25 <= waits[0] <= 0.75
    assert 0.5 <= waits[1] <= 1.5


def test_retry_after_is_honoured() -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        if number < 2:
            refuse(handler, 503, "7")
        else:
            give(handler)

    waits: list[float] = []
    with served(answer) as url:
        assert urls(url, waits) == URLS
    assert waits == [7.0]


@pytest.mark.parametrize(("status", "attempts"), [(404, 0), (401, 0), (503, 3)])
def test_permanent_errors_become_a_row(status: int, attempts: int) -> None:
    waits: list[float] = []
    with served(lambda handler, _: refuse(handler, status)) as url:
        [result] = read(Source(url, "warc", "name"), Config(retries=3), waits.append)
    assert (result.problem, result.filename, len(waits)) == (Problem.UNREADABLE, "name", attempts)
    assert str(status) in result.detail


def test_a_refused_connection_is_retried() -> None:
    waits: list[float] = []
    with served(lambda handler, _: give(handler)) as url:
        pass
    [result] = read(Source(url, "warc"), Config(retries=2), waits.append)
    assert (result.problem, len(waits)) == (Problem.UNREADABLE, 2)


@pytest.mark.parametrize("ranges", [True, False])
def test_reading_continues_after_a_lost_connection(ranges: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if a server sends only whole files: then the part that was already read is skipped."""
    monkeypatch.setattr(remote_io, "BLOCK_BYTES", 50_000)
    broken: list[int] = []

    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        fails = handler.command == "GET" and number % 3 == 2 and len(broken) < 4
        if fails:
            broken.append(number)
        give(handler, ranges, max_bytes=len(DATA) // 3 if not ranges else 20_000) if fails else give(handler, ranges)

    waits: list[float] = []
    with served(answer) as url:
        assert urls(url, waits) == URLS
    assert broken
    assert len(waits) >= len(broken) - 1


def test_a_stream_of_unknown_length() -> None:
    waits: list[float] = []
    with served(lambda handler, _: give(handler, ranges=False, sized=False)) as url:
        assert urls(url, waits) == URLS


def test_a_list_of_urls_is_read(tmp_path: Any) -> None:
    (tmp_path / "warc.paths").write_text("a.warc.gz\nb.warc.gz\n")
    with served(lambda handler, _: give(handler)) as url:
        config = Config(prefix=url.removesuffix("a.warc.gz"))
        sources = list(expand_inputs([str(tmp_path / "warc.paths")], config))
        result = [capture for source in sources for capture in read(source, config)]
    assert [capture.url for capture in result] == URLS * 2
    assert {capture.filename for capture in result} == {"a.warc.gz", "b.warc.gz"}


def test_fsspec_urls_are_read() -> None:
    store = fsspec.filesystem("memory")
    store.pipe("/census/a.warc.gz", DATA)
    store.pipe("/census/sub/b.html", b"<p>Salve")
    store.pipe("/census/list.paths", b"memory://census/a.warc.gz\n")
    store.pipe("/census/unnamed", DATA)
    assert urls("memory://census/a.warc.gz", []) == URLS
    result = [(source.path, source.kind, source.size) for source in expand_inputs(["memory://census/"], Config())]
    assert result == [
        ("memory:///census/a.warc.gz", "warc", len(DATA)),
        ("memory:///census/list.paths", "page", 26),
        ("memory:///census/sub/b.html", "page", 8),
        ("memory:///census/unnamed", "page", len(DATA)),
    ]
    assert [source.kind for source in expand_inputs(["memory://census/unnamed"], Config())] == ["warc"]
    [source] = expand_inputs(["memory://census/list.paths"], Config())
    assert (source.path, source.kind) == ("memory://census/a.warc.gz", "warc")
    [capture] = read(Source("memory://census/sub/b.html", "page"), Config())
    assert capture.body == b"<p>Salve"
    [capture] = read(Source("memory://census/none.warc", "warc"), Config(), lambda _: None)
    assert capture.problem is Problem.UNREADABLE


def test_an_unknown_scheme_becomes_a_row() -> None:
    [result] = read(Source("gopher9://example.org/a.warc", "warc"), Config())
    assert result.problem is Problem.UNREADABLE


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(MissingExtra, match=r"webtongue\[census\]"):
        list(read(Source("s3://bucket/a.warc", "warc"), Config()))


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run moto's S3 server with a bucket, and set the environment that fsspec needs."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in (("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_DEFAULT_REGION", "us-east-1"), ("AWS_ENDPOINT_URL", f"http://{host}:{port}")):  # fmt: skip
            monkeypatch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        store = s3fs.S3FileSystem(skip_instance_cache=True)
        store.mkdir("crawl")
        store.pipe("crawl/seg/a.warc.gz", DATA)
        store.pipe("crawl/seg/b.jsonl", b'{"url": "https://example.org/b", "html": "<p>"}')
        store.pipe("crawl/warc.paths.gz", __import__("gzip").compress(b"seg/a.warc.gz\n"))
        yield "s3://crawl/"
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        server.stop()


def test_s3(bucket: str) -> None:
    assert urls(bucket + "seg/a.warc.gz", []) == URLS
    assert [(source.path, source.kind) for source in expand_inputs([bucket + "seg/"], Config())] == [
        (bucket + "seg/a.warc.gz", "warc"),
        (bucket + "seg/b.jsonl", "jsonl"),
    ]
    [source] = expand_inputs([bucket + "warc.paths.gz"], Config(prefix=bucket))
    assert (source.path, source.name) == (bucket + "seg/a.warc.gz", "seg/a.warc.gz")
    [missing] = read(Source(bucket + "none.warc.gz", "warc"), Config(), lambda _: None)
    assert missing.problem is Problem.UNREADABLE
