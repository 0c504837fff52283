"""Random invalid requests, made of parts of valid ones and noise."""

from __future__ import annotations

import contextlib
import gzip
import random
import re
import socket

PATHS = (
    "/v1/identify", "/v1/identify/batch", "/v1/url", "/v1/urls", "/v1/decode", "/v1/segments", "/v1/labels", "/detect",
    "/languages", "/language/stream", "/language/string", "/healthz", "/metrics", "/", "/docs", "/page/world.json",
    "/../../etc/passwd", "//", "/%00", "/v1/%69dentify", "*", "http://[::1/", "/\\x", "/" + "a" * 3000,
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "BREW")
MEDIA_TYPES = (
    "text/html", "application/json", "application/x-ndjson", "text/plain; charset=utf-9", "image/png", "", "x" * 300,
    "multipart/form-data", "application/x-www-form-urlencoded", "text/html; charset=\xff", "/",
)  # fmt: skip
QUERIES = (
    "", "?explain=1", "?explain=%FF", "?url=%00&ip=::::", "?" + "a=b&" * 500, "?country=IS&explain=true", "?url=" + "%E2%98" * 400,
    "?&&&===", "?explain=1&explain=0",
)  # fmt: skip
JSON = (
    "{}", "[]", "null", '{"text": null}', '{"text": "\\ud800"}', '{"html": "<p>\\u0000\\ufffe"}', '{"text": "a", "host": {"is": -1}}',
    '{"base64": "////"}', '{"urls": [1]}', '{"urls": ["a.is", null, ""]}', '{"q": ""}', '{"q": 1e999}', '{"text": "a", "ip": "999.1.1.1"}',
    '{"text": "x", "inlinks": [{"confidence": NaN}]}', '{"html": "<p>a", "headers": {"content-type": "\\u0000"}}', "[" * 3000,
    '{"text": "' + "\\u0001" * 500 + '"}', '{"text": 1, "text": "a"}', '{"url": "' + "a" * 4000 + '"}', '{"id": [], "text": "a"}',
)  # fmt: skip
HEADERS = (
    "Content-Encoding: gzip", "Content-Encoding: gzip, gzip", "Content-Encoding: br", "Expect: 100-continue", "Connection: keep-alive",
    "Accept: text/plain", "Accept-Encoding: gzip", "Content-Language: \xff\xfe", "X-API-Key: \xff", "Authorization: Bearer \xff",
    "Upgrade: websocket\r\nConnection: Upgrade", "Origin: null", "If-None-Match: \"", "Content-Language: " + "de," * 900,
)  # fmt: skip
TIMEOUT_SECONDS = 60.0
STATUS = re.compile(rb"(?:^|\r\n|\})HTTP/1\.1 (\d{3}) ")


def make_garbage(rnd: random.Random) -> bytes:
    """Return the bytes of a random request."""
    if rnd.random() < 0.05:
        return rnd.randbytes(rnd.randrange(1, 400))
    body = _body(rnd)
    lines = [
        f"{rnd.choice(METHODS) if rnd.random() < 0.4 else 'POST'} {rnd.choice(PATHS)}{rnd.choice(QUERIES)} HTTP/1.1",
        "Host: x",
    ]
    if rnd.random() < 0.9:
        lines.append(f"Content-Type: {rnd.choice(MEDIA_TYPES)}")
    lines += rnd.sample(HEADERS, rnd.randrange(0, 3)) if rnd.random() < 0.4 else []
    if "Content-Encoding: gzip" in lines and rnd.random() < 0.5:
        body = gzip.compress(body)
    if rnd.random() < 0.1:
        lines.append("Transfer-Encoding: chunked")
        if rnd.random() < 0.7:
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    else:
        is_wrong = rnd.random() < 0.03
        lines.append(f"Content-Length: {rnd.choice(['-1', 'x', '1e3', str(len(body) - 1)]) if is_wrong else len(body)}")
    request = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body
    if rnd.random() < 0.05:
        offset = rnd.randrange(len(request))
        request = request[:offset] + rnd.randbytes(3) + request[offset + 1 :]
    return request


def _body(rnd: random.Random) -> bytes:
    kind = rnd.randrange(5)
    if kind == 0:
        return rnd.randbytes(rnd.randrange(0, 2000))
    if kind == 1:
        return "\n".join(rnd.choices(JSON, k=rnd.randrange(0, 6))).encode("utf-8", "surrogatepass")
    if kind == 2:
        return ("<p>Bókasafnið er opið alla daga " * rnd.randrange(0, 50)).encode(
            rnd.choice(["utf-8", "cp1252", "utf-16"])
        )
    return rnd.choice(JSON).encode("utf-8", "surrogatepass")


def send_and_read_statuses(host: str, port: int, request: bytes) -> list[int]:
    """Send bytes, close the sending side, and return the statuses of the responses."""
    reply = b""
    with (
        socket.create_connection((host, port), timeout=TIMEOUT_SECONDS) as connection,
        contextlib.suppress(ConnectionError),
    ):
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(1 << 16):
            reply += part
    return [int(status) for status in STATUS.findall(reply)]
