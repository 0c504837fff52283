"""The settings of the service, in one object that travels to its workers."""

from __future__ import annotations

from dataclasses import dataclass

from webtongue.errors import UsageError

__all__ = ["Config", "Limits"]

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request, and all of them together, may take. Every limit has an answer of its own (problems.py)."""

    body: int = 16 * MB  # bytes of a body, unpacked: 413. As a census reads pages
    lines: int = 1_000_000  # of a batch, and addresses of one request: 413, or the last line of a batch that has begun
    stream: int = 4096 * MB  # bytes of a batch, unpacked: 413, or its last line
    line: int = 4 * MB  # bytes of a line of a batch: an error in its place
    seconds: float = 30.0  # that work on one body may take: 503. A page of 16 MB takes a second
    body_seconds: float = 20.0  # that a body may take to come, or a batch to send or to take its next part: 408
    head_seconds: float = 10.0  # that the head of a request may take to come: 408
    head: int = 32 << 10  # bytes of a head: 431
    work: int = 64  # bodies at work or waiting for it, in one worker: 503 with Retry-After
    held: int = 256 * MB  # bytes of bodies in one worker's memory: 503 with Retry-After
    connections: int = 10_000  # in one worker: more are closed at once

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if getattr(self, name) <= 0:
                raise UsageError(f"the limit of {name} is above 0, not {getattr(self, name):g}")


@dataclass(frozen=True, slots=True)
class Config:
    """How the service runs and by which settings pages are identified. Plain data: workers make the Identifier themselves."""

    host: str = "127.0.0.1"  # nobody else is served unless someone says so
    port: int = 8000
    workers: int = 1
    threads: int = 1  # of a worker, for bodies too large to be answered between two others
    root_path: str = ""  # before every path, where a proxy serves this under one
    origins: tuple[str, ...] = ()  # other sites whose pages may call this (CORS); "*" is all of them
    keys: tuple[str, ...] = ()  # who does not have one of these is answered 401; none: everyone is served
    access_log: bool = True
    grace: float = 30.0  # seconds that requests under way have to end when the service is stopped
    limits: Limits = Limits()
    # How pages are identified: as Identifier takes it.
    priors: str = "web"
    languages: tuple[str, ...] | None = None
    evidence: tuple[str, ...] | None = None
    model: str | None = None
    geo: str | None = None

    def __post_init__(self) -> None:
        if self.root_path and (not self.root_path.startswith("/") or self.root_path.endswith("/")):
            raise UsageError(f"a root path begins with / and does not end with one: /tongue, not {self.root_path!r}")
        if any(not key.strip() or not key.isascii() for key in self.keys):
            raise UsageError("a key is some letters and digits of ASCII")
