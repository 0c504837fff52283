"""Batches: JSON Lines in and out, in order, within limits; an invalid line is answered by an error."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.servers import Service, head, receive_all, run_service

LINES = "application/x-ndjson"
PATH = "/v1/identify/batch"


def make_requests(count: int, seed: int) -> list[dict[str, object]]:
    """Return random requests: pages and texts, some with metadata."""
    rnd = random.Random(seed)
    pages = [path.read_bytes() for path in sorted(Path("examples/pages").glob("*.html"))]
    requests: list[dict[str, object]] = []
    for number in range(count):
        raw = rnd.choice(pages)[: rnd.randrange(30, 3000)]
        request: dict[str, object] = {"id": number, "base64": base64.b64encode(raw).decode()}
        if rnd.random() < 0.2:
            request = {"id": str(number), "text": raw.decode("utf-8", "ignore")[-200:]}
        if rnd.random() < 0.3:
            request |= {"url": rnd.choice(["https://example.is/", "https://example.com/de/"]), "country": "IS"}
        if rnd.random() < 0.1:
            request |= {"explain": True}
        requests.append(request)
    return requests


def test_batch_answers_equal_single_answers(service: Service) -> None:
    requests = make_requests(700, 1)
    reply = service.request("POST", PATH, "\n".join(map(json.dumps, requests)), LINES)
    assert reply.status == 200 and reply.headers["content-type"] == LINES
    assert [row["id"] for row in reply.lines] == [request["id"] for request in requests]
    for request, row in list(zip(requests, reply.lines, strict=True))[::7]:
        single = service.post("/v1/identify", {key: value for key, value in request.items() if key != "id"}).json
        single.pop("explanation", None)
        assert row == single | {"id": request["id"]}


def test_an_invalid_line_is_answered_by_an_error(service: Service) -> None:
    lines = [
        '{"text": "Wo ist der Bahnhof?"}',
        "{",
        "[]",
        '{"text": 1}',
        "",
        '{"base64": "!"}',
        '{"text": "Où est la gare ?"}',
    ]
    reply = service.request("POST", PATH, "\n".join(lines), LINES).lines
    assert [row.get("label") for row in reply] == ["deu_Latn", None, None, None, None, "fra_Latn"]
    assert [row.get("line") for row in reply] == [None, 2, 3, 4, 6, None]  # numbers as in an editor
    assert (reply[1]["error"]["line"], reply[1]["error"]["column"]) == (2, 2)
    assert all(row["error"]["status"] == 422 for row in reply[1:5])


@pytest.mark.parametrize("body", ['[{"text": "Wo ist der Bahnhof?"}]', "\n [{}, {}]\n\n", "[]", '[{"text": "a",}]'])
def test_an_array_in_place_of_lines_is_refused(service: Service, body: str) -> None:
    reply = service.request("POST", PATH, body, "application/json")
    assert reply.status == 422 and reply.json["type"] == "/docs#invalid"
    assert reply.json["detail"] == "send one JSON object per line (JSON Lines), not one array"
    rows = service.request("POST", PATH, body.strip() + '\n{"text": "Wo ist der Bahnhof?"}', LINES).lines
    assert [row.get("label") for row in rows] == [None, "deu_Latn"]


def test_errors_have_line_numbers_of_the_file(service: Service) -> None:
    """Blank lines count, also across chunks."""
    lines = ["", "  ", "{", '{"text": "Wo ist der Bahnhof?"}', *[""] * 1200, "  {", "\t", "[]"]
    rows = service.request("POST", PATH, "\r\n".join(lines), LINES).lines
    assert [row.get("line") for row in rows] == [3, None, 1205, 1207]
    assert [row["error"].get("line") for row in rows if "error" in row] == [3, 1205, None]
    assert (rows[0]["error"]["column"], rows[2]["error"]["column"]) == (2, 4)


@pytest.mark.parametrize("begin", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"\n\xef\xbb\xbf"])
def test_a_byte_order_mark_is_skipped(service: Service, begin: bytes) -> None:
    line = b'{"text": "Wo ist der Bahnhof?"}\n'
    rows = service.request("POST", PATH, begin + line + line, LINES).lines
    assert [row.get("label") for row in rows] == ["deu_Latn", "deu_Latn"]
    assert service.request("POST", "/v1/identify", begin.strip() + line, "application/json").json["label"] == "deu_Latn"


def test_explained_lines_are_complete_verdicts(service: Service) -> None:
    reply = service.request("POST", PATH + "?explain=1", '{"html": "<p>Hvar er bókasafnið?"}', LINES).lines
    assert {"guesses", "segments", "evidence"} <= set(reply[0])


def test_compressed_and_chunked_batches(service: Service) -> None:
    body = "\n".join(map(json.dumps, make_requests(50, 2))).encode()
    expected = service.request("POST", PATH, body, LINES).body
    assert service.request("POST", PATH, gzip.compress(body), LINES, Content_Encoding="gzip").body == expected
    rnd = random.Random(3)
    chunks, begin = b"", 0
    while begin < len(body):
        size = rnd.randrange(1, 900)
        chunks += b"%x\r\n%s\r\n" % (len(body[begin : begin + size]), body[begin : begin + size])
        begin += size
    request_head = head("POST", PATH, "Transfer-Encoding: chunked", f"Content-Type: {LINES}", "Connection: close")
    reply = service.send_raw(request_head + chunks + b"0\r\n\r\n")
    assert join_chunks(reply.partition(b"\r\n\r\n")[2]) == expected


def join_chunks(body: bytes) -> bytes:
    joined = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        joined, body = joined + body[: int(size, 16)], body[int(size, 16) + 2 :]
    return joined


def test_answers_are_streamed_while_lines_are_sent(service: Service) -> None:
    """The answers to a chunk arrive before the next chunk is sent."""
    lines = ("\n".join(map(json.dumps, make_requests(600, 4))) + "\n").encode()
    with service.connect() as connection:
        connection.sendall(
            head("POST", PATH, "Transfer-Encoding: chunked", f"Content-Type: {LINES}", "Connection: close")
        )
        connection.sendall(b"%x\r\n%s\r\n" % (len(lines), lines))
        reply = b""
        while reply.count(b'"schema"') < 512:
            part = connection.recv(1 << 16)
            assert part
            reply += part
        connection.sendall(b"0\r\n\r\n")
        reply += receive_all(connection)
    assert join_chunks(reply.partition(b"\r\n\r\n")[2]).count(b"\n") == 600


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    with run_service(
        "--no-access-log",
        "--limit-lines",
        "600",
        "--limit-line",
        "1K",
        "--limit-body-seconds",
        "1",
        "--limit-head-seconds",
        "1",
    ) as service:
        yield service


def test_a_line_that_is_too_long(small: Service) -> None:
    lines = [
        json.dumps({"text": "Wo ist der Bahnhof?"}),
        json.dumps({"text": "a" * 5000}),
        '{"text": "Où est la gare ?"}',
    ]
    reply = small.request("POST", PATH, "\n".join(lines), LINES).lines
    assert [row.get("label") for row in reply] == ["deu_Latn", None, "fra_Latn"]
    assert reply[1]["error"]["status"] == 413 and reply[1]["line"] == 2


def test_a_batch_that_is_too_long_ends_with_an_error(small: Service) -> None:
    reply = small.request("POST", PATH, '{"text": "a"}\n' * 5000, LINES).lines
    assert reply[-1]["error"]["type"] == "/docs#too-large" and 600 <= len(reply) <= 1200
    assert all("label" in row for row in reply[:-1])


def test_blank_lines_count_as_lines(small: Service) -> None:
    assert small.request("POST", PATH, b"\n \r\n" * 50_000 + b'{"text": "a"}', LINES).status == 413
    rows = small.request("POST", PATH, b'{"text": "a"}' + b"\n" * 100_000, LINES).lines
    assert rows[0]["label"] and rows[1]["error"]["type"] == "/docs#too-large" and rows[1]["line"] > 600


def test_a_batch_that_stops_midway_ends_with_an_error(small: Service) -> None:
    with small.connect() as connection:
        connection.sendall(head("POST", PATH, "Content-Length: 1000", f"Content-Type: {LINES}"))
        connection.sendall(b'{"text": "Wo ist der Bahnhof?"}\n{"te')
        reply = receive_all(connection)
    rows = [json.loads(line) for line in join_chunks(reply.partition(b"\r\n\r\n")[2]).splitlines()]
    assert rows[0]["label"] == "deu_Latn" and rows[-1]["error"]["type"] == "/docs#slow-body"


def test_disconnected_clients_leave_no_work_behind(small: Service) -> None:
    for _ in range(20):
        with small.connect() as connection:
            connection.sendall(
                head("POST", PATH, "Content-Length: 100000", f"Content-Type: {LINES}") + b'{"text": "a"}\n' * 100
            )
    assert small.request("POST", PATH, '{"text": "Wo ist der Bahnhof?"}', LINES).lines[0]["label"] == "deu_Latn"
    metrics = small.request("GET", "/metrics").body
    assert b"webtongue_held_bytes 0.0" in metrics and b"webtongue_queue 0.0" in metrics
