"""``webtongue serve``: answer over HTTP, with a page that shows the evidence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webtongue.cli.options import AnswerOptions, Model, parse_size
from webtongue.cli.parameters import Option
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError
from webtongue.records import dataclass

if TYPE_CHECKING:
    from webtongue.serve.config import Limits

__all__ = ["command"]

KEYS_VARIABLE = "WEBTONGUE_API_KEYS"


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """The limits of a request and of a worker, each with the HTTP status beyond it."""

    limit_body: Annotated[str, Option(metavar="SIZE", help="Size of a body: 413.")] = "16M"
    limit_lines: Annotated[int, Option(min=1, help="Lines of a batch: 413.")] = 1_000_000
    limit_line: Annotated[str, Option(metavar="SIZE", help="Size of a line of a batch.")] = "4M"
    limit_seconds: Annotated[float, Option(min=0.01, help="Seconds for a body: 503.")] = 30.0
    limit_body_seconds: Annotated[float, Option(min=0.01, help="Seconds to receive a body: 408.")] = 20.0
    limit_head_seconds: Annotated[float, Option(min=0.01, help="Seconds to receive a head: 408.")] = 10.0
    limit_work: Annotated[int, Option(min=1, help="Large bodies in progress in a worker: 503.")] = 64
    limit_held: Annotated[str, Option(metavar="SIZE", help="Memory of a worker for bodies: 503.")] = "256M"

    def parse(self) -> Limits:
        """Return the limits for the configuration of the service."""
        from webtongue.serve.config import Limits

        return Limits(
            body_bytes=parse_size(self.limit_body), batch_lines=self.limit_lines, line_bytes=parse_size(self.limit_line),
            work_seconds=self.limit_seconds, body_seconds=self.limit_body_seconds, head_seconds=self.limit_head_seconds,
            pending_jobs=self.limit_work, held_bytes=parse_size(self.limit_held),
        )  # fmt: skip


def command(
    *,
    host: Annotated[str, Option(help="Listen here; 0.0.0.0 is all interfaces.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="Listen on this port; 0 takes a free one.")] = 8000,
    workers: Annotated[int, Option(min=1, max=256, help="Number of processes.")] = 1,
    threads: Annotated[int, Option(min=1, max=256, help="Threads of each worker, for large bodies.")] = 1,
    root_path: Annotated[str, Option(metavar="PATH", help="The path of a proxy, such as /tongue.")] = "",
    allow_origin: Annotated[
        list[str] | None, Option(metavar="ORIGIN", help="A site whose pages may call this (CORS); repeatable.")
    ] = None,
    api_keys: Annotated[
        Path | None,
        Option(metavar="FILE", help=f"Require one of these keys, one on a line; also read from {KEYS_VARIABLE}."),
    ] = None,
    access_log: Annotated[
        bool, Option("--access-log/--no-access-log", help="Log requests as JSON on standard error.")
    ] = True,
    limit_options: LimitOptions,
    grace: Annotated[float, Option(min=1, help="Seconds to finish requests after a stop.")] = 30.0,
    answer_options: AnswerOptions,
    model: Model = None,
) -> None:
    """Answer over HTTP, with a page that shows the evidence; nothing is fetched.

    The page is at /, the documentation of the API at /docs. Ctrl-C or SIGTERM stops the service after the requests in progress.
    """
    from webtongue.serve.server import require_packages

    require_packages()
    from webtongue.serve.config import Config
    from webtongue.serve.server import serve

    config = Config(
        host=host, port=port, workers=workers, threads=threads, root_path=root_path, origins=tuple(allow_origin or ()),
        keys=_read_keys(api_keys), access_log=access_log, grace=grace, limits=limit_options.parse(), model=model,
        **answer_options.settings(),
    )  # fmt: skip
    serve(config, lambda url: print_stderr(f"listening on {url}"))


def _read_keys(path: Path | None) -> tuple[str, ...]:
    """Return the keys of a file and of the environment; other users could read them on the command line."""
    keys = os.environ.get(KEYS_VARIABLE, "").split()
    if path is not None:
        keys += path.read_text("utf-8").split()
        if not keys:
            raise UsageError(f"{path} contains no key: write one on each line")
    return tuple(dict.fromkeys(keys))
