"""The page on which a judge works: an HTTP server on loopback that shows one page at a time and appends judgements.

The text of a page is untrusted. It is sent as JSON and put into the document as text, never as markup; the policy of the
document allows its own script and style and nothing else. A random token in the path keeps other pages of the browser out.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

from webtongue import labels
from webtongue.census.audit.items import Item
from webtongue.census.audit.judgements import Judgement, add_judgement, make_judgement, read_judgements
from webtongue.errors import UsageError
from webtongue.files import read_rows

__all__ = ["JudgingServer"]

LOOPBACK = "127.0.0.1"
FOLDER = Path(__file__).parent
FILES = {
    "": ("audit.html", "text/html"),
    "audit.js": ("audit.js", "text/javascript"),
    "audit.css": ("audit.css", "text/css"),
}
MAX_BODY_BYTES, MAX_LENGTH_DIGITS = 4096, 4
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class JudgingServer:
    """A server for one judge. ``url`` is the address of its page; ``serve`` returns when the judge is done or at ``stop``."""

    def __init__(self, out: Path, items: Sequence[Item], judge: str, port: int = 0) -> None:
        self.out, self.items, self.judge = out, {item.id: item for item in items}, judge
        self.token = secrets.token_urlsafe(16)
        self._lock = Lock()
        self._judged = {item: last for (name, item), last in read_judgements(out).items() if name == judge}
        try:
            self._server = ThreadingHTTPServer((LOOPBACK, port), type("Handler", (_Handler,), {"judging": self}))
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def serve(self) -> None:
        """Answer requests until the judge is done."""
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._server.server_close()

    def stop(self) -> None:
        """Make ``serve`` return."""
        self._server.shutdown()

    def state(self) -> dict[str, Any]:
        """Return what the page shows: the items, and the judgements of this judge."""
        return {
            "judge": self.judge,
            "items": [_describe(item) for item in self.items.values()],
            "judged": self._answers(),
        }

    def _answers(self) -> dict[str, Any]:
        return {item: [last.answer, last.language] for item, last in self._judged.items() if item in self.items}

    def add(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Append the judgement of a message and return all judgements; raise UsageError if it is not valid."""
        item = self.items.get(str(message.get("item")))
        if item is None:
            raise UsageError("there is no such page in the sample")
        answer, language = (str(message.get(name) or "") for name in ("answer", "language"))
        judgement: Judgement = make_judgement(item, self.judge, answer, language)
        with self._lock:
            add_judgement(self.out, judgement)
            self._judged[item.id] = judgement
        return {"judged": self._answers()}


def _describe(item: Item) -> dict[str, Any]:
    about = {name: value for name, value in asdict(item).items() if name not in ("draw", "weight")}
    parsed = labels.parse(item.label)
    country = dict(read_rows("country_names.tsv")).get(item.country, item.country)
    return about | {"name": labels.name(parsed) if parsed else item.label, "country": country}


class _Handler(BaseHTTPRequestHandler):
    """Answers requests; a subclass has the server of a judge."""

    judging: JudgingServer
    server_version, sys_version = "webtongue", ""
    timeout = 30  # seconds for a request, so that an idle connection ends

    def do_GET(self) -> None:
        name = self._name()
        if name == "items":
            self._send_json(self.judging.state())
        elif name in FILES:
            file, media_type = FILES[name]
            self._send((FOLDER / file).read_bytes(), f"{media_type}; charset=utf-8")
        elif name is not None:
            self._fail(HTTPStatus.NOT_FOUND, "there is no such page")

    def do_POST(self) -> None:
        name = self._name()
        if name not in ("judge", "close"):
            if name is not None:
                self._fail(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        if self.headers.get("Content-Type") != "application/json":
            self._fail(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a judgement is JSON")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > MAX_LENGTH_DIGITS or int(length) > MAX_BODY_BYTES:
            self._fail(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a judgement has at most {MAX_BODY_BYTES} bytes")
            return
        try:
            message = json.loads(self.rfile.read(int(length)))
            if not isinstance(message, dict):
                raise UsageError("a judgement is an object")
            self._send_json({} if name == "close" else self.judging.add(message))
        except (ValueError, RecursionError) as error:  # also UsageError
            self._fail(HTTPStatus.BAD_REQUEST, str(error))
            return
        except OSError as error:  # a full disk
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, f"the judgement is not saved: {error.strerror}")
            return
        if name == "close":
            self.judging.stop()

    def _name(self) -> str | None:
        """Return the name below the token; answer requests that did not come from our page."""
        hosts = {f"{LOOPBACK}:{self.judging.port}", f"localhost:{self.judging.port}"}
        start = f"/{self.judging.token}/"
        path = self.path.partition("?")[0]
        if self.headers.get("Host") not in hosts or not secrets.compare_digest(
            path[: len(start)].encode(), start.encode()
        ):
            self._fail(HTTPStatus.FORBIDDEN, "open the address that the command printed")
            return None
        return path[len(start) :]

    def _send_json(self, value: Any) -> None:
        self._send(json.dumps(value).encode(), "application/json")

    def _fail(self, status: HTTPStatus, message: str) -> None:
        self._send(json.dumps({"problem": message}).encode(), "application/json", status)

    def _send(self, body: bytes, media_type: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": media_type, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the requests of a judge are of no interest."""
