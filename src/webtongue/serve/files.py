"""Static files: the page and the API documentation (Swagger UI), read once at start."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from webtongue import __version__
from webtongue.files import DATA
from webtongue.serve.http import Handler, Request, Response

__all__ = ["PAGE", "SWAGGER_UI", "static_handlers"]

PAGE = Path(__file__).parent / "page"
SWAGGER_UI = Path(__file__).parent / "swagger_ui"  # written by tools/vendor_swagger_ui.py
MEDIA_TYPES = {
    ".html": b"text/html; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".mjs": b"text/javascript; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".svg": b"image/svg+xml",
}
# Browsers load nothing from other hosts, run nothing inline, and send data to this host only.
PAGE_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    b"form-action 'none'; frame-ancestors 'none'"
)
DOCS_POLICY = PAGE_POLICY.replace(b"img-src 'self'", b"img-src 'self' data:")  # Swagger UI's style sheet embeds images
DOCS = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>webtongue: the API</title><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="icon" href="page/icon.svg">
<div id="swagger-ui"></div><script src="docs/swagger-ui-bundle.js"></script><script src="page/docs.js"></script></html>
"""
REVALIDATE = b"no-cache"  # browsers keep a file and check its ETag before each use


def static_handlers() -> dict[str, Handler]:
    """Return the handler of each static path."""
    handlers = {
        f"/page/{path.name}": _static(path.read_bytes(), path.suffix)
        for path in sorted(PAGE.iterdir())
        if path.is_file() and path.name != "index.html"
    }
    index = (PAGE / "index.html").read_bytes().replace(b"{version}", __version__.encode())
    handlers["/"] = _static(index, ".html", PAGE_POLICY)
    handlers["/page/world.json"] = _static((DATA / "world.json").read_bytes(), ".json")
    handlers["/docs"] = _static(DOCS.encode(), ".html", DOCS_POLICY)
    for name in ("swagger-ui.css", "swagger-ui-bundle.js"):
        handlers[f"/docs/{name}"] = _static((SWAGGER_UI / name).read_bytes(), Path(name).suffix)
    return handlers


def _static(raw: bytes, suffix: str, policy: bytes = b"") -> Handler:
    """Return the handler of a file, with an ETag, gzipped where the client accepts that."""
    etag = b'"' + hashlib.sha256(raw).hexdigest()[:16].encode() + b'"'
    headers = [(b"etag", etag), (b"vary", b"accept-encoding")]
    if policy:
        headers.append((b"content-security-policy", policy))
    media_type = MEDIA_TYPES[suffix]
    plain = Response(raw, media_type, 200, tuple(headers), REVALIDATE)
    gzipped_headers = (*headers, (b"content-encoding", b"gzip"))
    gzipped = Response(gzip.compress(raw, mtime=0), media_type, 200, gzipped_headers, REVALIDATE)
    unchanged = Response(b"", media_type, 304, tuple(headers), REVALIDATE)

    async def handle(request: Request) -> Response:
        if request.headers.get(b"if-none-match") == etag:
            return unchanged
        return gzipped if b"gzip" in request.headers.get(b"accept-encoding", b"") else plain

    return handle
