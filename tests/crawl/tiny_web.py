"""A server on loopback with the answers that a test gives it, over http and https on the same port."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import json
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import responses
from pathlib import Path
from typing import Any

__all__ = ["HANG", "HANG_UP", "Answer", "TinyWeb", "crawl_with", "page", "serving"]

TLS_HANDSHAKE = b"\x16"
CRAWL_TIMEOUT_SECONDS = 120
HANG, HANG_UP = -1, -2  # in place of a status: no answer, or a closed connection
TEXT = (
    "Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags. Wer in der Stadt wohnt, kann Bücher "
    "kostenlos ausleihen, und mittwochs wird den Kindern vorgelesen."
)
RUN = """
import json, sys
from webtongue.crawl import Config, crawl
arguments = json.loads(sys.argv[1])
config = Config(**{**arguments["config"], "languages": ("de",)})
summary = crawl(arguments["seeds"], config, resume=arguments["resume"])
print(json.dumps({"pages": summary.pages, "failed": summary.failed, "stats": {k: v for k, v in summary.stats.items() if isinstance(v, int)}}))
"""


@dataclass(frozen=True)
class Answer:
    """One answer: a status, headers and a body, or HANG or HANG_UP."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def page(*links: str) -> Answer:
    """Return a German page with links."""
    anchors = "".join(f'<a href="{link}">Bücher</a> ' for link in links)
    body = f"<html><title>Bücherei</title><body><p>{TEXT}</p>{anchors}</body></html>".encode()
    return Answer(200, body, {"Content-Type": "text/html; charset=utf-8"})


class TinyWeb:
    """A server with answers by URL. Answers of a list are sent one after the other, the last one from then on.

    A URL without answers is a German page.
    """

    def __init__(self, answers: dict[str, Answer | list[Answer]], folder: Path) -> None:
        self._answers = {url: list(value) if isinstance(value, list) else [value] for url, value in answers.items()}
        self.requested: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(write_certificate(folder))
        self._closed = threading.Event()

    @property
    def connect_to(self) -> str:
        return f"*=127.0.0.1:{self.port},intern.example=10.11.12.13"

    def add(self, url: str, answer: Answer) -> None:
        self._answers[url] = [answer]

    def run(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError, IndexError), connection:
            connection.settimeout(CRAWL_TIMEOUT_SECONDS)
            scheme = "http"
            if connection.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE:
                connection, scheme = self._tls.wrap_socket(connection, server_side=True), "https"
            with connection, connection.makefile("rb") as lines:
                while self._answer(connection, lines, scheme):
                    pass

    def _answer(self, connection: socket.socket, lines: Any, scheme: str) -> bool:
        path = lines.readline().decode("latin-1").split(" ")[1]
        headers = {}
        while line := lines.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        url = f"{scheme}://{headers['host'].lower()}{path}"
        self.requested.append(url)
        answers = self._answers.get(url, [page()])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer.status == HANG:
            self._closed.wait(CRAWL_TIMEOUT_SECONDS)
        if answer.status < 0:
            return False
        fields = {"Content-Length": str(len(answer.body)), **answer.headers}
        head = [
            f"HTTP/1.1 {answer.status} {responses.get(answer.status, '')}",
            *(f"{k}: {v}" for k, v in fields.items()),
        ]
        connection.sendall("\r\n".join([*head, "", ""]).encode("latin-1") + answer.body)
        return True


@contextmanager
def serving(answers: dict[str, Answer | list[Answer]], folder: Path) -> Iterator[TinyWeb]:
    """Run a TinyWeb in a thread."""
    web = TinyWeb(answers, folder)
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.close()
        thread.join(10)


def write_certificate(folder: Path) -> Path:
    """Write a self-signed certificate with its key, and return the path; Scrapy does not verify certificates."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
    begin = datetime.datetime(2020, 1, 1)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "loopback.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def crawl_with(web: TinyWeb, out: Path, seeds: list[str], *, resume: bool = False, **config: Any) -> dict[str, Any]:
    """Crawl in a subprocess with settings for which the command has no option."""
    settings = {"archive": str(out), "connect_to": web.connect_to, "delay": 0.0, "timeout": 4.0, **config}
    arguments = {"seeds": seeds, "config": settings, "resume": resume}
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(arguments)],
        capture_output=True,
        text=True,
        timeout=CRAWL_TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return summary
