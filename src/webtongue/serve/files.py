"""The page and the documentation: files of this package and of swagger-ui-bundle, read once, and what browsers may do with them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from webtongue.files import DATA
from webtongue.serve.http import Answer, Request

__all__ = ["PAGE", "files_of"]

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": b"text/html; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".mjs": b"text/javascript; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".svg": b"image/svg+xml",
}
# Nothing from anywhere else, nothing inline, nowhere to send anything but here.
OURS = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    b"form-action 'none'; frame-ancestors 'none'"
)
# Swagger UI sets styles inline and has its pictures in its source.
SWAGGER = OURS.replace(b"style-src 'self'", b"style-src 'self' 'unsafe-inline'").replace(
    b"img-src 'self'", b"img-src 'self' data:"
)
DOCS = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>webtongue: the API</title><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="icon" href="page/icon.svg">
<div id="swagger-ui"></div><script src="docs/swagger-ui-bundle.js"></script><script src="page/docs.js"></script></html>
"""

Handler = Callable[[Request], Awaitable[Answer]]


def files_of() -> dict[str, Handler]:
    """Paths of files, and who gives them out."""
    from swagger_ui_bundle import swagger_ui_path

    swagger = Path(str(swagger_ui_path))
    found = {
        f"/page/{path.name}": _file(path.read_bytes(), path.suffix) for path in sorted(PAGE.iterdir()) if path.is_file()
    }
    found["/"] = _file((PAGE / "index.html").read_bytes(), ".html", OURS)
    found["/page/world.json"] = _file((DATA / "world.json").read_bytes(), ".json")
    found["/docs"] = _file(DOCS.encode(), ".html", SWAGGER)
    for name in ("swagger-ui.css", "swagger-ui-bundle.js"):
        found[f"/docs/{name}"] = _file((swagger / name).read_bytes(), Path(name).suffix)
    return found


def _file(raw: bytes, suffix: str, policy: bytes = b"") -> Handler:
    """A file: not sent again where a browser has it, and packed where it may be."""
    tag = b'"' + hashlib.sha256(raw).hexdigest()[:16].encode() + b'"'
    headers = [(b"etag", tag), (b"cache-control", b"no-cache"), (b"vary", b"accept-encoding")]
    if policy:
        headers.append((b"content-security-policy", policy))
    kind = TYPES[suffix]
    plain = Answer(raw, kind, headers=tuple(headers))
    packed = Answer(gzip.compress(raw, mtime=0), kind, headers=(*headers, (b"content-encoding", b"gzip")))
    unchanged = Answer(b"", kind, 304, tuple(headers))

    async def give(request: Request) -> Answer:
        if request.headers.get(b"if-none-match") == tag:
            return unchanged
        return packed if b"gzip" in request.headers.get(b"accept-encoding", b"") else plain

    return give
