"""What goes wrong with a request, as RFC 9457 has it: a status, a kind, a title, and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webtongue.serve.http import Answer

__all__ = ["KINDS", "MEDIA_TYPE", "Problem"]

MEDIA_TYPE = b"application/problem+json"
# Kind: status and title. The address of a kind is a place in the documentation of the API, below the service itself.
KINDS: Mapping[str, tuple[int, str]] = {
    "bad-request": (400, "This is not HTTP"),
    "key-needed": (401, "A key is needed"),
    "not-found": (404, "There is nothing at this path"),
    "method": (405, "This path has other methods"),
    "slow-body": (408, "The body took too long to come"),
    "too-large": (413, "The body is too large"),
    "media-type": (415, "This kind of body is not read here"),
    "invalid": (422, "The request makes no sense"),
    "malformed": (422, "The JSON is malformed"),
    "head-too-large": (431, "The head of the request is too large"),
    "internal": (500, "Something went wrong here"),
    "busy": (503, "Too much is at work"),
    "too-slow": (503, "The work took too long"),
}


class Problem(Exception):
    """The end of a request. Extra members and headers are for programs; the sentence is for people."""

    def __init__(self, kind: str, detail: str, headers: tuple[tuple[bytes, bytes], ...] = (), **extra: Any) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers, self.extra = kind, detail, headers, extra

    @property
    def status(self) -> int:
        """The HTTP status."""
        return KINDS[self.kind][0]

    def to_dict(self) -> dict[str, Any]:
        """The problem as JSON has it.

        >>> Problem("malformed", "a comma is missing", line=2, column=7).to_dict()["line"]
        2
        """
        status, title = KINDS[self.kind]
        known = {"type": f"/docs#{self.kind}", "title": title, "status": status, "detail": self.detail}
        return known | self.extra

    def answer(self) -> Answer:
        """The problem as an answer."""
        return Answer(msgspec.json.encode(self.to_dict()), MEDIA_TYPE, self.status, self.headers)
