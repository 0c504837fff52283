"""An object store on loopback: moto's server, behind a proxy in this process that refuses some requests."""

from __future__ import annotations

import http.client
import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import fsspec

BUCKET = "corpus"
HOP_HEADERS = ("connection", "content-length", "expect", "transfer-encoding")
BUSY = b"<Error><Code>SlowDown</Code><Message>reduce your request rate</Message></Error>"


@dataclass
class ObjectStore:
    """The URL of the store, its requests, and a function that tells whether a request is refused for now."""

    port: int
    requests: list[tuple[str, str]] = field(default_factory=list)
    refuses: Callable[[int], bool] = lambda number: False
    refused: int = 0

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which programs find the store."""
        return {
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}", "AWS_MAX_ATTEMPTS": "1",
        }  # fmt: skip

    def files(self, prefix: str = "") -> dict[str, bytes]:
        """Return all objects below a prefix."""
        store = fsspec.filesystem("s3", skip_instance_cache=True)
        paths = store.find(f"{BUCKET}/{prefix}") if store.exists(f"{BUCKET}/{prefix}") else []
        return {path.removeprefix(f"{BUCKET}/"): store.cat_file(path) for path in paths}


@contextmanager
def object_store(monkeypatch: Any) -> Iterator[ObjectStore]:
    """Run a store with an empty bucket, and set the environment for it."""
    from moto.server import ThreadedMotoServer

    moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    moto.start()
    connection = http.client.HTTPConnection("127.0.0.1", moto.get_host_and_port()[1], timeout=60)
    connection.request("POST", "/moto-api/reset")  # its buckets outlive the server
    connection.getresponse().read()
    connection.close()
    store = ObjectStore(0)
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(store, moto.get_host_and_port()[1]))
    proxy.daemon_threads = True
    store.port = proxy.server_port
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    fsspec.filesystem("s3").mkdir(BUCKET)
    store.requests.clear()
    try:
        yield store
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()
        moto.stop()
        fsspec.get_filesystem_class("s3").clear_instance_cache()


def _handler(store: ObjectStore, port: int) -> type[http.server.BaseHTTPRequestHandler]:
    class Proxy(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # clients wait for "100 Continue" before they send a file

        def forward(self) -> None:
            body = self._read_body()
            number = len(store.requests)
            store.requests.append((self.command, self.path))
            if store.refuses(number):
                store.refused += 1
                self._answer(503, {"Content-Type": "application/xml"}, BUSY)
                return
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_HEADERS}
            connection.request(self.command, self.path, body, {**headers, "Content-Length": str(len(body))})
            answer = connection.getresponse()
            self._answer(answer.status, dict(answer.getheaders()), answer.read())
            connection.close()

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = forward

        def _read_body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                body = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() not in ("connection", "transfer-encoding", "server", "date", "content-length"):
                    self.send_header(name, value)
            length = headers.get("Content-Length", str(len(body))) if self.command == "HEAD" else str(len(body))
            self.send_header("Content-Length", length)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    return Proxy
