"""Where work runs: cheap requests on the event loop, costly ones on threads, up to the limits of a worker.

A request that is still arriving is no work: slow clients occupy no thread, and memory only for the bytes that have arrived.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from webtongue.serve.config import Limits
from webtongue.serve.http import Request
from webtongue.serve.problems import Problem

__all__ = ["MAX_INLINE_WORK", "ClientDisconnected", "WorkerPool", "busy_problem", "estimate_work"]

T = TypeVar("T")
# Work is estimated in bytes of an ordinary page, which take 10 ns each. Using a thread costs 0.1 ms. The most costly pages of
# 16 kB take 4 ms, for which other requests can wait.
MAX_INLINE_WORK = 16 << 10
WORK_PER_LINK = 1 << 10  # a link to a page takes 10 microseconds
EXPLAIN_WORK_PER_BYTE = 64  # an explanation takes a microsecond for each byte where every word is a block
POLL_SECONDS = 0.01


def estimate_work(body_bytes: int, links: int = 0, explain: bool = False) -> int:
    """Return the estimated work of a request, in bytes of an ordinary page.

    >>> estimate_work(2000), estimate_work(2000, links=30), estimate_work(2000, explain=True)
    (2000, 32720, 128000)
    """
    return body_bytes * (EXPLAIN_WORK_PER_BYTE if explain else 1) + links * WORK_PER_LINK


def busy_problem(cause: str) -> Problem:
    """Return the problem of a worker that has reached one of its limits."""
    return Problem("busy", f"{cause}: try again in a second", ((b"retry-after", b"1"),))


class ClientDisconnected(Exception):
    """The client closed its connection."""


class WorkerPool:
    """The threads of a worker, the number of jobs that run or wait for a thread, and the bytes of bodies in memory."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self.limits = limits
        self.pending_jobs = 0
        self.held_bytes = 0
        self._threads = ThreadPoolExecutor(threads, "webtongue")

    @property
    def is_full(self) -> bool:
        """Return True if no further job is accepted."""
        return self.pending_jobs >= self.limits.pending_jobs

    def reserve(self, request: Request, size: int) -> None:
        """Reserve memory for bytes of a request's body; a negative size gives memory back."""
        if size > 0 and self.held_bytes + size > self.limits.held_bytes:
            raise busy_problem("the bodies of other requests fill the memory")
        self.held_bytes += size
        request.held_bytes += size

    def release(self, request: Request) -> None:
        """Give back all memory that is reserved for a request."""
        self.reserve(request, -request.held_bytes)

    async def run(
        self, request: Request, work: int, function: Callable[..., T], *arguments: Any, wait: bool = False
    ) -> T:
        """Call a function for a request and return its result: here if the estimated work is small, else on a thread.

        With ``wait``, the call always uses a thread and waits until the pool accepts a job.
        """
        if work <= MAX_INLINE_WORK and not wait:
            return function(*arguments)
        while self.is_full:
            if not wait:
                raise busy_problem(f"{self.pending_jobs} large requests are being processed")
            await asyncio.sleep(POLL_SECONDS)
        self.pending_jobs += 1
        loop = asyncio.get_running_loop()
        job = self._threads.submit(_run_unless_abandoned, request, function, *arguments)
        job.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finish_job))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(job), self.limits.work_seconds)
        except TimeoutError:
            # A job that has not started is cancelled and releases its body; a running one counts until it ends.
            detail = f"processing takes longer than {self.limits.work_seconds:g} seconds"
            raise Problem("too-slow", detail) from None

    def _finish_job(self) -> None:
        self.pending_jobs -= 1

    def close(self) -> None:
        """Wait for running jobs and stop the threads."""
        self._threads.shutdown(wait=True)


def _run_unless_abandoned(request: Request, function: Callable[..., T], *arguments: Any) -> T:
    if request.is_abandoned:
        raise ClientDisconnected
    return function(*arguments)
