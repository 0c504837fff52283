"""API keys."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from webtongue.serve.http import Request
from webtongue.serve.problems import Problem

__all__ = ["Keys"]

BEARER = b"bearer "
CHALLENGE = ((b"www-authenticate", b"Bearer"),)


class Keys:
    """The keys of the service; without any, no request is refused."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = [key.encode() for key in keys]

    def check(self, request: Request, body_key: str = "") -> None:
        """Raise a Problem for a request without a valid key in its headers or in its body (``body_key``)."""
        if not self._keys:
            return
        authorization = request.headers.get(b"authorization", b"")
        is_bearer = authorization[: len(BEARER)].lower() == BEARER
        header_key = authorization[len(BEARER) :].strip() if is_bearer else request.headers.get(b"x-api-key", b"")
        candidates = (header_key, body_key.encode("utf-8", "replace"))
        # A list, not a generator: the number of comparisons does not depend on which key matches.
        if not any([hmac.compare_digest(candidate, key) for candidate in candidates for key in self._keys]):
            detail = "send a key as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'"
            raise Problem("key-needed", detail, CHALLENGE)
