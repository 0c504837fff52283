"""Limits and what is refused: each with a status, a problem that says what to do, and never a traceback."""

from __future__ import annotations

import gzip
import json
import socket
import time
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.serve.servers import Reply, Service, head, received, serving

TEXT = "text/html"


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    """A service with limits that a test can reach."""
    options = {
        "body": "64K",
        "lines": "20",
        "line": "1K",
        "body-seconds": "1",
        "head-seconds": "1",
        "work": "1",
        "held": "300K",
    }
    given = [part for name, value in options.items() for part in (f"--limit-{name}", value)]
    with serving("--no-access-log", *given) as found:
        yield found


def problem(reply: Reply, status: int, kind: str) -> dict[str, Any]:
    assert reply.status == status, reply
    assert reply.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = reply.json
    assert (found["status"], found["type"]) == (status, f"/docs#{kind}")
    assert found["title"] and found["detail"] and "Traceback" not in found["detail"]
    return found


def test_a_body_that_is_too_large(small: Service) -> None:
    fits, over = b"a" * (64 << 10), b"a" * ((64 << 10) + 1)
    assert small.ask("POST", "/v1/identify", fits, TEXT).status == 200
    assert problem(small.ask("POST", "/v1/identify", over, TEXT), 413, "too-large")["limit"] == 64 << 10
    chunked = head("POST", "/v1/identify", "Transfer-Encoding: chunked", "Content-Type: text/html", "Connection: close")
    found = small.raw(chunked + b"10001\r\n" + over + b"\r\n0\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_packed_bodies_are_unpacked_within_the_limit(small: Service, packing: str) -> None:
    pack = gzip.compress if packing == "gzip" else zlib.compress
    text = "<p>Bókasafnið er opið alla daga vikunnar".encode()
    plain = small.ask("POST", "/v1/identify", text, TEXT).json
    assert small.ask("POST", "/v1/identify", pack(text), TEXT, Content_Encoding=packing).json == plain
    bomb = pack(b"a" * (64 << 20))
    assert len(bomb) < 64 << 10
    problem(small.ask("POST", "/v1/identify", bomb, TEXT, Content_Encoding=packing), 413, "too-large")
    for damaged in (pack(text)[:-9], b"nothing like it"):
        problem(small.ask("POST", "/v1/identify", damaged, TEXT, Content_Encoding=packing), 422, "invalid")


def test_gzip_of_several_members(small: Service) -> None:
    parts = gzip.compress("<p>Bókasafnið er ".encode()) + gzip.compress("opið alla daga".encode())
    assert small.ask("POST", "/v1/identify", parts, TEXT, Content_Encoding="gzip").json["label"] == "isl_Latn"


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
def test_kinds_of_bodies_that_are_not_read(service: Service, path: str, kind: str, headers: dict[str, str]) -> None:
    problem(service.ask("POST", path, b"x=1", kind, **headers), 415, "media-type")


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
def test_bad_json_says_where(service: Service, body: str, line: int, column: int) -> None:
    found = problem(service.ask("POST", "/v1/identify", body, "application/json"), 422, "malformed")
    assert (found["line"], found["column"]) == (line, column)
    assert f"line {line}, column {column}" in found["detail"]


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
def test_json_that_makes_no_sense_says_where(service: Service, value: Any, pointer: str) -> None:
    found = problem(service.post("/v1/identify", value), 422, "invalid")
    assert found["pointer"] == pointer


def test_deep_json_is_refused(service: Service) -> None:
    deep = b'{"host":' + b"[" * 100_000
    assert service.ask("POST", "/v1/identify", deep, "application/json").status == 422


@pytest.mark.parametrize("query", ["explain=yes", "country=Iceland", "explain="])
def test_queries_that_make_no_sense(service: Service, query: str) -> None:
    for path, body, kind in (("/v1/identify", "a", TEXT), ("/v1/url", '{"url": "a.is"}', "application/json")):
        found = problem(service.ask("POST", f"{path}?{query}", body, kind), 422, "invalid")
        assert found["parameter"] == query.partition("=")[0]


def test_paths_and_methods(service: Service) -> None:
    problem(service.ask("GET", "/nowhere"), 404, "not-found")
    problem(service.ask("GET", "/v1/identify/"), 404, "not-found")
    problem(service.ask("GET", "/page/..%2fapp.py"), 404, "not-found")
    found = service.ask("DELETE", "/v1/url")
    problem(found, 405, "method")
    assert found.headers["allow"] == "GET, POST, HEAD"
    problem(service.ask("OPTIONS", "/v1/identify"), 405, "method")  # no other site may ask, unless someone says so


def test_what_is_no_http(service: Service) -> None:
    for sent in (
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET\r\n\r\n",
        head("GET", "/", version="9.9"),
        b"GET / HTTP/1.1\r\nA B: c\r\n\r\n",
    ):
        found = service.raw(sent)
        assert found.startswith(b"HTTP/1.1 400 ") and b"application/problem+json" in found, sent


def test_slow_bodies_and_slow_heads(small: Service) -> None:
    begun = head("POST", "/v1/identify", "Content-Length: 100", "Content-Type: text/html")
    found = small.raw(begun + b"abc")
    assert (
        found.startswith(b"HTTP/1.1 408 ") and json.loads(found.partition(b"\r\n\r\n")[2])["type"] == "/docs#slow-body"
    )
    assert small.raw(b"GET / HTTP/1.1\r\nA: b\r\n").startswith(b"HTTP/1.1 408 ")
    assert small.raw(b"") == b""  # who says nothing is let go of
    with small.connect() as connection:  # the head of a second request, too
        connection.sendall(head("GET", "/healthz") + b"GET /he")
        assert b"HTTP/1.1 408 " in received(connection)


def test_heads_without_end(small: Service) -> None:
    for more in (b"A: " + b"b" * (1 << 16), b"A: b\r\n" * (1 << 13)):
        assert small.raw(b"GET / HTTP/1.1\r\n" + more)[:13] in (b"HTTP/1.1 431 ", b"")


def test_slow_ones_are_not_at_work(small: Service) -> None:
    """More slow bodies than there are places: the others are answered all the same."""
    slow = [small.connect() for _ in range(8)]
    try:
        for connection in slow:
            connection.sendall(
                head("POST", "/v1/identify", "Content-Length: 60000", "Content-Type: text/html") + b"abc"
            )
        assert small.ask("POST", "/v1/identify", b"a" * 60_000, TEXT).status == 200
    finally:
        for connection in slow:
            connection.close()


def test_memory_for_bodies_is_bounded(small: Service) -> None:
    begun = head("POST", "/v1/identify", "Content-Length: 65536", "Content-Type: text/html", "Connection: close")
    slow: list[socket.socket] = []
    try:
        for _ in range(8):  # 8 of 60 kB are more than there is room for
            slow.append(small.connect())
            slow[-1].sendall(begun + b"a" * 60_000)
        found = [received(connection)[:13] for connection in slow]
    finally:
        for connection in slow:
            connection.close()
    assert found.count(b"HTTP/1.1 503 ") >= 3 and found.count(b"HTTP/1.1 408 ") >= 1
    assert small.ask("POST", "/v1/identify", b"a" * 60_000, TEXT).status == 200  # room is given back


def test_work_that_is_too_much_is_refused_with_a_time_to_come_back() -> None:
    with serving("--no-access-log", "--limit-work", "1", "--limit-body", "64M") as service:
        page = ("<p>Bókasafnið er opið alla daga vikunnar. ".encode() + b"<i>" * 16) * (1 << 17)
        request = (
            head("POST", "/v1/decode", f"Content-Length: {len(page)}", "Content-Type: text/html", "Connection: close")
            + page
        )
        many = [service.connect() for _ in range(4)]
        for connection in many:
            connection.sendall(request[:-1])
        for connection in many:
            connection.sendall(request[-1:])
        found = [received(connection) for connection in many]
        for connection in many:
            connection.close()
        refused = [reply for reply in found if reply.startswith(b"HTTP/1.1 503 ")]
        assert refused and all(b"\r\nretry-after: 1\r\n" in reply for reply in refused)
        assert any(reply.startswith(b"HTTP/1.1 200 ") for reply in found)


def test_work_that_takes_too_long_is_let_go_of() -> None:
    with serving("--no-access-log", "--limit-seconds", "0.01") as service:
        page = "<p>Bókasafnið er opið alla daga vikunnar. ".encode() * (1 << 18)
        problem(service.ask("POST", "/v1/decode", page, TEXT), 503, "too-slow")
        for _ in range(200):  # its place is free when it is done
            if (
                service.ask("GET", "/readyz").status == 200
                and b"webtongue_queue 0.0" in service.ask("GET", "/metrics").body
            ):
                break
            time.sleep(0.1)
        assert b"webtongue_queue 0.0" in service.ask("GET", "/metrics").body


def test_pages_of_many_blocks_and_many_addresses_stay_small(service: Service) -> None:
    page = b"<p>a" * (4 << 20)
    found = service.ask("POST", "/v1/identify?explain=1", page[: 16 << 20], TEXT)
    assert found.status == 200 and found.json["explanation"]["cut"] and len(found.body) < 2_000_000
    problem(service.post("/v1/urls", {"urls": ["a.de"] * 10_001}), 413, "too-large")


def test_keys(tmp_path: Any) -> None:
    (tmp_path / "keys").write_text("first\nsecond\n")
    with serving(
        "--no-access-log", "--api-keys", str(tmp_path / "keys"), environment={"WEBTONGUE_API_KEYS": "third"}
    ) as service:
        found = service.ask("POST", "/v1/identify", "a", TEXT)
        problem(found, 401, "key-needed")
        assert found.headers["www-authenticate"] == "Bearer"
        for key in ("first", "second", "third"):
            assert service.ask("POST", "/v1/identify", "a", TEXT, Authorization=f"Bearer {key}").status == 200
            assert service.ask("POST", "/v1/identify", "a", TEXT, X_API_Key=key).status == 200
        assert service.ask("POST", "/v1/identify", "a", TEXT, X_API_Key="firs").status == 401
        for path in ("/metrics", "/v1/labels", "/languages"):
            assert service.ask("GET", path).status == 401
        for path in ("/", "/docs", "/healthz", "/readyz", "/openapi.json"):
            assert service.ask("GET", path).status == 200
        assert "401" in service.ask("GET", "/openapi.json").json["paths"]["/v1/identify"]["post"]["responses"]


def test_other_sites_where_asked() -> None:
    with serving("--no-access-log", "--allow-origin", "https://a.example") as service:
        found = service.ask("POST", "/v1/identify", "a", TEXT, Origin="https://a.example")
        assert found.headers["access-control-allow-origin"] == "https://a.example" and found.headers["vary"] == "origin"
        asked = service.ask("OPTIONS", "/v1/identify", Origin="https://a.example")
        assert asked.status == 204 and "POST" in asked.headers["access-control-allow-methods"]
        other = service.ask("POST", "/v1/identify", "a", TEXT, Origin="https://b.example")
        assert "access-control-allow-origin" not in other.headers
