"""The settings of the service, in one object that is passed to its worker processes."""

from __future__ import annotations

from dataclasses import dataclass

from webtongue.errors import UsageError

__all__ = ["METRICS_FOLDER_VARIABLE", "Config", "Limits"]

MB = 1 << 20
# Environment variable with the folder in which workers count; it must be set before prometheus-client is imported.
METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one request and on all requests of a worker. Each has a response of its own (problems.py)."""

    body_bytes: int = 16 * MB  # decompressed; otherwise 413. The census reads pages up to the same size.
    batch_lines: int = 1_000_000  # otherwise 413, or an error in the last line if the response has begun
    batch_bytes: int = 4096 * MB  # decompressed; otherwise as for too many lines
    line_bytes: int = 4 * MB  # one line of a batch; otherwise an error in its place
    work_seconds: float = 30.0  # processing of one body, otherwise 503; a page of 16 MB takes one second
    body_seconds: float = 20.0  # for a body to arrive, or for a batch to send or read its next part; otherwise 408
    head_seconds: float = 10.0  # for the head of a request to arrive; otherwise 408
    head_bytes: int = 32 << 10  # otherwise 431
    pending_jobs: int = 64  # large bodies processed or queued in one worker; otherwise 503 with Retry-After
    held_bytes: int = 256 * MB  # bodies in one worker's memory; otherwise 503 with Retry-After
    connections: int = 10_000  # a worker closes further connections at once

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if getattr(self, name) <= 0:
                raise UsageError(f"the limit {name} must be above 0, not {getattr(self, name):g}")


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of the service and of identification. Plain data: each worker creates its own Identifier."""

    host: str = "127.0.0.1"  # reachable from this machine only
    port: int = 8000
    workers: int = 1
    threads: int = 1  # threads of each worker for requests that are too large for the event loop
    root_path: str = ""  # prefix of all paths, behind a proxy
    origins: tuple[str, ...] = ()  # sites whose pages may call the service (CORS); "*" allows all
    keys: tuple[str, ...] = ()  # API keys; without any, no key is required
    access_log: bool = True
    grace: float = 30.0  # seconds for running requests to finish on shutdown
    limits: Limits = Limits()
    # Arguments of Identifier.
    priors: str = "web"
    languages: tuple[str, ...] | None = None
    evidence: tuple[str, ...] | None = None
    model: str | None = None
    geo: str | None = None

    def __post_init__(self) -> None:
        if self.root_path and (not self.root_path.startswith("/") or self.root_path.endswith("/")):
            raise UsageError(f"a root path begins with / and does not end with one: /tongue, not {self.root_path!r}")
        if any(not key.strip() or not key.isascii() for key in self.keys):
            raise UsageError("an API key must consist of ASCII characters and not be blank")
