"""Errors as problem details (RFC 9457): a type, a title, a status, and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webtongue.serve.http import Response

__all__ = ["KINDS", "MEDIA_TYPE", "Problem"]

MEDIA_TYPE = b"application/problem+json"
# Status and title of each kind. Its `type` is an anchor in the API documentation of the service.
KINDS: Mapping[str, tuple[int, str]] = {
    "bad-request": (400, "The request is not valid HTTP"),
    "key-needed": (401, "An API key is required"),
    "not-found": (404, "Unknown path"),
    "method": (405, "Method not allowed"),
    "slow-body": (408, "The request took too long to arrive"),
    "too-large": (413, "The body is too large"),
    "media-type": (415, "Unsupported media type"),
    "invalid": (422, "The request is invalid"),
    "malformed": (422, "The JSON is malformed"),
    "head-too-large": (431, "The head of the request is too large"),
    "internal": (500, "Internal error"),
    "busy": (503, "The service is overloaded"),
    "too-slow": (503, "Processing took too long"),
}


class Problem(Exception):
    """An error that ends a request. ``extra`` are further members of the JSON, for programs."""

    def __init__(self, kind: str, detail: str, headers: tuple[tuple[bytes, bytes], ...] = (), **extra: Any) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers, self.extra = kind, detail, headers, extra

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return KINDS[self.kind][0]

    def to_dict(self) -> dict[str, Any]:
        """Return the members of the problem's JSON.

        >>> Problem("malformed", "a comma is missing", line=2, column=7).to_dict()["line"]
        2
        """
        status, title = KINDS[self.kind]
        return {"type": f"/docs#{self.kind}", "title": title, "status": status, "detail": self.detail} | self.extra

    def to_response(self) -> Response:
        """Return the problem as a response."""
        return Response(msgspec.json.encode(self.to_dict()), MEDIA_TYPE, self.status, self.headers)
