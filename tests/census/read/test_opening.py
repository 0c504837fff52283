"""Addresses: a store that refuses for now is asked again, one that breaks off is read on from where it stopped."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import fsspec
import pytest

from tests.census.making import response, warc
from tests.census.read.reading import crawl, text
from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import opening, read
from webtongue.census.read.inputs import sources_of
from webtongue.errors import MissingExtra

DATA = warc([*crawl(12), response("https://example.org/large", text(1, 600_000))])
URLS = [f"https://example.org/{number}" for number in range(12)] + ["https://example.org/large"]
Answer = Callable[[http.server.BaseHTTPRequestHandler, int], None]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """An address at which every request is answered by a function of it and its number."""
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
    handler: http.server.BaseHTTPRequestHandler, ranges: bool = True, most: int = 10**9, sized: bool = True
) -> None:
    """Send the file, or the part that is asked for; ``most`` bytes of it, and then break off."""
    begin, end = 0, len(DATA)
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers.get("Range", ""))
    if asked and ranges:
        begin, end = int(asked[1]), min(int(asked[2] or len(DATA)) + 1, len(DATA))
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(DATA)}")
    else:
        handler.send_response(200)
    if sized:
        handler.send_header("Content-Length", str(end - begin))
    handler.send_header("Content-Encoding", "gzip")  # as careless servers do, of a file that is to stay packed
    handler.end_headers()
    if handler.command == "GET":
        handler.wfile.write(DATA[begin : min(end, begin + most)])
        handler.wfile.flush()
    handler.close_connection = True


def urls(address: str, waits: list[float], **config: Any) -> list[str]:
    found = list(read(Source(address, "warc"), Config(**config), waits.append))
    assert not [capture.detail for capture in found if capture.problem]
    return [capture.url for capture in found]


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_a_store_that_refuses_for_now_is_asked_again(status: int) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        if number < 4:  # each attempt asks twice: for the head, and if that is refused for the file
            refuse(handler, status)
        else:
            give(handler)

    waits: list[float] = []
    with served(answer) as address:
        assert urls(address, waits) == URLS
    assert len(waits) == 2
    assert 0.25 <= waits[0] <= 0.75
    assert 0.5 <= waits[1] <= 1.5


def test_a_store_that_says_when() -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        if number < 2:
            refuse(handler, 503, "7")
        else:
            give(handler)

    waits: list[float] = []
    with served(answer) as address:
        assert urls(address, waits) == URLS
    assert waits == [7.0]


@pytest.mark.parametrize(("status", "attempts"), [(404, 0), (401, 0), (503, 3)])
def test_a_store_that_does_not_relent(status: int, attempts: int) -> None:
    waits: list[float] = []
    with served(lambda handler, _: refuse(handler, status)) as address:
        [found] = read(Source(address, "warc", "name"), Config(retries=3), waits.append)
    assert (found.problem, found.filename, len(waits)) == (Problem.UNREADABLE, "name", attempts)
    assert str(status) in found.detail


def test_nobody_is_there() -> None:
    waits: list[float] = []
    with served(lambda handler, _: give(handler)) as address:
        pass
    [found] = read(Source(address, "warc"), Config(retries=2), waits.append)
    assert (found.problem, len(waits)) == (Problem.UNREADABLE, 2)


@pytest.mark.parametrize("ranges", [True, False])
def test_reading_goes_on_where_a_stream_broke(ranges: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a server gives whole files alone: then what was read already is passed over."""
    monkeypatch.setattr(opening, "BLOCK", 50_000)
    broken: list[int] = []

    def answer(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
        fails = handler.command == "GET" and number % 3 == 2 and len(broken) < 4
        if fails:
            broken.append(number)
        give(handler, ranges, most=len(DATA) // 3 if not ranges else 20_000) if fails else give(handler, ranges)

    waits: list[float] = []
    with served(answer) as address:
        assert urls(address, waits) == URLS
    assert broken
    assert len(waits) >= len(broken) - 1


def test_a_stream_of_unknown_length() -> None:
    waits: list[float] = []
    with served(lambda handler, _: give(handler, ranges=False, sized=False)) as address:
        assert urls(address, waits) == URLS


def test_a_list_of_addresses(tmp_path: Any) -> None:
    (tmp_path / "warc.paths").write_text("a.warc.gz\nb.warc.gz\n")
    with served(lambda handler, _: give(handler)) as address:
        config = Config(prefix=address.removesuffix("a.warc.gz"))
        sources = list(sources_of([str(tmp_path / "warc.paths")], config))
        found = [capture for source in sources for capture in read(source, config)]
    assert [capture.url for capture in found] == URLS * 2
    assert {capture.filename for capture in found} == {"a.warc.gz", "b.warc.gz"}


def test_addresses_without_a_network() -> None:
    store = fsspec.filesystem("memory")
    store.pipe("/census/a.warc.gz", DATA)
    store.pipe("/census/sub/b.html", b"<p>Salve")
    store.pipe("/census/list.paths", b"memory://census/a.warc.gz\n")
    store.pipe("/census/unnamed", DATA)
    assert urls("memory://census/a.warc.gz", []) == URLS
    found = [(source.path, source.kind, source.size) for source in sources_of(["memory://census/"], Config())]
    assert found == [
        ("memory:///census/a.warc.gz", "warc", len(DATA)),
        ("memory:///census/list.paths", "page", 26),
        ("memory:///census/sub/b.html", "page", 8),
        ("memory:///census/unnamed", "page", len(DATA)),
    ]
    assert [source.kind for source in sources_of(["memory://census/unnamed"], Config())] == ["warc"]
    [source] = sources_of(["memory://census/list.paths"], Config())
    assert (source.path, source.kind) == ("memory://census/a.warc.gz", "warc")
    [capture] = read(Source("memory://census/sub/b.html", "page"), Config())
    assert capture.body == b"<p>Salve"
    [capture] = read(Source("memory://census/none.warc", "warc"), Config(), lambda _: None)
    assert capture.problem is Problem.UNREADABLE


def test_an_address_that_nothing_knows() -> None:
    [found] = read(Source("gopher9://example.org/a.warc", "warc"), Config())
    assert found.problem is Problem.UNREADABLE


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(MissingExtra, match=r"webtongue\[remote\]"):
        list(read(Source("s3://bucket/a.warc", "warc"), Config()))


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of moto's S3 server, with what fsspec needs to find it in the environment."""
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
    assert [(source.path, source.kind) for source in sources_of([bucket + "seg/"], Config())] == [
        (bucket + "seg/a.warc.gz", "warc"),
        (bucket + "seg/b.jsonl", "jsonl"),
    ]
    [source] = sources_of([bucket + "warc.paths.gz"], Config(prefix=bucket))
    assert (source.path, source.name) == (bucket + "seg/a.warc.gz", "seg/a.warc.gz")
    [missing] = read(Source(bucket + "none.warc.gz", "warc"), Config(), lambda _: None)
    assert missing.problem is Problem.UNREADABLE
