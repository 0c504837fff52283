"""The service in a process of its own on loopback, and a small client."""

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

TIMEOUT_SECONDS = 60.0
LISTENING = re.compile(rb"listening on http://([0-9.]+):(\d+)")


@dataclass
class Reply:
    """A response."""

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
    """A running service and its process."""

    process: subprocess.Popen[bytes]
    host: str
    port: int

    @property
    def root(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def request(
        self, method: str, path: str, body: bytes | str | None = None, media_type: str | None = None, **headers: str
    ) -> Reply:
        """Send a request on a new connection and return its response."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT_SECONDS)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if media_type is not None:
            fields["Content-Type"] = media_type
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, fields)
            response = connection.getresponse()
            lower = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, lower, response.read())
        finally:
            connection.close()

    def post(self, path: str, value: Any, **headers: str) -> Reply:
        """Send a value as JSON."""
        return self.request("POST", path, json.dumps(value), "application/json", **headers)

    def send_raw(self, data: bytes) -> bytes:
        """Send bytes and return all that the service sends until it closes the connection."""
        with self.connect() as connection:
            connection.sendall(data)
            return receive_all(connection)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=TIMEOUT_SECONDS)

    def stop(self, number: int = signal.SIGTERM) -> bytes:
        """Stop the process and return the rest of its standard error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=TIMEOUT_SECONDS)[1]


def receive_all(connection: socket.socket) -> bytes:
    """Return all bytes until the other side closes or resets the connection."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            data += part
    return data


def start_service(*options: str, environment: Mapping[str, str] | None = None) -> Service:
    """Start a service on a free port and wait until it listens."""
    command = [sys.executable, "-m", "webtongue", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    assert process.stderr is not None
    stderr = b""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not (match := LISTENING.search(stderr)):
        ready, _, _ = select.select([process.stderr], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(process.stderr.fileno(), 1 << 16) if ready else b""
        if not part:
            process.kill()
            raise AssertionError(f"the service did not start: {(stderr + process.communicate()[1]).decode()}")
        stderr += part
    return Service(process, match[1].decode(), int(match[2]))


@contextlib.contextmanager
def run_service(*options: str, environment: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Run a service within a context."""
    service = start_service(*options, environment=environment)
    try:
        yield service
    finally:
        service.stop(signal.SIGKILL if service.process.poll() is None else signal.SIGTERM)


def head(method: str, path: str, *headers: str, version: str = "1.1") -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: x", *headers, "", ""]).encode()
