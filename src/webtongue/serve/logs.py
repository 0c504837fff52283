"""The access log: a line of JSON for each request, on standard error. No query and no body is ever in it."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

__all__ = ["AccessLog"]

EVERY = 0.25  # seconds that lines wait for others: one write for many
MOST = 1 << 16  # bytes that wait


class AccessLog:
    """Lines that are written together."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._lines: list[bytes] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, scope: Any, path: str, status: int, seconds: float, received: int, sent: int) -> None:
        """A request that was answered."""
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
        if self._size > MOST:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(EVERY, self.flush)

    def flush(self) -> None:
        """Write what waits; a log that nobody reads any longer ends nothing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        lines, self._lines, self._size = self._lines, [], 0
        if not lines:
            return
        try:
            self._out.write("\n".join([line.decode() for line in lines]) + "\n")
            self._out.flush()
        except (OSError, ValueError):
            return
