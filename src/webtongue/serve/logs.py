"""The access log: one line of JSON for each request, on standard error, without queries and bodies."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import TextIO

import msgspec

from webtongue.serve.http import Scope

__all__ = ["AccessLog"]

FLUSH_SECONDS = 0.25  # lines are buffered and written together
MAX_BUFFER_BYTES = 1 << 16


class AccessLog:
    """A buffered log."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lines: list[bytes] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, scope: Scope, path: str, status: int, seconds: float, received: int, sent: int) -> None:
        """Log a request that was answered."""
        client = scope.get("client")
        line = msgspec.json.encode(
            {
                "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "client": client[0] if client else "",
                "method": scope["method"],
                "path": path,
                "status": status,
                "ms": round(seconds * 1000, 3),
                "received": received,
                "sent": sent,
            }
        )
        self._lines.append(line)
        self._size += len(line)
        if self._size > MAX_BUFFER_BYTES:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)

    def flush(self) -> None:
        """Write buffered lines; errors of the stream are ignored, so that a closed log does not stop the service."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        lines, self._lines, self._size = self._lines, [], 0
        if not lines:
            return
        try:
            self._stream.write("\n".join([line.decode() for line in lines]) + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            return
