"""Limits and errors: each has a status and problem details that say what to do, and no traceback."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.serve.servers import TIMEOUT_SECONDS, Reply, Service, head, receive_all, run_service
from webtongue.serve import app
from webtongue.serve.config import Config, Limits
from webtongue.serve.http import IS_CLOSING, Request
from webtongue.serve.problems import Problem
from webtongue.serve.worker_pool import ClientDisconnected, WorkerPool

TEXT = "text/html"


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    """Run a service with limits that a test can reach."""
    options = {
        "body": "64K",
        "lines": "20",
        "line": "1K",
        "body-seconds": "1",
        "head-seconds": "1",
        "work": "1",
        "held": "300K",
    }
    limits = [part for name, value in options.items() for part in (f"--limit-{name}", value)]
    with run_service("--no-access-log", *limits) as service:
        yield service


def check_problem(reply: Reply, status: int, kind: str) -> dict[str, Any]:
    assert reply.status == status, reply
    assert reply.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = reply.json
    assert (problem["status"], problem["type"]) == (status, f"/docs#{kind}")
    assert problem["title"] and problem["detail"] and "Traceback" not in problem["detail"]
    return problem


def test_a_body_that_is_too_large(small: Service) -> None:
    fits, over = b"a" * (64 << 10), b"a" * ((64 << 10) + 1)
    assert small.request("POST", "/v1/identify", fits, TEXT).status == 200
    assert check_problem(small.request("POST", "/v1/identify", over, TEXT), 413, "too-large")["limit"] == 64 << 10
    chunked = head("POST", "/v1/identify", "Transfer-Encoding: chunked", "Content-Type: text/html", "Connection: close")
    reply = small.send_raw(chunked + b"10001\r\n" + over + b"\r\n0\r\n\r\n")
    assert reply.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_compressed_bodies_are_decompressed_within_the_limit(small: Service, encoding: str) -> None:
    compress = gzip.compress if encoding == "gzip" else zlib.compress
    text = "<p>Bókasafnið er opið alla daga vikunnar".encode()
    plain = small.request("POST", "/v1/identify", text, TEXT).json
    assert small.request("POST", "/v1/identify", compress(text), TEXT, Content_Encoding=encoding).json == plain
    bomb = compress(b"a" * (64 << 20))
    assert len(bomb) < 64 << 10
    check_problem(small.request("POST", "/v1/identify", bomb, TEXT, Content_Encoding=encoding), 413, "too-large")
    for damaged in (compress(text)[:-9], b"nothing like it"):
        check_problem(small.request("POST", "/v1/identify", damaged, TEXT, Content_Encoding=encoding), 422, "invalid")


def test_gzip_of_several_members(small: Service) -> None:
    parts = gzip.compress("<p>Bókasafnið er ".encode()) + gzip.compress("opið alla daga".encode())
    assert small.request("POST", "/v1/identify", parts, TEXT, Content_Encoding="gzip").json["label"] == "isl_Latn"


@pytest.mark.parametrize(
    ("path", "kind", "headers"),
    [
        ("/v1/identify", "multipart/form-data; boundary=x", {}),
        ("/v1/identify", "application/x-www-form-urlencoded", {}),
        ("/v1/identify", TEXT, {"Content_Encoding": "br"}),
        ("/v1/identify/batch", TEXT, {}),
        ("/v1/url", TEXT, {}),
        ("/v1/urls", "application/xml", {}),
        ("/detect", "text/plain", {}),
    ],
)
def test_unsupported_media_types(service: Service, path: str, kind: str, headers: dict[str, str]) -> None:
    response = service.request("POST", path, b"x=1", kind, **headers)
    check_problem(response, 415, "media-type")
    assert headers or "Content-Type: " in response.json["detail"]


@pytest.mark.parametrize(
    ("path", "body", "known"),
    [
        ("/v1/identify", {"txt": "a"}, "text, html, base64, headers"),
        ("/v1/decode", {"text": "a", "inlinks": [{"link": "https://example.org/"}]}, "url, language, confidence"),
        ("/v1/url", {"url": "https://example.org/", "text": ""}, "anchor"),
        ("/v1/urls", {"url": []}, "urls, explain"),
    ],
)
def test_an_unknown_field_names_the_known_ones(
    service: Service, path: str, body: dict[str, object], known: str
) -> None:
    response = service.post(path, body)
    check_problem(response, 422, "invalid")
    assert known in response.json["detail"]


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        ('{"text":\n "ab",,}', 2, 7),
        ('{"text": "ÄÖÜ" x}', 1, 16),
        ("", 1, 1),
        ('{"text"', 1, 8),
        ('{"text": "a\nb"}', 1, 12),
    ],
)
def test_malformed_json_has_line_and_column(service: Service, body: str, line: int, column: int) -> None:
    details = check_problem(service.request("POST", "/v1/identify", body, "application/json"), 422, "malformed")
    assert (details["line"], details["column"]) == (line, column)
    assert f"line {line}, column {column}" in details["detail"]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"text": 7}, "/text"),
        ({"text": "a", "nothing": 1}, ""),
        ({"text": "a", "html": "b"}, ""),
        ({}, ""),
        ([], ""),
        ({"base64": "%%%"}, "/base64"),
        ({"base64": "AAA"}, "/base64"),
        ({"text": "a", "inlinks": [{"url": "x"}, {"confidence": 2}]}, "/inlinks/1/confidence"),
        ({"text": "a", "country": "Iceland"}, "/country"),
        ({"text": "a", "headers": {"a": 1}}, "/headers"),
    ],
)
def test_invalid_json_has_a_pointer(service: Service, value: Any, pointer: str) -> None:
    details = check_problem(service.post("/v1/identify", value), 422, "invalid")
    assert details["pointer"] == pointer


def test_deep_json_is_refused(service: Service) -> None:
    deep = b'{"host":' + b"[" * 100_000
    assert service.request("POST", "/v1/identify", deep, "application/json").status == 422


@pytest.mark.parametrize("query", ["explain=yes", "country=Iceland", "explain="])
def test_invalid_queries(service: Service, query: str) -> None:
    for path, body, kind in (("/v1/identify", "a", TEXT), ("/v1/url", '{"url": "a.is"}', "application/json")):
        details = check_problem(service.request("POST", f"{path}?{query}", body, kind), 422, "invalid")
        assert details["parameter"] == query.partition("=")[0]


def test_paths_and_methods(service: Service) -> None:
    check_problem(service.request("GET", "/nowhere"), 404, "not-found")
    check_problem(service.request("GET", "/v1/identify/"), 404, "not-found")
    check_problem(service.request("GET", "/page/..%2fapp.py"), 404, "not-found")
    reply = service.request("DELETE", "/v1/url")
    check_problem(reply, 405, "method")
    assert reply.headers["allow"] == "GET, POST, HEAD"
    check_problem(service.request("OPTIONS", "/v1/identify"), 405, "method")  # CORS is off by default
    details = check_problem(service.request("PUT", "/v1/identify", "<p>Salve", "text/html"), 405, "method")
    assert details["detail"] == "the methods of this path are POST; curl --data-binary @FILE sends a POST"


def test_invalid_http(service: Service) -> None:
    for data in (
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET\r\n\r\n",
        head("GET", "/", version="9.9"),
        b"GET / HTTP/1.1\r\nA B: c\r\n\r\n",
    ):
        reply = service.send_raw(data)
        assert reply.startswith(b"HTTP/1.1 400 ") and b"application/problem+json" in reply, data


def test_slow_bodies_and_slow_heads(small: Service) -> None:
    request_head = head("POST", "/v1/identify", "Content-Length: 100", "Content-Type: text/html")
    reply = small.send_raw(request_head + b"abc")
    assert (
        reply.startswith(b"HTTP/1.1 408 ") and json.loads(reply.partition(b"\r\n\r\n")[2])["type"] == "/docs#slow-body"
    )
    assert small.send_raw(b"GET / HTTP/1.1\r\nA: b\r\n").startswith(b"HTTP/1.1 408 ")
    assert small.send_raw(b"") == b""  # silent clients are disconnected
    with small.connect() as connection:  # also the head of a second request
        connection.sendall(head("GET", "/healthz") + b"GET /he")
        assert b"HTTP/1.1 408 " in receive_all(connection)


def test_endless_heads(small: Service) -> None:
    for more in (b"A: " + b"b" * (1 << 16), b"A: b\r\n" * (1 << 13)):
        assert small.send_raw(b"GET / HTTP/1.1\r\n" + more)[:13] in (b"HTTP/1.1 431 ", b"")


def test_slow_bodies_do_not_count_as_jobs(small: Service) -> None:
    """More slow bodies than jobs are allowed do not block other requests."""
    slow = [small.connect() for _ in range(8)]
    try:
        for connection in slow:
            connection.sendall(
                head("POST", "/v1/identify", "Content-Length: 60000", "Content-Type: text/html") + b"abc"
            )
        assert small.request("POST", "/v1/identify", b"a" * 60_000, TEXT).status == 200
    finally:
        for connection in slow:
            connection.close()


def test_memory_for_bodies_is_bounded(small: Service) -> None:
    request_head = head("POST", "/v1/identify", "Content-Length: 65536", "Content-Type: text/html", "Connection: close")
    slow: list[socket.socket] = []
    try:
        for _ in range(8):  # 8 of 60 kB exceed the limit
            slow.append(small.connect())
            slow[-1].sendall(request_head + b"a" * 60_000)
        replies = [receive_all(connection)[:13] for connection in slow]
    finally:
        for connection in slow:
            connection.close()
    assert replies.count(b"HTTP/1.1 503 ") >= 3 and replies.count(b"HTTP/1.1 408 ") >= 1
    assert small.request("POST", "/v1/identify", b"a" * 60_000, TEXT).status == 200  # the memory is released


def test_jobs_above_the_limit_are_refused_with_retry_after() -> None:
    with run_service("--no-access-log", "--limit-work", "1", "--limit-body", "64M") as service:
        page = ("<p>Bókasafnið er opið alla daga vikunnar. ".encode() + b"<i>" * 16) * (1 << 17)
        request = (
            head("POST", "/v1/decode", f"Content-Length: {len(page)}", "Content-Type: text/html", "Connection: close")
            + page
        )
        connections = [service.connect() for _ in range(4)]
        for connection in connections:
            connection.sendall(request[:-1])
        for connection in connections:
            connection.sendall(request[-1:])
        replies = [receive_all(connection) for connection in connections]
        for connection in connections:
            connection.close()
        refused = [reply for reply in replies if reply.startswith(b"HTTP/1.1 503 ")]
        assert refused and all(b"\r\nretry-after: 1\r\n" in reply for reply in refused)
        assert any(reply.startswith(b"HTTP/1.1 200 ") for reply in replies)


def test_jobs_that_take_too_long_are_answered_and_counted_until_they_end() -> None:
    with run_service("--no-access-log", "--limit-seconds", "0.01") as service:
        page = "<p>Bókasafnið er opið alla daga vikunnar. ".encode() * (1 << 18)
        check_problem(service.request("POST", "/v1/decode", page, TEXT), 503, "too-slow")
        for _ in range(200):  # the job counts until it ends
            if (
                service.request("GET", "/readyz").status == 200
                and b"webtongue_queue 0.0" in service.request("GET", "/metrics").body
            ):
                break
            time.sleep(0.1)
        assert b"webtongue_queue 0.0" in service.request("GET", "/metrics").body


def test_responses_are_bounded(service: Service) -> None:
    page = b"<p>a" * (4 << 20)
    reply = service.request("POST", "/v1/identify?explain=1", page[: 16 << 20], TEXT)
    assert reply.status == 200 and reply.json["explanation"]["cut"] and len(reply.body) < 2_000_000
    check_problem(service.post("/v1/urls", {"urls": ["a.de"] * 10_001}), 413, "too-large")


def test_links_are_limited_as_in_the_library(service: Service) -> None:
    links = [{"url": f"https://example.is/{number}", "language": "is"} for number in range(1001)]
    for path, refused in (
        ("/v1/identify", {"text": "a", "inlinks": links}),
        ("/v1/url", {"url": "a.is", "inlinks": [{}] * 20_000}),
    ):
        assert check_problem(service.post(path, refused), 422, "invalid")["pointer"] == "/inlinks"
    request: dict[str, Any] = {"html": "<p>Halló", "inlinks": links[:1000]}
    assert (
        service.post("/v1/identify", request).json
        == service.post("/v1/identify", request | {"inlinks": links[:16]}).json
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/identify", b'{"text": "a", "inlinks": [' + b"{}," * 400_000 + b"{}]}"),
        ("/v1/identify", b'{"text": "a", "inlinks": [' + b"{}," * 400_000 + b'{}], "inlinks": []}'),
        ("/v1/identify", b'{"text": "\\"a", "host": {' + b'"aaa":1,' * 400_000 + b'"a":1}}'),
        ("/v1/url", b'{"url": "a", "inlinks": [' + b"{}," * 400_000 + b"{}]}"),
        ("/v1/urls", b'{"urls": [' + b'"a",' * 1_100_000 + b'"a"]}'),
        ("/v1/urls", b"[" * 1_100_000 + b'"\\"' * 1000),
        ("/detect", b'{"q": "' + b"a" * (1 << 20) + b'"}'),
    ],
)  # fmt: skip
def test_json_with_too_much_structure_is_refused(service: Service, path: str, body: bytes) -> None:
    check_problem(service.request("POST", path, body, "application/json"), 413, "too-large")


def test_long_strings_do_not_count_as_structure(service: Service) -> None:
    text = 'Wo ist der Bahnhof? {"a": [1, 2], "b": "\\"} ' * 40_000
    assert service.post("/v1/identify", {"text": text}).status == 200


def test_urls_as_lines_are_limited(service: Service) -> None:
    assert len(service.request("POST", "/v1/urls", b"a.is\n" * 10_000, "text/plain").json["verdicts"]) == 10_000
    check_problem(service.request("POST", "/v1/urls", b"a.is\n" * 10_001, "text/plain"), 413, "too-large")
    check_problem(service.request("POST", "/v1/urls", b"\n" * 10_000 + b"a.is\nb.is\n", "text/plain"), 413, "too-large")
    for path, body in (("/v1/url", b"\xff" * (1 << 20)), ("/v1/urls", b"a.is\n" + b"\xff" * (1 << 20))):
        assert b'"too_long"' in service.request("POST", path, body, "text/plain").body


def test_costly_requests_run_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only requests with little estimated work, whatever their size, run on the event loop."""
    requests = {
        "2 kB": ("/v1/identify", b"<p>" + b"a" * 2000, TEXT),
        "60 kB": ("/v1/identify", b"<meta http-equiv=content-language content=de>" * 1300, TEXT),
        "explained": ("/v1/identify?explain=1", b"<p>a" * 250, TEXT),
        "segments": ("/v1/segments", b"<p>a" * 250, TEXT),
        "links": ("/v1/identify", json.dumps({"text": "a", "inlinks": [{"url": f"https://{n}.is/"} for n in range(20)]}).encode(), "application/json"),
        "links of a URL": ("/v1/url", json.dumps({"url": "a.is", "inlinks": [{"url": f"https://{n}.is/"} for n in range(20)]}).encode(), "application/json"),
        "URLs": ("/v1/urls", b"a.is\n" * 20, "text/plain"),
        "compressed": ("/v1/identify", gzip.compress(bytes(1 << 20)), TEXT),
        "form": ("/detect", b"q=" + b"%41" * 10_000, "application/x-www-form-urlencoded"),
    }  # fmt: skip
    application = app.create_app(Config(access_log=False))
    threads: list[object] = []
    submit = application.pool._threads.submit
    monkeypatch.setattr(application.pool._threads, "submit", lambda *job: threads.append(job) or submit(*job))
    on_threads = {}
    for name, (path, body, kind) in requests.items():
        threads.clear()
        encoding = "gzip" if name == "compressed" else "identity"
        assert asyncio.run(call_app(application, path, body, kind, encoding)) == 200, name
        on_threads[name] = bool(threads)
    assert on_threads == {name: name != "2 kB" for name in requests}


