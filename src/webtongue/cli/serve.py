"""``webtongue serve``: answers over HTTP, and a page to see why."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from webtongue.cli.known import Evidence, Geo, Languages, names_of, sources_of
from webtongue.cli.sizes import size_of
from webtongue.cli.terminal import complain
from webtongue.errors import UsageError

__all__ = ["command"]

KEYS = "WEBTONGUE_API_KEYS"

Host: TypeAlias = Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 is everywhere.")]
Port: TypeAlias = Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")]
Workers: TypeAlias = Annotated[int, typer.Option(min=1, max=256, help="Processes.")]
Threads: TypeAlias = Annotated[int, typer.Option(min=1, max=256, help="Of each worker, for large bodies.")]
RootPath: TypeAlias = Annotated[str, typer.Option(metavar="PATH", help="Where a proxy serves this, such as /tongue.")]
Origin: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--allow-origin", metavar="ORIGIN", help="A site whose pages may call this (CORS); again for more."),
]
KeyFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--api-keys", metavar="FILE", help=f"Keys, one a line; who has none is refused. Or in {KEYS}."),
]
AccessLog: TypeAlias = Annotated[bool, typer.Option("--access-log/--no-access-log", help="As JSON, on standard error.")]
Body: TypeAlias = Annotated[str, typer.Option("--limit-body", metavar="SIZE", help="Of a body: 413.")]
Lines: TypeAlias = Annotated[int, typer.Option("--limit-lines", min=1, help="Of a batch: 413.")]
Line: TypeAlias = Annotated[str, typer.Option("--limit-line", metavar="SIZE", help="Of a line of a batch.")]
Seconds: TypeAlias = Annotated[float, typer.Option("--limit-seconds", min=0.01, help="That work may take: 503.")]
BodySeconds: TypeAlias = Annotated[
    float, typer.Option("--limit-body-seconds", min=0.01, help="That a body may take to come: 408.")
]
HeadSeconds: TypeAlias = Annotated[float, typer.Option("--limit-head-seconds", min=0.01, help="The same of a head.")]
Work: TypeAlias = Annotated[int, typer.Option("--limit-work", min=1, help="Large bodies at work in a worker: 503.")]
Held: TypeAlias = Annotated[str, typer.Option("--limit-held", metavar="SIZE", help="Bodies in a worker's memory: 503.")]
Grace: TypeAlias = Annotated[float, typer.Option(min=1, help="Seconds to end what is under way when stopped.")]


def command(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    workers: Workers = 1,
    threads: Threads = 1,
    root_path: RootPath = "",
    allow_origin: Origin = None,
    api_keys: KeyFile = None,
    access_log: AccessLog = True,
    limit_body: Body = "16M",
    limit_lines: Lines = 1_000_000,
    limit_line: Line = "4M",
    limit_seconds: Seconds = 30.0,
    limit_body_seconds: BodySeconds = 20.0,
    limit_head_seconds: HeadSeconds = 10.0,
    limit_work: Work = 64,
    limit_held: Held = "256M",
    grace: Grace = 30.0,
    priors: Annotated[str, typer.Option(help="web: rare languages are rare; uniform: all alike.")] = "web",
    languages: Languages = None,
    evidence: Evidence = None,
    geo: Geo = None,
    model: Annotated[str | None, typer.Option(help="A model file of your own.")] = None,
) -> None:
    """Serve answers over HTTP, and a page to see why; nothing is ever fetched.

    The page is at /, the documentation of the API at /docs. Ctrl-C or SIGTERM stops it; requests under way are finished.
    """
    from webtongue.serve.running import needed

    needed()
    from webtongue.serve.config import Config, Limits
    from webtongue.serve.running import serve

    limits = Limits(
        body=size_of(limit_body), lines=limit_lines, line=size_of(limit_line), seconds=limit_seconds,
        body_seconds=limit_body_seconds, head_seconds=limit_head_seconds, work=limit_work, held=size_of(limit_held),
    )  # fmt: skip
    asked, sources = names_of(languages), sources_of(evidence)
    config = Config(
        host=host, port=port, workers=workers, threads=threads, root_path=root_path, origins=tuple(allow_origin or ()),
        keys=_keys(api_keys), access_log=access_log, grace=grace, limits=limits, priors=priors,
        languages=None if asked is None else tuple(asked), evidence=None if sources is None else tuple(sources), model=model,
        geo=geo,
    )  # fmt: skip
    serve(config, lambda where: complain(f"listening on {where}"))


def _keys(path: Path | None) -> tuple[str, ...]:
    """Keys from a file and from the environment: on the command line everyone could read them."""
    lines = os.environ.get(KEYS, "").split()
    if path is not None:
        lines += path.read_text("utf-8").split()
        if not lines:
            raise UsageError(f"{path} has no key in it")
    return tuple(dict.fromkeys(lines))
