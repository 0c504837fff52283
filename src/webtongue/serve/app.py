"""The ASGI application: routing, API keys, common headers, metrics and the access log.

``create_app(Config())`` returns an application for any ASGI server.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator
from time import perf_counter

from webtongue import Identifier, Page
from webtongue.serve.answers import decode_page, identify_page, identify_url
from webtongue.serve.config import Config
from webtongue.serve.http import TEXT, Message, Receive, Request, Response, Scope, Send
from webtongue.serve.keys import Keys
from webtongue.serve.logs import AccessLog
from webtongue.serve.metrics import MEDIA_TYPE, Metrics
from webtongue.serve.problems import Problem
from webtongue.serve.requests import UrlRequest
from webtongue.serve.routes import Route, build_routes
from webtongue.serve.worker_pool import ClientDisconnected, WorkerPool

__all__ = ["Application", "create_app"]

GAUGE_SECONDS = 1.0  # between two updates of the gauges
PART_BYTES = 1 << 18  # bytes of a response that are sent before waiting for the client to read
UNKNOWN_PATH = "other"  # in metrics and logs, for paths that the service does not have
COMMON_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
PREFLIGHT_HEADERS = (
    (b"access-control-allow-headers", b"authorization, content-encoding, content-language, content-type, x-api-key"),
    (b"access-control-max-age", b"600"),
)


def create_app(config: Config) -> Application:
    """Return the service as an ASGI application, with its models loaded."""
    ident = Identifier(config.priors, config.languages, config.evidence, config.model, config.geo)
    warm_up(ident)
    return Application(config, ident)


def warm_up(ident: Identifier) -> None:
    """Load everything that is loaded on demand: models, tables, IP ranges of countries."""
    page = Page("<p>Bókasafnið er opið alla daga".encode("cp1252"), "https://example.is/", ip="192.0.2.1")
    for explain in (True, False):
        identify_page(page, None, explain, ident)
        identify_page(page, "Bókasafnið er opið", explain, ident)
    identify_url(UrlRequest(url="https://example.is/", country="IS"), ident)
    decode_page(page)


class Application:
    """The callable of the ASGI interface."""

    def __init__(self, config: Config, ident: Identifier) -> None:
        self.config = config
        self.pool = WorkerPool(config.limits, config.threads)
        self.metrics = Metrics()
        self.log = AccessLog() if config.access_log else None
        self.keys = Keys(config.keys)
        self.routes = build_routes(ident, self.pool, config, self.metrics.count_label)
        self.routes["/metrics"] = Route({"GET": self._report_metrics})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the lifespan of the server."""
        if scope["type"] == "lifespan":
            return await self._run_lifespan(receive, send)
        if scope["type"] != "http":
            return None
        start = perf_counter()
        path = self._strip_root(scope["path"])
        route = self.routes.get(path)
        request = Request(scope, receive, path)
        try:
            response = await self._respond(route, request)
        except Problem as problem:
            response = problem.to_response()
        except ClientDisconnected:
            return None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            response = Problem("internal", "an error in the service; its log has the details").to_response()
        finally:
            self.pool.release(request)
        sent = await self._send(response, request, send)
        known_path = path if route is not None else UNKNOWN_PATH
        figures = (known_path, response.status, perf_counter() - start, request.received_bytes, sent)
        self.metrics.count_request(*figures)
        if self.log is not None:
            self.log.add(scope, *figures)
        return None

    def _strip_root(self, path: str) -> str:
        """Return the path below the root path, which proxies may or may not have removed."""
        root = self.config.root_path
        return path.removeprefix(root) if root and path.startswith(f"{root}/") else path

    async def _respond(self, route: Route | None, request: Request) -> Response:
        if route is None:
            raise Problem("not-found", "/docs lists all paths")
        method = request.scope["method"]
        if method == "OPTIONS" and self.config.origins:
            return Response(b"", TEXT, 204, ((b"access-control-allow-methods", route.allow), *PREFLIGHT_HEADERS))
        handler = route.methods.get("GET" if method == "HEAD" else method)
        if handler is None:
            advice = "; curl --data-binary @FILE sends a POST" if "POST" in route.methods else ""
            detail = f"the methods of this path are {route.allow.decode()}{advice}"
            raise Problem("method", detail, ((b"allow", route.allow),))
        if route.requires_key:
            self.keys.check(request)
        return await handler(request)

    async def _send(self, response: Response, request: Request, send: Send) -> int:
        """Send a response and return the size of its body."""
        body = response.body
        headers = [
            (b"content-type", response.media_type), (b"cache-control", response.cache_control), *COMMON_HEADERS,
            *response.headers,
        ]  # fmt: skip
        if self.config.origins:
            headers += self._cors_headers(request)
        start: Message = {"type": "http.response.start", "status": response.status, "headers": headers}
        if isinstance(body, bytes):
            headers.append((b"content-length", b"%d" % len(body)))
            is_head = request.scope["method"] == "HEAD"
            is_short = len(body) <= PART_BYTES
            if is_short and not is_head and not response.headers and request.respond(response.status, headers, body):
                return len(body)
            if is_short or is_head:
                await send(start)
                await send({"type": "http.response.body", "body": b"" if is_head else body})
                return len(body)
            body = _iter_parts(body)
        return await self._stream(start, body, request, send)

    async def _stream(self, start: Message, body: AsyncIterator[bytes], request: Request, send: Send) -> int:
        """Send a body part by part; stop if the client does not read a part in time."""
        sent = 0
        await send(start)
        try:
            async for part in body:
                sent += len(part)
                async with asyncio.timeout(self.config.limits.body_seconds):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except (ClientDisconnected, TimeoutError):
            return sent
        finally:
            self.pool.release(request)
        return sent

    def _cors_headers(self, request: Request) -> list[tuple[bytes, bytes]]:
        """Return the headers that let the pages of allowed sites read a response."""
        origin = request.header(b"origin")
        allowed = "*" if "*" in self.config.origins else origin if origin in self.config.origins else ""
        vary = [(b"vary", b"origin")]
        return [(b"access-control-allow-origin", allowed.encode("latin-1")), *vary] if allowed else vary

    async def _report_metrics(self, request: Request) -> Response:
        self._update_gauges()
        return Response(self.metrics.format(), MEDIA_TYPE)

    def _update_gauges(self) -> None:
        self.metrics.held_bytes.set(self.pool.held_bytes)
        self.metrics.pending_jobs.set(self.pool.pending_jobs)

    async def _update_gauges_forever(self) -> None:
        """Keep the gauges up to date for other workers, which report the sum of all."""
        while True:
            self._update_gauges()
            await asyncio.sleep(GAUGE_SECONDS)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        gauges = asyncio.create_task(self._update_gauges_forever())
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                gauges.cancel()
                self.pool.close()
                if self.log is not None:
                    self.log.flush()
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _iter_parts(body: bytes) -> AsyncIterator[bytes]:
    for begin in range(0, len(body), PART_BYTES):
        yield body[begin : begin + PART_BYTES]