async def call_app(application: Any, path: str, body: bytes, kind: str, encoding: str) -> int:
    """Return the status of a request to an ASGI application."""
    path, _, query = path.partition("?")
    headers = [(b"content-type", kind.encode()), (b"content-encoding", encoding.encode())]
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": query.encode(),
        "headers": headers,
    }
    messages: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    await application(scope, receive, send)
    return int(messages[0]["status"])


def make_request(extensions: dict[str, Any]) -> Request:
    async def receive() -> Any:
        raise AssertionError("the body is not read")

    return Request({"extensions": extensions}, receive, "/")


def test_jobs_of_disconnected_clients_do_not_run() -> None:
    pool = WorkerPool(Limits(), 1)
    started: list[int] = []

    async def both() -> None:
        with pytest.raises(ClientDisconnected):
            await pool.run(make_request({IS_CLOSING: {"is_closing": lambda: True}}), 1 << 20, started.append, 1)
        await pool.run(make_request({IS_CLOSING: {"is_closing": lambda: False}}), 1 << 20, started.append, 2)

    asyncio.run(both())
    pool.close()
    assert started == [2] and pool.pending_jobs == 0


def test_jobs_that_waited_too_long_never_run() -> None:
    """A job that has not started when its time is over never starts."""
    limits = Limits(work_seconds=0.1)
    pool = WorkerPool(limits, 1)
    started: list[int] = []
    gate = threading.Event()

    async def both() -> None:
        first = asyncio.create_task(pool.run(make_request({}), 1 << 20, gate.wait, TIMEOUT_SECONDS))
        second = asyncio.create_task(pool.run(make_request({}), 1 << 20, started.append, 1))
        for task in (first, second):
            with pytest.raises(Problem, match="longer than"):
                await task
        assert pool.pending_jobs == 1  # the running job
        gate.set()
        while pool.pending_jobs:
            await asyncio.sleep(0.01)

    asyncio.run(both())
    pool.close()
    assert started == []


