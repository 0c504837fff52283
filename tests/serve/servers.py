"""The service as a process of its own on loopback, and a client of few words."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PATIENCE = 60.0  # seconds that anything may take before it counts as broken
WHERE = re.compile(rb"listening on http://([0-9.]+):(\d+)")


@dataclass
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]


@dataclass
class Service:
    """A service that listens, its process, and what it wrote to standard error until it did."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    said: bytes

    @property
    def root(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, kind: str | None = None, **headers: str
    ) -> Reply:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if kind is not None:
            sent["Content-Type"] = kind
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, sent)
            found = connection.getresponse()
            named = {name.lower(): value for name, value in found.getheaders()}
            return Reply(found.status, named, found.read())
        finally:
            connection.close()

    def post(self, path: str, value: Any, **headers: str) -> Reply:
        """A request of JSON."""
        return self.ask("POST", path, json.dumps(value), "application/json", **headers)

    def raw(self, sent: bytes, *, wait: float = PATIENCE) -> bytes:
        """What comes back for some bytes, until the other side closes."""
        with socket.create_connection((self.host, self.port), timeout=wait) as connection:
            connection.sendall(sent)
            return received(connection)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)

    def stop(self, number: int = signal.SIGTERM) -> bytes:
        """End it, and give the rest of what it wrote to standard error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=PATIENCE)[1]


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side closes, or lets the connection go."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            found += part
    return found


def start(*options: str, environment: Mapping[str, str] | None = None) -> Service:
    """Start a service on a port that is free, and wait until it listens."""
    command = [sys.executable, "-m", "webtongue", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    assert process.stderr is not None
    said = b""
    deadline = time.monotonic() + PATIENCE
    while not (found := WHERE.search(said)):
        ready, _, _ = select.select([process.stderr], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(process.stderr.fileno(), 1 << 16) if ready else b""
        if not part:
            process.kill()
            raise AssertionError(f"the service did not start: {(said + process.communicate()[1]).decode()}")
        said += part
    return Service(process, found[1].decode(), int(found[2]), said)


@contextlib.contextmanager
def serving(*options: str, environment: Mapping[str, str] | None = None) -> Iterator[Service]:
    """A service for as long as it is needed."""
    service = start(*options, environment=environment)
    try:
        yield service
    finally:
        service.stop(signal.SIGKILL if service.process.poll() is None else signal.SIGTERM)


def head(method: str, path: str, *headers: str, version: str = "1.1") -> bytes:
    """The head of a request as bytes."""
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: x", *headers, "", ""]).encode()
