"""A census from its inputs to its folder: planned, run, settled, summed up. It can be killed at any moment and resumed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from webtongue import __version__
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job, Watch
from webtongue.census.engines.local import LocalEngine
from webtongue.census.items import WorkItem
from webtongue.census.manifest import MANIFEST, Manifest, Settled
from webtongue.census.merge import merge
from webtongue.census.read.inputs import items_of, sources_of
from webtongue.census.rows import Answerer, identifier, model_checksum
from webtongue.census.schema import VERSION
from webtongue.census.settle import settle
from webtongue.census.sink import ATTEMPTS, LINKS, ROWS, UNFINISHED, replacing
from webtongue.census.store import make_store
from webtongue.errors import UsageError

__all__ = ["ABOUT", "Summary", "census"]

ABOUT = "census.json"
LOCK = ".lock"
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a census came to."""

    rows: int
    statuses: dict[str, int] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)
    items: int = 0
    resumed: int = 0  # items that were done already
    size: int = 0  # bytes written
    settled: Settled | None = None
    attribution: str = ""


def census(
    inputs: Sequence[str],
    out: str | Path,
    config: Config | None = None,
    *,
    workers: int | None = None,
    resume: bool = False,
    answer: Answerer | None = None,
    engine: Engine | None = None,
    watch: Watch | None = None,
    said: Callable[[str], None] = lambda stage: None,
) -> Summary:
    """Identify every capture of some crawls into the folder ``out``: ``out/rows`` has a row for each.

    ``answer`` takes a published method's place in that of our own; ``watch`` is told how far it is, ``said`` what it is at.
    """
    out, config = Path(out), config or Config()
    if answer is not None:
        config = replace(config, settle=False)  # a published method has no second look
    if resume and STDIN in inputs:
        raise UsageError("standard input cannot be read again: --resume needs files")
    identifier(config)  # refuses what cannot be identified with, before there is a folder that was begun with it
    said("looking at inputs")
    items = items_of(sources_of(inputs, config))
    with _alone(out):
        return _taken(items, out, config, Asked(resume, answer, engine or LocalEngine(workers), watch, said))


@dataclass(frozen=True, slots=True)
class Asked:
    """How a census is run, beside its settings."""

    resume: bool
    answer: Answerer | None
    engine: Engine
    watch: Watch | None
    said: Callable[[str], None]


def _taken(items: Sequence[WorkItem], out: Path, config: Config, asked: Asked) -> Summary:
    said = asked.said
    manifest = _begun(out, items, config, asked.resume)
    done = len(manifest.parts)
    _run(items, manifest, Job(config, out, asked.answer), asked.engine, asked.watch, said)
    settled = None
    if config.settle:
        said("settling")
        settled = settle(out, config, manifest, asked.engine)
    merge(out, config, manifest, asked.engine)
    if not config.keep_links:
        shutil.rmtree(out / LINKS, ignore_errors=True)
    said("writing the store")
    summary = _summed(manifest, len(items), done, settled, config)
    _describe(out, config, summary)
    make_store(out)
    return summary


def _run(
    items: Sequence[WorkItem],
    manifest: Manifest,
    job: Job,
    engine: Engine,
    watch: Watch | None,
    said: Callable[[str], None],
) -> None:
    left = [item for item in items if item.number not in manifest.parts]
    if left:
        said("reading")
        for part in engine.run(left, job, watch):
            manifest.done(part)


@contextlib.contextmanager
def _alone(out: Path) -> Iterator[None]:
    """No two runs write into one folder at a time. The lock is the system's own, so it ends with the process, however that ends."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder")
    if "?" in str(out.absolute()):
        raise UsageError(f"{out}: DuckDB cannot open files in a folder with a ? in its name; choose another")
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).exists() and not (out / LOCK).exists():
        raise UsageError(f"{out} is not empty and holds no census: choose another folder")
    out.mkdir(parents=True, exist_ok=True)
    with (out / LOCK).open("w") as file:
        try:
            _lock(file)
        except OSError:
            raise UsageError(
                f"another census is being written to {out}: wait for it, or choose another folder"
            ) from None
        yield


def _lock(file: TextIO) -> None:
    """Where the system has no such locks, whoever starts two runs has to know."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _begun(out: Path, items: Sequence[WorkItem], config: Config, resume: bool) -> Manifest:
    """The folder and its manifest; parts that were never finished are swept away."""
    manifest = Manifest(out)
    for folder in (ROWS, LINKS):
        (out / folder).mkdir(parents=True, exist_ok=True)
    listed = json.dumps([asdict(item) for item in items])
    head = {
        "schema": VERSION, "webtongue": __version__, "config": json.loads(json.dumps(config.to_dict())),
        "items": len(items), "inputs": hashlib.blake2b(listed.encode("utf-8", "replace"), digest_size=16).hexdigest(),
    }  # fmt: skip
    manifest.begin(head, resume)
    manifest.sweep()
    for stray in out.rglob(f"*{UNFINISHED}"):
        stray.unlink()
    shutil.rmtree(out / ATTEMPTS, ignore_errors=True)
    return manifest


def _summed(manifest: Manifest, items: int, done: int, settled: Settled | None, config: Config) -> Summary:
    statuses: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    for part in manifest.parts.values():
        statuses.update(part.counts)
        problems.update(part.problems)
    size = sum(part.size for part in manifest.parts.values())
    credit = identifier(config).attribution
    return Summary(statuses.total(), dict(statuses), dict(problems), items, done, size, settled, credit)


def _describe(out: Path, config: Config, summary: Summary) -> None:
    """What the census is, beside its rows: for tables, reports, and whoever finds the folder."""
    ident = identifier(config)
    about: dict[str, Any] = {
        "schema": VERSION,
        "webtongue": __version__,
        "model": model_checksum(ident),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "config": config.to_dict(),
        "rows": summary.rows,
        "statuses": summary.statuses,
        "problems": summary.problems,
        "settled": asdict(summary.settled) if summary.settled else None,
        "attribution": summary.attribution,
    }
    with replacing(out / ABOUT) as path:
        path.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