def test_keys(tmp_path: Any) -> None:
    (tmp_path / "keys").write_text("first\nsecond\n")
    with run_service(
        "--no-access-log", "--api-keys", str(tmp_path / "keys"), environment={"WEBTONGUE_API_KEYS": "third"}
    ) as service:
        reply = service.request("POST", "/v1/identify", "a", TEXT)
        check_problem(reply, 401, "key-needed")
        assert reply.headers["www-authenticate"] == "Bearer"
        for key in ("first", "second", "third"):
            assert service.request("POST", "/v1/identify", "a", TEXT, Authorization=f"Bearer {key}").status == 200
            assert service.request("POST", "/v1/identify", "a", TEXT, X_API_Key=key).status == 200
        assert service.request("POST", "/v1/identify", "a", TEXT, X_API_Key="firs").status == 401
        for path in ("/metrics", "/v1/labels"):
            assert service.request("GET", path).status == 401
        for path in ("/", "/docs", "/healthz", "/readyz", "/openapi.json", "/languages"):
            assert service.request("GET", path).status == 200
        assert "401" in service.request("GET", "/openapi.json").json["paths"]["/v1/identify"]["post"]["responses"]


def test_detect_accepts_a_key_in_the_body() -> None:
    form = "application/x-www-form-urlencoded"
    with run_service("--no-access-log", environment={"WEBTONGUE_API_KEYS": "sesame other"}) as service:
        for key, status in (("sesame", 200), ("other", 200), ("", 401), ("sesam", 401), ("é", 401)):
            assert service.post("/detect", {"q": "Wo ist der Bahnhof?", "api_key": key}).status == status
            body = urlencode({"q": "Wo ist der Bahnhof?", "api_key": key})
            assert service.request("POST", "/detect", body, form).status == status
        assert service.post("/detect", {"q": "Wo ist der Bahnhof?"}, X_API_Key="sesame").status == 200
        check_problem(service.post("/detect", {"q": "Wo ist der Bahnhof?"}), 401, "key-needed")
        assert service.post("/v1/identify", {"text": "a", "api_key": "sesame"}).status == 401  # only /detect reads it


def test_cors() -> None:
    with run_service("--no-access-log", "--allow-origin", "https://a.example") as service:
        reply = service.request("POST", "/v1/identify", "a", TEXT, Origin="https://a.example")
        assert reply.headers["access-control-allow-origin"] == "https://a.example" and reply.headers["vary"] == "origin"
        preflight = service.request("OPTIONS", "/v1/identify", Origin="https://a.example")
        assert preflight.status == 204 and "POST" in preflight.headers["access-control-allow-methods"]
        other = service.request("POST", "/v1/identify", "a", TEXT, Origin="https://b.example")
        assert "access-control-allow-origin" not in other.headers
