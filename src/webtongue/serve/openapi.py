"""The OpenAPI document of the service, derived from the structures that parse requests and describe responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from webtongue import __version__
from webtongue.serve.compat import DetectRequest
from webtongue.serve.config import Config
from webtongue.serve.examples import EXAMPLES
from webtongue.serve.problems import KINDS, MEDIA_TYPE
from webtongue.serve.requests import BatchLine, IdentifyRequest, UrlRequest, UrlsRequest
from webtongue.serve.schemas import RESPONSE_TYPES

__all__ = ["OPERATIONS", "build_document"]

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"
DESCRIPTION = """Identifies the language, script and encoding of web pages, with probabilities, from their bytes, markup, URL,
server and links. Nothing is fetched: a URL is analysed as a string. Errors are problem details (RFC 9457); every answer about a
page is a Verdict."""
TAGS = {
    "identify": "Pages and texts",
    "url": "URLs without their pages",
    "compat": "Compatible with LibreTranslate and Tika",
    "service": "State of the service",
}
BYTES = {"type": "string", "format": "binary"}
STRING = {"type": "string"}
INTEGER = {"type": "integer"}
RAW = dict.fromkeys(("text/html", "text/plain", "application/octet-stream"), BYTES)
LINES = {"application/x-ndjson": BYTES}
TEXT = {"text/plain; charset=utf-8": STRING}
METRICS = {"text/plain; version=0.0.4; charset=utf-8": STRING}
BODY_PROBLEMS = (408, 413, 415, 422, 503)  # statuses of requests with a body


def _parameter(name: str, description: str, schema: Schema = STRING) -> Schema:
    return {"name": name, "in": "query", "description": description, "schema": schema}


EXPLAIN = _parameter(
    "explain",
    "Add guesses, segments, evidence and an explanation.",
    {"type": "string", "enum": ["0", "1", "true", "false"]},
)
URL = _parameter("url", "The URL of the page. It is analysed, never fetched.")
SERVER = (
    _parameter("ip", "The IP address of the server."),
    _parameter("country", "The country of the server, ISO 3166.", {"type": "string", "pattern": "^[A-Za-z]{2}$"}),
)
ANCHOR = _parameter("anchor", "The anchor text of a link to the page.")


def _ref(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def _json(schema: Schema) -> dict[str, Schema]:
    return {"application/json": schema}


def _array(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


@dataclass(frozen=True, slots=True)
class Operation:
    """A path and a method, with schemas of its request and response by media type."""

    path: str
    method: str
    tag: str
    summary: str
    response: Mapping[str, Schema]
    parameters: tuple[Schema, ...] = ()
    body: Mapping[str, Schema] | None = None
    example: str = ""
    problems: tuple[int, ...] = BODY_PROBLEMS
    requires_body: bool = False  # elsewhere a missing body is an empty page, which has an answer
    is_public: bool = False  # no API key is required


VERDICT = _json(_ref("Verdict"))
PAGE = _json(_ref("IdentifyRequest")) | RAW  # Swagger UI offers the first media type
PAGE_PARAMETERS = (URL, *SERVER, EXPLAIN)
OPERATIONS = (
    Operation(
        "/v1/identify", "post", "identify", "Identify the language of a page or text", VERDICT, PAGE_PARAMETERS, PAGE, "identify"
    ),
    Operation(
        "/v1/identify/batch", "post", "identify", "Identify the languages of many pages and texts (JSON Lines)", LINES, (EXPLAIN,),
        LINES, "batch",
    ),
    Operation(
        "/v1/segments", "post", "identify", "Locate each language in a page or text", _json(_ref("Segments")), PAGE_PARAMETERS,
        PAGE, "identify",
    ),
    Operation(
        "/v1/decode", "post", "identify", "Decode the source of a page to text", _json(_ref("DecodedPage")) | TEXT,
        PAGE_PARAMETERS, PAGE, "identify",
    ),
    Operation(
        "/v1/labels", "get", "identify", "List all labels", _json(_object(labels=_array(_ref("LabelInfo")))), problems=()
    ),
    Operation(
        "/v1/url", "get", "url", "Identify the language of a page by its URL", VERDICT,
        (URL | {"required": True}, *SERVER, ANCHOR, EXPLAIN), problems=(422,),
    ),
    Operation(
        "/v1/url", "post", "url", "Identify the language of a page by its URL", VERDICT, (*SERVER, ANCHOR, EXPLAIN),
        _json(_ref("UrlRequest")) | {"text/plain": STRING}, "url",
    ),
    Operation(
        "/v1/urls", "post", "url", "Identify the languages of many pages by their URLs",
        _json(_object(verdicts=_array(_ref("Verdict")))), (EXPLAIN,), _json(_ref("UrlsRequest")) | {"text/plain": STRING}, "urls",
    ),
    Operation(
        "/detect", "post", "compat", "Detect the language of a text, as LibreTranslate", _json(_array(_ref("DetectedLanguage"))),
        (), _json(_ref("DetectRequest")) | {"application/x-www-form-urlencoded": _ref("DetectRequest")}, "detect",
        requires_body=True,
    ),
    Operation(
        "/languages", "get", "compat", "List languages, as LibreTranslate", _json(_array(_ref("LibreTranslateLanguage"))),
        problems=(), is_public=True,
    ),
    *(
        Operation(path, method, "compat", "Return the language tag of a page or text, as Tika", TEXT, (), RAW, "tika")
        for path in ("/language/stream", "/language/string")
        for method in ("put", "post")
    ),
    Operation("/healthz", "get", "service", "Report that the process runs", _json(_ref("Health")), problems=(), is_public=True),
    Operation(
        "/readyz", "get", "service", "Report whether a large request would be accepted", _json(_ref("Health")), problems=(503,),
        is_public=True,
    ),
    Operation("/metrics", "get", "service", "Report metrics for Prometheus", METRICS, problems=()),
)  # fmt: skip


def build_document(config: Config) -> dict[str, Any]:
    """Return the OpenAPI document."""
    kinds = (IdentifyRequest, BatchLine, UrlRequest, UrlsRequest, DetectRequest, *RESPONSE_TYPES)
    _, components = msgspec.json.schema_components(kinds, ref_template=REF)
    for name in ("IdentifyRequest", "BatchLine"):  # structures cannot express that exactly one of these is given
        components[name]["oneOf"] = [{"required": [content]} for content in ("text", "html", "base64")]
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "webtongue",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0"},
        },
        "servers": [{"url": config.root_path or "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": _paths(bool(config.keys)),
        "components": {"schemas": components | {"Problem": _problem_schema()}},
    }
    if config.keys:
        schemes = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
        document["components"]["securitySchemes"] = schemes
        document["security"] = [{name: []} for name in schemes]
    return document


def _problem_schema() -> Schema:
    required = _object(type={"enum": [f"/docs#{kind}" for kind in KINDS]}, title=STRING, status=INTEGER, detail=STRING)
    optional = dict.fromkeys(("line", "column", "limit"), INTEGER) | dict.fromkeys(("pointer", "parameter"), STRING)
    properties = required["properties"] | optional
    return required | {"title": "Problem", "description": "Problem details, RFC 9457.", "properties": properties}


def _paths(requires_key: bool) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        described = _describe(operation, requires_key and not operation.is_public)
        paths.setdefault(operation.path, {})[operation.method] = described
    return paths


def _describe(operation: Operation, requires_key: bool) -> dict[str, Any]:
    """Return OpenAPI's operation object."""
    problem = {MEDIA_TYPE.decode(): {"schema": _ref("Problem")}}
    statuses = sorted((*operation.problems, 401) if requires_key else operation.problems)
    responses = {"200": {"description": "Success", "content": _content(operation.response, {})}}
    responses |= {str(status): {"description": _titles(status), "content": problem} for status in statuses}
    described: dict[str, Any] = {"tags": [operation.tag], "summary": operation.summary, "responses": responses}
    if operation.parameters:
        described["parameters"] = list(operation.parameters)
    if operation.body is not None:
        content = _content(operation.body, EXAMPLES[operation.example])
        described["requestBody"] = {"required": operation.requires_body, "content": content}
    return described | ({"security": []} if operation.is_public else {})


def _titles(status: int) -> str:
    return "; ".join(title for code, title in KINDS.values() if code == status)


def _content(schemas: Mapping[str, Schema], examples: Mapping[str, Any]) -> dict[str, Any]:
    return {
        media_type: {"schema": schema} | ({"examples": examples[media_type]} if media_type in examples else {})
        for media_type, schema in schemas.items()
    }
