"""The application: which path does what, who may, and what stands on every answer. Plain ASGI: a path is looked up in a table.

``application(Config())`` is an ASGI application like any other, for those who run it themselves.
"""

from __future__ import annotations

import asyncio
import hmac
import sys
import traceback
from collections.abc import AsyncIterator
from time import perf_counter

from webtongue import Identifier, Page
from webtongue.serve.answers import decoded, identified, of_url
from webtongue.serve.asked import AskedUrl
from webtongue.serve.bodies import Gone
from webtongue.serve.config import Config
from webtongue.serve.http import TEXT, Answer, Message, Receive, Request, Scope, Send
from webtongue.serve.logs import AccessLog
from webtongue.serve.metrics import MEDIA_TYPE, Metrics
from webtongue.serve.problems import Problem
from webtongue.serve.routes import Route, routes_of
from webtongue.serve.work import Workshop

__all__ = ["Application", "application"]

GAUGED = 1.0  # seconds between two looks at what is at work
AT_A_TIME = 1 << 18  # bytes of an answer that are given to the connection before it is waited for
UNKNOWN = "other"  # the path of requests for what is not there, in metrics
ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)
CHALLENGE = ((b"www-authenticate", b"Bearer"),)
PREFLIGHT = (
    (b"access-control-allow-headers", b"authorization, content-encoding, content-language, content-type, x-api-key"),
    (b"access-control-max-age", b"600"),
)


def application(config: Config) -> Application:
    """The service as an ASGI application; the model is loaded here."""
    ident = Identifier(config.priors, config.languages, config.evidence, config.model, config.geo)
    warm(ident)
    return Application(config, ident)


def warm(ident: Identifier) -> None:
    """Have everything loaded before anyone waits for it: models, tables, the addresses of countries."""
    page = Page("<p>Bókasafnið er opið alla daga".encode("cp1252"), "https://example.is/", ip="192.0.2.1")
    asked = AskedUrl(url="https://example.is/", country="IS")
    for explain in (True, False):
        identified(page, None, explain, ident)
        identified(page, "Bókasafnið er opið", explain, ident)
    of_url(asked, ident)
    decoded(page)


class Application:
    """What an ASGI server calls."""

    def __init__(self, config: Config, ident: Identifier) -> None:
        self.config = config
        self.workshop = Workshop(config.limits, config.threads)
        self.metrics = Metrics()
        self.log = AccessLog() if config.access_log else None
        self.routes = routes_of(ident, self.workshop, config, self.metrics.count_label)
        self.routes["/metrics"] = Route({"GET": self._metrics}, guarded=True)
        self.keys = [key.encode() for key in config.keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            return await self._live(receive, send)
        if scope["type"] != "http":
            return None
        began = perf_counter()
        path = self._path(scope["path"])
        route = self.routes.get(path)
        request = Request(scope, receive, path)
        try:
            answer = await self._answer(route, request)
        except Problem as problem:
            answer = problem.answer()
        except Gone:
            return None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            answer = Problem("internal", "this is our mistake; it is in the log of the service").answer()
        finally:
            self.workshop.hold(-request.held)
            request.held = 0
        sent = await self._send(answer, request, send)
        seconds = perf_counter() - began
        known = path if route is not None else UNKNOWN
        self.metrics.count(known, answer.status, seconds, request.read, sent)
        if self.log is not None:
            self.log.add(scope, known, answer.status, seconds, request.read, sent)
        return None

    def _path(self, path: str) -> str:
        """Below the root path, whether a proxy took that off or not."""
        root = self.config.root_path
        return path.removeprefix(root) if root and path.startswith(f"{root}/") else path

    async def _answer(self, route: Route | None, request: Request) -> Answer:
        if route is None:
            raise Problem("not-found", "see /docs for what there is")
        method = request.scope["method"]
        if method == "OPTIONS" and self.config.origins:
            return Answer(b"", TEXT, 204, ((b"access-control-allow-methods", route.allowed), *PREFLIGHT))
        work = route.methods.get("GET" if method == "HEAD" else method)
        if work is None:
            allow = ((b"allow", route.allowed),)
            raise Problem("method", f"this path has {route.allowed.decode()}", allow)
        if self.keys and route.guarded:
            self._prove(request)
        return await work(request)

    def _prove(self, request: Request) -> None:
        """Refuse who has no key."""
        said = request.headers.get(b"authorization", b"")
        given = said[7:].strip() if said[:7].lower() == b"bearer " else request.headers.get(b"x-api-key", b"")
        if not any([hmac.compare_digest(given, key) for key in self.keys]):
            raise Problem("key-needed", "send a key as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'", CHALLENGE)

    async def _send(self, answer: Answer, request: Request, send: Send) -> int:
        """Send an answer; says how many bytes its body had."""
        body = answer.body
        headers = [(b"content-type", answer.media_type), *ALWAYS, *answer.headers]
        if self.config.origins:
            headers += self._cors(request)
        start: Message = {"type": "http.response.start", "status": answer.status, "headers": headers}
        if isinstance(body, bytes):
            headers.append((b"content-length", b"%d" % len(body)))
            if len(body) <= AT_A_TIME or request.scope["method"] == "HEAD":
                await send(start)
                await send({"type": "http.response.body", "body": b"" if request.scope["method"] == "HEAD" else body})
                return len(body)
            body = _slices(body)
        return await self._stream(start, body, request, send)

    async def _stream(self, start: Message, body: AsyncIterator[bytes], request: Request, send: Send) -> int:
        """Part by part: who does not take the next one in time is let go of."""
        sent = 0
        await send(start)
        try:
            async for part in body:
                sent += len(part)
                async with asyncio.timeout(self.config.limits.body_seconds):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except (Gone, TimeoutError):
            return sent
        finally:
            self.workshop.hold(-request.held)
            request.held = 0
        return sent

    def _cors(self, request: Request) -> list[tuple[bytes, bytes]]:
        """What lets other sites' pages read an answer, where they are asked to."""
        origin = request.header(b"origin")
        allowed = "*" if "*" in self.config.origins else origin if origin in self.config.origins else ""
        vary = [(b"vary", b"origin")]
        return [(b"access-control-allow-origin", allowed.encode("latin-1")), *vary] if allowed else vary

    async def _metrics(self, request: Request) -> Answer:
        self._gauge()
        return Answer(self.metrics.text(), MEDIA_TYPE)

    def _gauge(self) -> None:
        self.metrics.held.set(self.workshop.held)
        self.metrics.busy.set(self.workshop.busy)

    async def _watch(self) -> None:
        """Other workers read these: they are kept true to a second."""
        while True:
            self._gauge()
            await asyncio.sleep(GAUGED)

    async def _live(self, receive: Receive, send: Send) -> None:
        watch = asyncio.create_task(self._watch())
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                watch.cancel()
                self.workshop.close()
                if self.log is not None:
                    self.log.flush()
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _slices(body: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(body), AT_A_TIME):
        yield body[at : at + AT_A_TIME]
