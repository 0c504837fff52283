"""What each path does: read what is asked, have it answered, and say so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from webtongue import Identifier, Page
from webtongue.serve import answers, shapes
from webtongue.serve import batch as batches
from webtongue.serve.asked import (
    Asked,
    AskedUrl,
    AskedUrls,
    as_json,
    decoded,
    flag,
    page_of,
    text_of,
    url_of,
    with_fields,
)
from webtongue.serve.bodies import whole
from webtongue.serve.cards import cards
from webtongue.serve.config import Config
from webtongue.serve.files import files_of
from webtongue.serve.http import JSON, JSON_LINES, TEXT, Answer, Request
from webtongue.serve.openapi import document
from webtongue.serve.problems import Problem
from webtongue.serve.work import Workshop

__all__ = ["Route", "routes_of"]

Handler = Callable[[Request], Awaitable[Answer]]
Count = Callable[[str], None]  # of verdicts by label
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
LINES = ("application/x-ndjson", "application/jsonl", "application/json-lines", "application/json", "text/plain", "")
MOST_URLS = 10_000  # addresses of one request: their answers are held at once
IS_JSON = "application/json"
A_WHILE = ((b"cache-control", b"max-age=3600"),)


@dataclass(frozen=True, slots=True)
class Route:
    """Methods of a path; ``guarded``: only for who has a key, where keys are asked for."""

    methods: Mapping[str, Handler]
    guarded: bool = True
    allowed: bytes = field(init=False)

    def __post_init__(self) -> None:
        found = [*self.methods, *(["HEAD"] if "GET" in self.methods else [])]
        object.__setattr__(self, "allowed", ", ".join(found).encode())


def routes_of(ident: Identifier, workshop: Workshop, config: Config, count: Count) -> dict[str, Route]:
    """The table. Paths are whole: none has a part that varies."""
    api = Api(ident, workshop, count)
    found = {
        "/v1/identify": Route({"POST": api.identify}),
        "/v1/identify/batch": Route({"POST": api.batch}),
        "/v1/url": Route({"GET": api.url_of_query, "POST": api.url}),
        "/v1/urls": Route({"POST": api.urls}),
        "/v1/decode": Route({"POST": api.decode}),
        "/v1/segments": Route({"POST": api.segments}),
        "/v1/labels": Route({"GET": _constant(as_json({"labels": cards(ident)}))}),
        "/detect": Route({"POST": api.detect}),
        "/languages": Route({"GET": _constant(as_json(shapes.languages(ident)))}),
        "/language/stream": Route({"PUT": api.stream, "POST": api.stream}),
        "/language/string": Route({"PUT": api.stream, "POST": api.stream}),
        "/healthz": Route({"GET": _constant(as_json({"status": "alive"}), ())}, guarded=False),
        "/readyz": Route({"GET": api.ready}, guarded=False),
        "/openapi.json": Route({"GET": _constant(as_json(document(config)))}, guarded=False),
    }
    return found | {path: Route({"GET": file}, guarded=False) for path, file in files_of().items()}


def _constant(body: bytes, headers: tuple[tuple[bytes, bytes], ...] = A_WHILE) -> Handler:
    answer = Answer(body, JSON, headers=headers)

    async def give(request: Request) -> Answer:
        return answer

    return give


class Api:
    """The paths that answer something."""

    def __init__(self, ident: Identifier, workshop: Workshop, count: Count) -> None:
        self.ident, self.workshop, self.count = ident, workshop, count
        self.limits = workshop.limits

    async def identify(self, request: Request) -> Answer:
        """A raw page with its own Content-Type, or JSON."""
        page, text, explain = await self._page(request)
        row = await self.workshop.run(len(page.raw), answers.identified, page, text, explain, self.ident)
        self.count(row["label"])
        return Answer(as_json(row))

    async def batch(self, request: Request) -> Answer:
        """JSON Lines in and out. The first chunk is answered before the answer begins, so that what is refused is refused."""
        _only(request, LINES, "JSON Lines: Content-Type: application/x-ndjson")
        explain = flag(request.query, "explain")
        if self.workshop.busy >= self.limits.work:
            raise Problem("busy", "too many batches are at work: try again in a second", ((b"retry-after", b"1"),))
        chunks = batches.chunks(request, self.workshop)
        first = await anext(chunks)
        if first.problem is not None and not first.lines and first.first == 1:
            raise first.problem
        return Answer(self._lines(first, chunks, explain), JSON_LINES)

    async def _lines(
        self, first: batches.Chunk, rest: AsyncIterator[batches.Chunk], explain: bool
    ) -> AsyncIterator[bytes]:
        work = partial(batches.answers, explain=explain, ident=self.ident)
        chunk: batches.Chunk | None = first
        try:
            while chunk is not None:
                lines, labels = await self.workshop.run(0, work, chunk, patient=True)
                for label in labels:
                    self.count(label)
                yield lines
                chunk = await anext(rest, None)
        except Problem as problem:  # the answer has begun: its last line says how it ended
            yield as_json({"error": problem.to_dict()}) + b"\n"

    async def url(self, request: Request) -> Answer:
        """An address, as JSON or as plain text."""
        body = await whole(request, self.workshop)
        _only(request, (IS_JSON, "text/plain", ""), "JSON or plain text")
        if request.media_type == IS_JSON:
            asked = with_fields(decoded(body, AskedUrl), request.query)
        else:
            asked = url_of(request.query | {"url": body.decode("utf-8", "replace").strip()})
        return self._url(asked)

    async def url_of_query(self, request: Request) -> Answer:
        """An address from the query: ``/v1/url?url=...``."""
        return self._url(url_of(request.query))

    def _url(self, asked: AskedUrl) -> Answer:
        row = answers.of_url(asked, self.ident)
        self.count(row["label"])
        return Answer(as_json(row))

    async def urls(self, request: Request) -> Answer:
        """Many addresses."""
        body = await whole(request, self.workshop)
        _only(request, (IS_JSON, "text/plain", ""), "JSON or plain text, an address a line")
        explain = flag(request.query, "explain")
        if request.media_type == IS_JSON:
            asked = await self.workshop.run(len(body), decoded, body, AskedUrls)
            asked.explain = asked.explain or explain
        else:
            lines = body.decode("utf-8", "replace").splitlines()
            asked = AskedUrls([line.strip() for line in lines if line.strip()], explain)
        most = min(self.limits.lines, MOST_URLS)
        if len(asked.urls) > most:
            raise Problem("too-large", f"{most:,} addresses at most", limit=most)
        rows = await self.workshop.run(len(body) * 16, answers.of_urls, asked, self.ident)
        for row in rows:
            self.count(row["label"])
        return Answer(as_json({"verdicts": rows}))

    async def decode(self, request: Request) -> Answer:
        """A page in any encoding; JSON with its text out, or the text itself where ``Accept: text/plain`` asks for it."""
        page, _, _ = await self._page(request)
        found = await self.workshop.run(len(page.raw) * 4, answers.decoded, page)
        if "text/plain" in request.header(b"accept"):
            encoding = (b"x-encoding", found["encoding"].encode("latin-1", "replace"))
            return Answer(found["text"].encode("utf-8", "replace"), TEXT, headers=(encoding,))
        return Answer(as_json(found))

    async def segments(self, request: Request) -> Answer:
        """Where each language is."""
        page, text, _ = await self._page(request)
        row = await self.workshop.run(len(page.raw), answers.segmented, page, text, self.ident)
        self.count(row["label"])
        return Answer(as_json(row))

    async def detect(self, request: Request) -> Answer:
        """As LibreTranslate."""
        body = await whole(request, self.workshop)
        _only(request, (IS_JSON, FORMS[0]), "JSON or a form with the field q")
        asked = decoded(body, shapes.Detect) if request.media_type == IS_JSON else shapes.detect_form(body)
        return Answer(as_json(await self.workshop.run(len(body), shapes.detected, asked.q, self.ident)))

    async def stream(self, request: Request) -> Answer:
        """As Tika: a page or a text, and its tag alone."""
        body = await whole(request, self.workshop)
        page = page_of(request, body, {})
        if request.media_type in FORMS:  # what clients say when they were told nothing
            page = Page(body)
        tag = await self.workshop.run(len(body), shapes.tagged, page, self.ident)
        return Answer(tag.encode(), TEXT)

    async def ready(self, request: Request) -> Answer:
        """Whether a large request would be taken now."""
        if self.workshop.busy >= self.limits.work or self.workshop.held >= self.limits.held:
            raise Problem("busy", "too much is at work", ((b"retry-after", b"1"),))
        return Answer(as_json({"status": "ready"}))

    async def _page(self, request: Request) -> tuple[Page, str | None, bool]:
        """What was asked: a page, the text if a text was given, and whether to explain."""
        body = await whole(request, self.workshop)
        kind = request.media_type
        fields = request.query
        if kind == IS_JSON:
            return await self.workshop.run(len(body), _of_json, body, fields)
        if kind in FORMS:
            raise Problem(
                "media-type",
                "a page comes with a Content-Type of its own, such as text/html, or in JSON; a form is neither",
            )
        return page_of(request, body, fields), None, flag(fields, "explain")


def _of_json(body: bytes, fields: dict[str, str]) -> tuple[Page, str | None, bool]:
    asked: Asked = decoded(body, Asked)
    return asked.page(fields), text_of(asked), flag(fields, "explain") or asked.explain


def _only(request: Request, kinds: tuple[str, ...], said: str) -> None:
    if request.media_type not in kinds:
        raise Problem("media-type", f"send {said}")
