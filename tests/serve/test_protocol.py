"""Connections: bytes outside bodies are limited, trailers never become headers, and responses are not mixed up."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.servers import TIMEOUT_SECONDS, Service, head, receive_all, run_service
from webtongue.serve.config import Limits
from webtongue.serve.protocol import MAX_PIPELINED

HEAD_LIMIT = Limits().head_bytes
CHUNKED = ("Transfer-Encoding: chunked", "Content-Type: text/html")
BODY = b"3\r\n<p>\r\n0\r\n"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    """Run a service with short timeouts."""
    limits = ("--limit-body-seconds", "1", "--limit-head-seconds", "1")
    with run_service("--no-access-log", *limits, environment={"WEBTONGUE_API_KEYS": "sesame"}) as service:
        yield service


def statuses(reply: bytes) -> list[int]:
    return [int(status) for status in STATUS.findall(reply)]


def exchange(service: Service, sent: bytes) -> list[int]:
    """Send bytes, which the service may not read, and return the statuses of its responses."""
    with service.connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
        return statuses(receive_all(connection))


def memory(service: Service) -> int:
    """Return the resident bytes of the service."""
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{service.process.pid}/status").read_text())
    assert resident is not None
    return int(resident[1]) << 10


def open_files(service: Service) -> int:
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


@needs_proc
@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (head("POST", "/v1/identify", *CHUNKED) + BODY, b"A: b\r\n" * 1000),
        (head("POST", "/v1/identify", *CHUNKED) + BODY + b"A: ", b"b" * 6000),
        (head("POST", "/v1/identify", *CHUNKED) + b"1;", b"b" * 6000),
        (head("POST", "/v1/identify/batch", CHUNKED[0], "Content-Type: application/x-ndjson") + b"1\r\n\n\r\n0\r\n", b"A: b\r\n" * 1000),
        (head("GET", "/healthz", *CHUNKED) + BODY, b"A: b\r\n" * 1000),
        (b"", b"\r\n" * 3000),
        (b"GET / HTTP/1.1\r\nA: ", b"b" * 6000),
    ],
    ids=["trailers", "one trailer", "chunk extension", "trailers of a batch", "trailers of a GET", "blank lines", "head"],
)  # fmt: skip
def test_bytes_outside_bodies_do_not_fill_the_memory(service: Service, begin: bytes, more: bytes) -> None:
    before = memory(service)
    sent = 0
    with service.connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(begin)
            while sent < 32 << 20:
                connection.sendall(more)
                sent += len(more)
        receive_all(connection)
    assert sent < 32 << 20, "the service reads without limit"
    assert memory(service) - before < 8 << 20


@pytest.mark.parametrize("size", [HEAD_LIMIT, HEAD_LIMIT + 1, 40 << 10])
def test_a_head_in_one_write_is_measured_before_it_is_parsed(service: Service, size: int) -> None:
    empty = head("GET", "/healthz", "Connection: close", "A: ")
    sent = empty.replace(b"A: ", b"A: " + b"b" * (size - len(empty)))
    assert len(sent) == size
    assert exchange(service, sent) == ([200] if size <= HEAD_LIMIT else [431])


def test_a_large_pipelined_head_is_refused(service: Service) -> None:
    large = b"GET /healthz HTTP/1.1\r\nA: " + b"b" * (40 << 10) + b"\r\n\r\n"
    with service.connect() as connection:
        connection.sendall(head("GET", "/healthz") + large)
        reply = receive_all(connection)
    assert statuses(reply) in ([200], [200, 431])
    with service.connect() as connection:
        connection.sendall(head("GET", "/healthz") + head("GET", "/readyz", f"A: {'b' * 20_000}", "Connection: close"))
        assert statuses(receive_all(connection)) == [200, 200]


def test_trailers_do_not_become_headers(small: Service) -> None:
    """Neither headers of their own request nor of the next one."""
    trailers = b"X-API-Key: sesame\r\nContent-Language: is\r\n\r\n"
    with small.connect() as connection:
        connection.sendall(head("POST", "/v1/identify", *CHUNKED) + BODY + trailers)
        connection.sendall(head("GET", "/v1/labels", "Connection: close"))
        assert statuses(receive_all(connection)) == [401, 401]
    with small.connect() as connection:  # the request itself is valid
        keyed = (*CHUNKED, "X-API-Key: sesame", "Connection: close")
        connection.sendall(head("POST", "/v1/identify?explain=1", *keyed) + b"f\r\n<p>Wie geht es?\r\n0\r\n" + trailers)
        reply = receive_all(connection)
    assert statuses(reply) == [200] and b"http-content-language" not in reply


def test_pipelined_requests_are_answered_in_order(service: Service) -> None:
    paths = ["/healthz", "/readyz", "/nowhere", "/languages"] * (MAX_PIPELINED // 4)
    sent = b"".join(head("GET", path) for path in paths) + head("GET", "/healthz", "Connection: close")
    assert exchange(service, sent) == [404 if path == "/nowhere" else 200 for path in paths] + [200]


@needs_proc
def test_an_endless_pipeline_is_cut(service: Service) -> None:
    before = memory(service)
    for begin in (b"", head("POST", "/detect", "Content-Length: 1") + b"x"):
        answered = exchange(service, begin + b"GET /healthz HTTP/1.1\r\n\r\n" * 20_000)
        assert set(answered) <= {200, 415} and len(answered) <= MAX_PIPELINED + 1
    assert memory(service) - before < 8 << 20


def test_garbage_after_a_request_does_not_affect_its_response(service: Service) -> None:
    page = b"<p>" + "Bókasafnið er opið alla daga vikunnar. ".encode() * 4000
    sent = (
        head("POST", "/v1/decode", f"Content-Length: {len(page)}", "Content-Type: text/html")
        + page
        + b"\x00garbage\r\n\r\n"
    )
    with service.connect() as connection:
        connection.sendall(sent)
        answer, _, body = receive_all(connection).partition(b"\r\n\r\n")
    assert statuses(answer) == [200] and "Bókasafnið" in json.loads(body)["text"]


def test_garbage_in_a_batch_ends_its_response(service: Service) -> None:
    line = b'{"text": "Wo ist der Bahnhof?"}\n' * 600
    with service.connect() as connection:
        connection.sendall(head("POST", "/v1/identify/batch", CHUNKED[0], "Content-Type: application/x-ndjson"))
        connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
        first_part = connection.recv(1 << 16)
        connection.sendall(b"no size\r\n")
        reply = first_part + receive_all(connection)
    assert statuses(reply) == [200] and not reply.endswith(b"0\r\n\r\n")  # cut off, without a second response


@needs_proc
def test_clients_that_do_not_read_are_disconnected(small: Service) -> None:
    before = open_files(small)
    connections = []
    for _ in range(8):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(TIMEOUT_SECONDS)
        connection.connect((small.host, small.port))
        connections.append(connection)
        for _ in range(8):  # more than the kernel's buffers hold
            connection.sendall(head("GET", "/page/world.json") * MAX_PIPELINED)
            time.sleep(0.05)
    try:
        for _ in range(int(TIMEOUT_SECONDS * 10)):
            if open_files(small) <= before:
                break
            time.sleep(0.1)
        assert open_files(small) <= before, "connections of clients that do not read are kept"
    finally:
        for connection in connections:
            connection.close()


def split_reply(reply: bytes) -> tuple[list[str], bytes]:
    """Return the lines of the head of a response in lower case, and its body."""
    lines, _, body = reply.partition(b"\r\n\r\n")
    return lines.decode().lower().split("\r\n"), body


@pytest.mark.parametrize("path", ["/healthz", "/nowhere", "/languages"])
def test_responses_say_whether_the_connection_stays_open(service: Service, path: str) -> None:
    """HTTP/1.0 closes it, also where the request does not say so. Both versions get the same headers otherwise."""
    replies = []
    for version in ("1.0", "1.1"):
        with service.connect() as connection:
            closing = ("Connection: close",) if version == "1.1" else ()
            connection.sendall(head("GET", path, *closing, version=version))
            replies.append(split_reply(receive_all(connection)))
    (lines, body), (newer_lines, newer_body) = replies
    assert body == newer_body and lines == newer_lines
    assert lines.count("connection: close") == 1 and f"content-length: {len(body)}" in lines
    assert any(line.startswith("date: ") for line in lines) and "x-content-type-options: nosniff" in lines
    assert not any(line.startswith("server:") for line in lines)


def test_a_client_that_waits_for_100_continue_is_answered(service: Service) -> None:
    with service.connect() as connection:
        expecting = ("Content-Type: text/html", "Content-Length: 15", "Expect: 100-continue", "Connection: close")
        connection.sendall(head("POST", "/v1/identify", *expecting))
        assert connection.recv(100).startswith(b"HTTP/1.1 100 Continue\r\n")
        connection.sendall(b"<p>Wie geht es?")
        assert statuses(receive_all(connection)) == [200]
