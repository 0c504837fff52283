"""Batches: JSON Lines in and out, in their order, within bounds; a bad line is a line with an error."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.servers import Service, head, received, serving

LINES = "application/x-ndjson"
PATH = "/v1/identify/batch"


def made(count: int, seed: int) -> list[dict[str, object]]:
    """Pages and texts of all kinds, some with what is known of them."""
    rnd = random.Random(seed)
    pages = [path.read_bytes() for path in sorted(Path("examples/pages").glob("*.html"))]
    out: list[dict[str, object]] = []
    for number in range(count):
        raw = rnd.choice(pages)[: rnd.randrange(30, 3000)]
        asked: dict[str, object] = {"id": number, "base64": base64.b64encode(raw).decode()}
        if rnd.random() < 0.2:
            asked = {"id": str(number), "text": raw.decode("utf-8", "ignore")[-200:]}
        if rnd.random() < 0.3:
            asked |= {"url": rnd.choice(["https://example.is/", "https://example.com/de/"]), "country": "IS"}
        if rnd.random() < 0.1:
            asked |= {"explain": True}
        out.append(asked)
    return out


def test_lines_are_answered_as_one_by_one(service: Service) -> None:
    asked = made(700, 1)
    found = service.ask("POST", PATH, "\n".join(map(json.dumps, asked)), LINES)
    assert found.status == 200 and found.headers["content-type"] == LINES
    assert [row["id"] for row in found.lines] == [one["id"] for one in asked]
    for one, row in list(zip(asked, found.lines, strict=True))[::7]:
        alone = service.post("/v1/identify", {key: value for key, value in one.items() if key != "id"}).json
        alone.pop("explanation", None)
        assert row == alone | {"id": one["id"]}


def test_a_bad_line_is_a_line_with_an_error(service: Service) -> None:
    lines = [
        '{"text": "Wo ist der Bahnhof?"}',
        "{",
        "[]",
        '{"text": 1}',
        "",
        '{"base64": "!"}',
        '{"text": "Où est la gare ?"}',
    ]
    found = service.ask("POST", PATH, "\n".join(lines), LINES).lines
    assert [row.get("label") for row in found] == ["deu_Latn", None, None, None, None, "fra_Latn"]
    assert [row.get("line") for row in found] == [None, 2, 3, 4, 5, None]  # empty lines are no lines
    assert (found[1]["error"]["line"], found[1]["error"]["column"]) == (2, 2)
    assert all(row["error"]["status"] == 422 for row in found[1:5])


def test_explained_lines_are_whole_verdicts(service: Service) -> None:
    found = service.ask("POST", PATH + "?explain=1", '{"html": "<p>Hvar er bókasafnið?"}', LINES).lines
    assert {"guesses", "segments", "evidence"} <= set(found[0])


def test_packed_and_in_crumbs(service: Service) -> None:
    whole = "\n".join(map(json.dumps, made(50, 2))).encode()
    expected = service.ask("POST", PATH, whole, LINES).body
    assert service.ask("POST", PATH, gzip.compress(whole), LINES, Content_Encoding="gzip").body == expected
    rnd = random.Random(3)
    crumbs, at = b"", 0
    while at < len(whole):
        size = rnd.randrange(1, 900)
        crumbs += b"%x\r\n%s\r\n" % (len(whole[at : at + size]), whole[at : at + size])
        at += size
    sent = head("POST", PATH, "Transfer-Encoding: chunked", f"Content-Type: {LINES}", "Connection: close")
    found = service.raw(sent + crumbs + b"0\r\n\r\n")
    assert unchunked(found.partition(b"\r\n\r\n")[2]) == expected


def unchunked(body: bytes) -> bytes:
    out = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        out, body = out + body[: int(size, 16)], body[int(size, 16) + 2 :]
    return out


def test_answers_come_while_lines_go(service: Service) -> None:
    """Neither side waits for the end of the other: the answer to a chunk is here before the next is sent."""
    lines = ("\n".join(map(json.dumps, made(600, 4))) + "\n").encode()
    with service.connect() as connection:
        connection.sendall(
            head("POST", PATH, "Transfer-Encoding: chunked", f"Content-Type: {LINES}", "Connection: close")
        )
        connection.sendall(b"%x\r\n%s\r\n" % (len(lines), lines))
        found = b""
        while found.count(b'"schema"') < 512:
            part = connection.recv(1 << 16)
            assert part
            found += part
        connection.sendall(b"0\r\n\r\n")
        found += received(connection)
    assert unchunked(found.partition(b"\r\n\r\n")[2]).count(b"\n") == 600


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    with serving(
        "--no-access-log",
        "--limit-lines",
        "600",
        "--limit-line",
        "1K",
        "--limit-body-seconds",
        "1",
        "--limit-head-seconds",
        "1",
    ) as found:
        yield found


def test_a_line_that_is_too_long(small: Service) -> None:
    lines = [
        json.dumps({"text": "Wo ist der Bahnhof?"}),
        json.dumps({"text": "a" * 5000}),
        '{"text": "Où est la gare ?"}',
    ]
    found = small.ask("POST", PATH, "\n".join(lines), LINES).lines
    assert [row.get("label") for row in found] == ["deu_Latn", None, "fra_Latn"]
    assert found[1]["error"]["status"] == 413 and found[1]["line"] == 2


def test_a_batch_that_is_too_long_ends_with_an_error(small: Service) -> None:
    found = small.ask("POST", PATH, '{"text": "a"}\n' * 5000, LINES).lines
    assert found[-1]["error"]["type"] == "/docs#too-large" and 600 <= len(found) <= 1200
    assert all("label" in row for row in found[:-1])


def test_a_batch_that_stops_midway_ends_with_an_error(small: Service) -> None:
    with small.connect() as connection:
        connection.sendall(head("POST", PATH, "Content-Length: 1000", f"Content-Type: {LINES}"))
        connection.sendall(b'{"text": "Wo ist der Bahnhof?"}\n{"te')
        found = received(connection)
    rows = [json.loads(line) for line in unchunked(found.partition(b"\r\n\r\n")[2]).splitlines()]
    assert rows[0]["label"] == "deu_Latn" and rows[-1]["error"]["type"] == "/docs#slow-body"


def test_who_goes_away_midway_leaves_nothing_behind(small: Service) -> None:
    for _ in range(20):
        with small.connect() as connection:
            connection.sendall(
                head("POST", PATH, "Content-Length: 100000", f"Content-Type: {LINES}") + b'{"text": "a"}\n' * 100
            )
    assert small.ask("POST", PATH, '{"text": "Wo ist der Bahnhof?"}', LINES).lines[0]["label"] == "deu_Latn"
    metrics = small.ask("GET", "/metrics").body
    assert b"webtongue_held_bytes 0.0" in metrics and b"webtongue_queue 0.0" in metrics
