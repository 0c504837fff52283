"""The OpenAPI document of the service: made of the structures that requests are read by, so that it cannot say otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from webtongue import __version__
from webtongue.serve.asked import Asked, AskedLine, AskedUrl, AskedUrls
from webtongue.serve.config import Config
from webtongue.serve.examples import EXAMPLES
from webtongue.serve.problems import KINDS, MEDIA_TYPE
from webtongue.serve.shapes import Detect
from webtongue.serve.shown import SHOWN

__all__ = ["document"]

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"
ABOUT = """What language a web page is in: language, script, encoding, and how sure, from its bytes, its markup, its address, its
server and its links. Nothing is fetched: an address is read as it stands. Problems are RFC 9457's; every answer about a page is one
Verdict."""
TAGS = {
    "identify": "Pages and texts",
    "address": "Addresses alone",
    "known": "Shapes that people already call",
    "service": "The service",
}
BYTES = {"type": "string", "format": "binary"}
STRING = {"type": "string"}
RAW = dict.fromkeys(("text/html", "text/plain", "application/octet-stream"), BYTES)
LINES = {"application/x-ndjson": BYTES}
TEXT = {"text/plain; charset=utf-8": STRING}
METRICS = {"text/plain; version=0.0.4; charset=utf-8": STRING}
READ = (408, 413, 415, 422, 503)  # what may become of a request with a body


def _field(name: str, description: str, schema: Schema = STRING) -> Schema:
    return {"name": name, "in": "query", "description": description, "schema": schema}


EXPLAIN = _field(
    "explain",
    "Add guesses, segments, evidence, and what a person wants to see.",
    {"type": "string", "enum": ["0", "1", "true", "false"]},
)
URL = _field("url", "The page's address; read, never fetched.")
SERVER = (
    _field("ip", "The address of its server."),
    _field("country", "The country of its server, ISO 3166.", {"type": "string", "pattern": "^[A-Za-z]{2}$"}),
)
ANCHOR = _field("anchor", "The words of a link to it.")


def _ref(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def _json(schema: Schema) -> dict[str, Schema]:
    return {"application/json": schema}


def _all(name: str, schema: Schema) -> Schema:
    return {"type": "object", "required": [name], "properties": {name: {"type": "array", "items": schema}}}


@dataclass(frozen=True, slots=True)
class Operation:
    """A path and a method: what goes in and what comes out, by media type; ``free``: no key is asked for."""

    path: str
    method: str
    tag: str
    summary: str
    answer: Mapping[str, Schema]
    parameters: tuple[Schema, ...] = ()
    body: Mapping[str, Schema] | None = None
    example: str = ""
    problems: tuple[int, ...] = READ
    needs_body: bool = False  # no body at all is an empty page, and that is an answer
    free: bool = False


VERDICT, PAGE = _json(_ref("Verdict")), RAW | _json(_ref("Asked"))
KNOWN = (URL, *SERVER, EXPLAIN)
OPERATIONS = (
    Operation("/v1/identify", "post", "identify", "What a page or text is in", VERDICT, KNOWN, PAGE, "identify"),
    Operation("/v1/identify/batch", "post", "identify", "Many, as JSON Lines", LINES, (EXPLAIN,), LINES, "batch"),
    Operation(
        "/v1/segments", "post", "identify", "Where each language is", _json(_ref("Segmented")), KNOWN, PAGE, "identify"
    ),
    Operation(
        "/v1/decode", "post", "identify", "A page's source as text", _json(_ref("Decoded")) | TEXT, KNOWN, PAGE, "identify"
    ),
    Operation(
        "/v1/labels", "get", "identify", "What can be answered", _json(_all("labels", _ref("Card"))), problems=()
    ),
    Operation(
        "/v1/url", "get", "address", "An address alone", VERDICT, (URL | {"required": True}, *SERVER, ANCHOR, EXPLAIN),
        problems=(422,),
    ),
    Operation(
        "/v1/url", "post", "address", "An address alone", VERDICT, (*SERVER, ANCHOR, EXPLAIN),
        _json(_ref("AskedUrl")) | {"text/plain": STRING}, "url",
    ),
    Operation(
        "/v1/urls", "post", "address", "Many addresses", _json(_all("verdicts", _ref("Verdict"))), (EXPLAIN,),
        _json(_ref("AskedUrls")) | {"text/plain": STRING}, "urls",
    ),
    Operation(
        "/detect", "post", "known", "LibreTranslate's", _json({"type": "array", "items": _ref("Detected")}), (),
        _json(_ref("Detect")) | {"application/x-www-form-urlencoded": _ref("Detect")}, "detect", needs_body=True,
    ),
    Operation(
        "/languages", "get", "known", "LibreTranslate's", _json({"type": "array", "items": _ref("LibreLanguage")}),
        problems=(),
    ),
    *(
        Operation(path, method, "known", "Tika's", TEXT, (), RAW, "tika")
        for path in ("/language/stream", "/language/string")
        for method in ("put", "post")
    ),
    Operation("/healthz", "get", "service", "The process is alive", _json(_ref("Health")), problems=(), free=True),
    Operation(
        "/readyz", "get", "service", "A large request would be taken now", _json(_ref("Health")), problems=(503,), free=True
    ),
    Operation("/metrics", "get", "service", "Prometheus'", METRICS, problems=()),
)  # fmt: skip


def document(config: Config) -> dict[str, Any]:
    """The whole document."""
    kinds = (Asked, AskedLine, AskedUrl, AskedUrls, Detect, *SHOWN)
    _, components = msgspec.json.schema_components(kinds, ref_template=REF)
    _one_of(components["Asked"])
    _one_of(components["AskedLine"])
    secured: dict[str, Any] = {"security": [{"bearer": []}, {"key": []}]} if config.keys else {}
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "webtongue", "version": __version__, "description": ABOUT, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": config.root_path or "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": _paths(bool(config.keys)),
        "components": {
            "schemas": components | {"Problem": _problem()},
            "securitySchemes": schemes if config.keys else {},
        },
        **secured,
    }


def _one_of(schema: dict[str, Any]) -> None:
    """Exactly one of three fields: what a structure alone cannot say."""
    schema["oneOf"] = [{"required": [name]} for name in ("text", "html", "base64")]


def _problem() -> dict[str, Any]:
    return {
        "title": "Problem",
        "type": "object",
        "description": "RFC 9457.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"enum": [f"/docs#{kind}" for kind in KINDS]},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "line": {"type": "integer"},
            "column": {"type": "integer"},
            "pointer": {"type": "string"},
            "parameter": {"type": "string"},
            "limit": {"type": "integer"},
        },
    }


def _paths(guarded: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for operation in OPERATIONS:
        found.setdefault(operation.path, {})[operation.method] = _described(operation, guarded and not operation.free)
    return found


def _described(operation: Operation, guarded: bool) -> dict[str, Any]:
    problem = {MEDIA_TYPE.decode(): {"schema": _ref("Problem")}}
    refused = sorted((*operation.problems, 401) if guarded else operation.problems)
    responses = {"200": {"description": "Answered.", "content": _content(operation.answer, {})}}
    responses |= {str(status): {"description": _titles(status), "content": problem} for status in refused}
    found: dict[str, Any] = {"tags": [operation.tag], "summary": operation.summary, "responses": responses}
    if operation.parameters:
        found["parameters"] = list(operation.parameters)
    if operation.body is not None:
        found["requestBody"] = {
            "required": operation.needs_body,
            "content": _content(operation.body, EXAMPLES[operation.example]),
        }
    return found | ({"security": []} if operation.free else {})


def _titles(status: int) -> str:
    return "; ".join(title for code, title in KINDS.values() if code == status)


def _content(kinds: Mapping[str, Schema], examples: Mapping[str, Any]) -> dict[str, Any]:
    return {
        kind: {"schema": schema} | ({"examples": examples[kind]} if kind in examples else {})
        for kind, schema in kinds.items()
    }
