"""Who may work, and where: small bodies at once, large ones on threads, no more of them than a worker has room for.

A request that is still coming is not at work: a thousand slow ones take no place here, and of memory only what has come of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from webtongue.serve.config import Limits
from webtongue.serve.problems import Problem

__all__ = ["AT_ONCE", "RETRY", "Workshop"]

T = TypeVar("T")
# Bytes of a body that is answered at once: it takes a millisecond at most, and a thread would cost a tenth of that.
AT_ONCE = 64 << 10
RETRY = ((b"retry-after", b"1"),)


class Workshop:
    """The threads of a worker, how many bodies are at work or wait for a thread, and how many bytes are held."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self.limits = limits
        self.busy = 0
        self.held = 0
        self._threads = ThreadPoolExecutor(threads, "webtongue")

    def hold(self, size: int) -> None:
        """Take room for bytes of a body that have come; who asks gives it back with a negative size."""
        if size > 0 and self.held + size > self.limits.held:
            raise Problem("busy", "the bodies of other requests fill the memory: try again in a second", RETRY)
        self.held += size

    async def run(self, size: int, work: Callable[..., T], *arguments: Any, patient: bool = False) -> T:
        """Do the work: here if the body is small, else on a thread. ``patient``: wait for a place, as a batch under way does."""
        if size <= AT_ONCE and not patient:
            return work(*arguments)
        while self.busy >= self.limits.work:
            if not patient:
                raise Problem("busy", f"{self.busy} large requests are at work: try again in a second", RETRY)
            await asyncio.sleep(0.01)
        self.busy += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self.limits.seconds)
        except TimeoutError:
            future.add_done_callback(
                lambda done: done.cancelled() or done.exception()
            )  # nobody waits for it any longer
            raise Problem("too-slow", f"it takes longer than {self.limits.seconds:g} seconds") from None

    def _done(self, _: Any) -> None:
        self.busy -= 1

    def close(self) -> None:
        """Let what is at work end."""
        self._threads.shutdown(wait=True)
