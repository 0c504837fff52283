"""The handlers of all paths: read the request, call the library, return the response."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from webtongue import Identifier, Page
from webtongue.serve import answers, compat
from webtongue.serve.batch import Chunk, answer_chunk, check_is_lines, iter_chunks
from webtongue.serve.bodies import read_body
from webtongue.serve.config import Config
from webtongue.serve.files import static_handlers
from webtongue.serve.http import JSON_LINES, TEXT, Handler, Request, Response
from webtongue.serve.keys import Keys
from webtongue.serve.label_info import describe_labels
from webtongue.serve.openapi import build_document
from webtongue.serve.problems import Problem
from webtongue.serve.requests import (
    IdentifyRequest,
    UrlRequest,
    UrlsRequest,
    parse_json,
    parse_url_query,
    read_flag,
    read_raw_page,
)
from webtongue.serve.worker_pool import WorkerPool, busy_problem, estimate_work

__all__ = ["Route", "build_routes"]

CountLabel = Callable[[str], None]
JSON = "application/json"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
FORM_HINT = (
    "a form has no page, and curl -d declares a form: add the header Content-Type: text/html for a page, "
    "Content-Type: text/plain for a text, or Content-Type: application/json for JSON"
)
LINES = ("application/x-ndjson", "application/jsonl", "application/json-lines", JSON, "text/plain", "")
PLAIN, JSON_HEADER = "the header Content-Type: text/plain", "the header Content-Type: application/json"
MAX_URLS = 10_000  # URLs of one request, because all their answers are in memory at once
MAX_URL_BYTES = 128 << 10  # the rest of a longer URL in plain text is ignored; the kernel reads half of that
WORK_PER_URL = 1 << 10  # an answer takes 10 microseconds
DECODE_WORK_PER_BYTE = 4  # the decoded text is returned
ONE_HOUR = b"private, max-age=3600"


@dataclass(frozen=True, slots=True)
class Route:
    """The handlers of a path by method; ``requires_key``: where the service has API keys, one is required."""

    methods: Mapping[str, Handler]
    requires_key: bool = True
    allow: bytes = field(init=False)  # the value of the Allow header

    def __post_init__(self) -> None:
        methods = [*self.methods, *(["HEAD"] if "GET" in self.methods else [])]
        object.__setattr__(self, "allow", ", ".join(methods).encode())


def build_routes(ident: Identifier, pool: WorkerPool, config: Config, count_label: CountLabel) -> dict[str, Route]:
    """Return the routes by path. No path has variable parts."""
    api = Api(ident, pool, Keys(config.keys), count_label)
    tika = Route({"PUT": api.identify_tag, "POST": api.identify_tag})
    routes = {
        "/v1/identify": Route({"POST": api.identify}),
        "/v1/identify/batch": Route({"POST": api.identify_batch}),
        "/v1/url": Route({"GET": api.identify_url_query, "POST": api.identify_url}),
        "/v1/urls": Route({"POST": api.identify_urls}),
        "/v1/decode": Route({"POST": api.decode}),
        "/v1/segments": Route({"POST": api.segment}),
        "/v1/labels": Route({"GET": _constant({"labels": describe_labels(ident)})}),
        "/detect": Route({"POST": api.detect}, requires_key=False),  # the handler accepts a key in the body, too
        "/languages": Route({"GET": _constant(compat.list_languages(ident))}, requires_key=False),
        "/language/stream": tika,
        "/language/string": tika,
        "/healthz": Route({"GET": _constant({"status": "alive"}, b"no-store")}, requires_key=False),
        "/readyz": Route({"GET": api.report_readiness}, requires_key=False),
        "/openapi.json": Route({"GET": _constant(build_document(config))}, requires_key=False),
    }
    static = {path: Route({"GET": handler}, requires_key=False) for path, handler in static_handlers().items()}
    return routes | static


def _constant(value: Any, cache_control: bytes = ONE_HOUR) -> Handler:
    response = Response(msgspec.json.encode(value), cache_control=cache_control)

    async def handle(request: Request) -> Response:
        return response

    return handle


@dataclass(frozen=True, slots=True)
class PageInput:
    """The page of a request, its text if a text was sent, whether to explain the answer, and the estimated work."""

    page: Page
    text: str | None
    explain: bool
    work: int


class Api:
    """The handlers that call the library."""

    def __init__(self, ident: Identifier, pool: WorkerPool, keys: Keys, count_label: CountLabel) -> None:
        self.ident, self.pool, self.keys, self.count_label = ident, pool, keys, count_label
        self.limits = pool.limits

    async def identify(self, request: Request) -> Response:
        """Identify a raw page with its own Content-Type, or a page or text in JSON."""
        source = await self._read_page(request)
        arguments = (source.page, source.text, source.explain, self.ident)
        return await self._answer(request, source.work, answers.identify_page, *arguments)

    async def identify_batch(self, request: Request) -> Response:
        """Identify pages and texts in JSON Lines. The response begins after the first chunk, so that errors have a status."""
        _check_media_type(request, LINES, "JSON Lines with the header Content-Type: application/x-ndjson")
        explain = read_flag(request.query, "explain")
        if self.pool.is_full:
            raise busy_problem("too many large requests are being processed")
        chunks = iter_chunks(request, self.pool)
        first = await anext(chunks)
        if first.problem is not None and not first.lines:
            raise first.problem
        check_is_lines(first)
        return Response(self._iter_answers(request, first, chunks, explain), JSON_LINES)

    async def _iter_answers(
        self, request: Request, first: Chunk, rest: AsyncIterator[Chunk], explain: bool
    ) -> AsyncIterator[bytes]:
        chunk: Chunk | None = first
        try:
            while chunk is not None:
                lines, labels = await self.pool.run(request, 0, answer_chunk, chunk, explain, self.ident, wait=True)
                self._count(labels)
                yield lines
                chunk = await anext(rest, None)
        except Problem as problem:  # the status is sent: report the problem in the last line
            yield msgspec.json.encode({"error": problem.to_dict()}) + b"\n"

    async def identify_url(self, request: Request) -> Response:
        """Identify a URL in JSON or plain text."""
        body = await read_body(request, self.pool)
        _check_media_type(request, (JSON, "text/plain", ""), f"a URL with {PLAIN}, or JSON with {JSON_HEADER}")
        if request.media_type == JSON:
            url_request = await self.pool.run(request, len(body), parse_json, body, UrlRequest)
            url_request.add_query(request.query)
        else:
            url = body[:MAX_URL_BYTES].decode("utf-8", "replace").strip()
            url_request = parse_url_query(request.query | {"url": url})
        return await self._answer_url(request, url_request, len(body))

    async def identify_url_query(self, request: Request) -> Response:
        """Identify a URL in the query: ``/v1/url?url=...``."""
        return await self._answer_url(request, parse_url_query(request.query), 0)

    async def _answer_url(self, request: Request, url_request: UrlRequest, size: int) -> Response:
        work = estimate_work(size, len(url_request.inlinks), bool(url_request.explain))
        return await self._answer(request, work, answers.identify_url, url_request, self.ident)

    async def identify_urls(self, request: Request) -> Response:
        """Identify URLs in JSON, or in plain text with one URL on each line."""
        body = await read_body(request, self.pool)
        _check_media_type(
            request, (JSON, "text/plain", ""), f"one URL on each line with {PLAIN}, or JSON with {JSON_HEADER}"
        )
        explain = read_flag(request.query, "explain")
        limit = min(self.limits.batch_lines, MAX_URLS)
        if request.media_type == JSON:
            urls_request = await self.pool.run(request, len(body), parse_json, body, UrlsRequest)
            urls_request.explain = bool(urls_request.explain) or explain
        else:
            urls_request = UrlsRequest(await self.pool.run(request, len(body), _split_urls, body, limit), explain)
        if len(urls_request.urls) > limit:
            raise Problem("too-large", f"a request may have at most {limit:,} URLs", limit=limit)
        work = estimate_work(len(body) + WORK_PER_URL * len(urls_request.urls), explain=bool(urls_request.explain))
        labels, encoded = await self.pool.run(request, work, _encode_verdicts, urls_request, self.ident)
        self._count(labels)
        return Response(encoded)

    async def decode(self, request: Request) -> Response:
        """Decode a page: JSON with its text, or the text alone with ``Accept: text/plain``."""
        source = await self._read_page(request)
        is_plain = "text/plain" in request.header(b"accept")
        work = source.work * DECODE_WORK_PER_BYTE
        encoding, body = await self.pool.run(request, work, _encode_decoded, source.page, is_plain)
        if is_plain:
            return Response(body, TEXT, headers=((b"x-encoding", encoding.encode("latin-1", "replace")),))
        return Response(body)

    async def segment(self, request: Request) -> Response:
        """Return the segments of a page or text."""
        source = await self._read_page(request)
        work = estimate_work(source.work, explain=True)
        return await self._answer(request, work, answers.segment_page, source.page, source.text, self.ident)

    async def detect(self, request: Request) -> Response:
        """Answer a request of a LibreTranslate client, which may have the API key in its body."""
        body = await read_body(request, self.pool, compat.MAX_BODY_BYTES)
        _check_media_type(request, (JSON, FORMS[0]), f"a form with the field q, or JSON with {JSON_HEADER}")
        is_json = request.media_type == JSON
        parse = partial(parse_json, kind=compat.DetectRequest) if is_json else compat.parse_detect_form
        detect_request = await self.pool.run(request, len(body), parse, body)
        self.keys.check(request, detect_request.api_key)
        guesses = await self.pool.run(request, len(body), compat.detect_language, detect_request.q, self.ident)
        return Response(msgspec.json.encode(guesses))

    async def identify_tag(self, request: Request) -> Response:
        """Answer a request of a Tika client: a page or text, and its language tag alone."""
        body = await read_body(request, self.pool)
        is_form = request.media_type in FORMS  # the default of HTTP clients, also for other bodies
        page = Page(body) if is_form else read_raw_page(request, body, {})
        tag = await self.pool.run(request, len(body), compat.identify_tag, page, self.ident)
        return Response(tag.encode(), TEXT)

    async def report_readiness(self, request: Request) -> Response:
        """Report whether a large request would be accepted now."""
        if self.pool.is_full or self.pool.held_bytes >= self.limits.held_bytes:
            raise busy_problem("the limits of this worker are reached")
        return Response(msgspec.json.encode({"status": "ready"}))

    async def _read_page(self, request: Request) -> PageInput:
        body = await read_body(request, self.pool)
        fields, media_type = request.query, request.media_type
        if media_type == JSON:
            return await self.pool.run(request, len(body), _parse_page, body, fields)
        if media_type in FORMS:
            raise Problem("media-type", FORM_HINT)
        explain = read_flag(fields, "explain")
        page = read_raw_page(request, body, fields)
        return PageInput(page, None, explain, estimate_work(len(body), explain=explain))

    async def _answer(
        self, request: Request, work: int, identify: Callable[..., dict[str, Any]], *arguments: Any
    ) -> Response:
        """Identify and encode the verdict in one job, count its label and return it."""
        label, encoded = await self.pool.run(request, work, _encode_verdict, identify, *arguments)
        self.count_label(label)
        return Response(encoded)

    def _count(self, labels: Iterable[str]) -> None:
        for label in labels:
            self.count_label(label)


def _parse_page(body: bytes, fields: Mapping[str, str]) -> PageInput:
    request = parse_json(body, IdentifyRequest)
    request.add_query(fields)
    explain = bool(request.explain)
    work = estimate_work(len(body), len(request.inlinks), explain)
    return PageInput(request.to_page(), request.plain_text, explain, work)


def _split_urls(body: bytes, limit: int) -> list[str | None]:
    """Return the URLs in lines; if there are more lines than the limit, a list of ``limit + 1`` without reading the rest."""
    lines = body.split(b"\n", limit)
    if len(lines) > limit and lines[limit].strip():
        return [None] * (limit + 1)
    return [url for line in lines if (url := line[:MAX_URL_BYTES].decode("utf-8", "replace").strip())]


def _encode_verdict(identify: Callable[..., dict[str, Any]], *arguments: Any) -> tuple[str, bytes]:
    row = identify(*arguments)
    return row["label"], msgspec.json.encode(row)


def _encode_verdicts(request: UrlsRequest, ident: Identifier) -> tuple[list[str], bytes]:
    rows = answers.identify_urls(request, ident)
    return [row["label"] for row in rows], msgspec.json.encode({"verdicts": rows})


def _encode_decoded(page: Page, is_plain: bool) -> tuple[str, bytes]:
    row = answers.decode_page(page)
    return row["encoding"], row["text"].encode("utf-8", "replace") if is_plain else msgspec.json.encode(row)


def _check_media_type(request: Request, allowed: tuple[str, ...], expected: str) -> None:
    if request.media_type not in allowed:
        raise Problem("media-type", f"send {expected}")
