"""Run a census: plan, read, second pass, merge, store. A run can be killed at any time and resumed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webtongue import __version__
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job, OnProgress
from webtongue.census.engines.gather_duckdb import SPILL_FOLDER
from webtongue.census.engines.local import LocalEngine
from webtongue.census.folder import ABOUT, MANIFEST, has_located_servers, refuse_links
from webtongue.census.items import WorkItem, hash_items
from webtongue.census.lock import take_lock
from webtongue.census.manifest import Manifest, SecondPassCounts
from webtongue.census.merge import merge
from webtongue.census.methods import MethodFunction
from webtongue.census.mirror import Mirror, open_mirror
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.census.read.remote_io import is_remote
from webtongue.census.rows import create_identifier, model_checksum
from webtongue.census.schema import VERSION, rows_schema
from webtongue.census.second_pass import EVIDENCE_FOLDER, run_second_pass
from webtongue.census.sink import ATTEMPTS_FOLDER, LINKS, ROWS, UNFINISHED_SUFFIX, atomic_write
from webtongue.census.store import STORE, write_store
from webtongue.errors import UsageError, output_errors

__all__ = ["OnStage", "Summary", "census"]

LOCK = ".lock"
TEMPORARY_FOLDERS = (ATTEMPTS_FOLDER, EVIDENCE_FOLDER, SPILL_FOLDER)  # deleted at the end of a run
STDIN = "-"

OnStage = Callable[[str], None]  # called with the name of every stage that starts


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a census."""

    rows: int
    statuses: dict[str, int] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)
    items: int = 0
    resumed: int = 0  # items that were finished by an earlier run
    size: int = 0  # bytes written
    second_pass: SecondPassCounts | None = None
    attribution: str = ""
    skipped_folders: tuple[str, ...] = ()  # folders below the inputs that hold a census or a crawl


@dataclass(frozen=True, slots=True)
class _RunOptions:
    """How a census is run, besides its settings."""

    resume: bool
    method: MethodFunction | None
    engine: Engine
    on_progress: OnProgress | None
    on_stage: OnStage
    mirror: Mirror | None = None  # copies parts to a store


def census(
    inputs: Sequence[str],
    out: str | Path,
    config: Config | None = None,
    *,
    workers: int | None = None,
    resume: bool = False,
    method: MethodFunction | None = None,
    engine: Engine | None = None,
    on_progress: OnProgress | None = None,
    on_stage: OnStage = lambda stage: None,
    scratch: str | None = None,
) -> Summary:
    """Identify every capture of the inputs, and write a row for each to ``out/rows``.

    ``method`` is a published method that answers in the place of the Identifier. ``out`` may be a URL; ``scratch`` is then the
    folder for temporary files, which a cluster must share.
    """
    config = config or Config()
    if method is not None:
        name = str(getattr(method, "description", "") or type(method).__name__)
        config = replace(config, method=name, second_pass=False)  # published methods have no second pass
    if resume and STDIN in inputs:
        raise UsageError("standard input cannot be read again: --resume needs files")
    create_identifier(config)  # raises an error for unusable settings before the folder is created
    rows_schema()  # and for a missing pyarrow, which would end every worker
    on_stage("looking at inputs")
    skipped: list[str] = []
    items = create_work_items(expand_inputs(inputs, config, None if is_remote(str(out)) else out, skipped.append))
    options = _RunOptions(resume, method, engine or LocalEngine(workers), on_progress, on_stage)
    if is_remote(str(out)):
        summary = _run_to_store(items, str(out), scratch, config, options)
    else:
        summary = _run_in_folder(items, Path(out), config, options)
    return replace(summary, skipped_folders=tuple(skipped))


def _run_in_folder(items: Sequence[WorkItem], out: Path, config: Config, options: _RunOptions) -> Summary:
    with output_errors(out), _locked(out):
        return _run(items, out, config, options)


def _run_to_store(
    items: Sequence[WorkItem], url: str, scratch: str | None, config: Config, options: _RunOptions
) -> Summary:
    """Run a census in a temporary folder that is copied to a store, part by part."""
    with output_errors(url), open_mirror(url, options.resume, config.retries, scratch) as mirror:
        summary = _run_in_folder(items, mirror.folder, config, replace(options, mirror=mirror))
        options.on_stage("uploading")
        mirror.finish()
        return summary


def _run(items: Sequence[WorkItem], out: Path, config: Config, options: _RunOptions) -> Summary:
    manifest = _open_folder(out, items, config, options.resume)
    if options.mirror is not None:
        options.mirror.start()
    resumed = len(manifest.parts)
    unfinished = [item for item in items if item.number not in manifest.parts]
    if unfinished:
        options.on_stage("reading")
        for part in options.engine.run(unfinished, Job(config, out, options.method), options.on_progress):
            manifest.add_part(part)
            if options.mirror is not None:
                options.mirror.add_part(part)
    counts = None
    if config.second_pass:
        options.on_stage("second pass")
        counts = run_second_pass(out, config, manifest, options.engine)
    merge(out, config, manifest, options.engine)
    if not config.keep_links:
        shutil.rmtree(out / LINKS, ignore_errors=True)
    options.on_stage("writing the store")
    summary = _summarize(manifest, len(items), resumed, counts, config)
    _write_about(out, config, summary)
    write_store(out)
    return summary


@contextlib.contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Create the folder and hold its lock, so that no two runs write to it at a time."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder")
    if "?" in str(out.absolute()):
        raise UsageError(f"{out}: DuckDB cannot open files in a folder with a ? in its name; choose another")
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).exists() and not (out / LOCK).exists():
        raise UsageError(f"{out} is neither empty nor a census: choose another folder")
    out.mkdir(parents=True, exist_ok=True)
    refuse_links(out, LOCK, MANIFEST, ROWS, LINKS, *TEMPORARY_FOLDERS)
    lock = take_lock(out / LOCK)
    if lock < 0:
        raise UsageError(f"another census is being written to {out}: wait for it, or choose another folder")
    try:
        yield
    finally:
        os.close(lock)


def _open_folder(out: Path, items: Sequence[WorkItem], config: Config, resume: bool) -> Manifest:
    """Open the manifest, and delete what an earlier run did not finish."""
    manifest = Manifest(out)
    for folder in (ROWS, LINKS):
        (out / folder).mkdir(parents=True, exist_ok=True)
    description = {
        "schema": VERSION, "webtongue": __version__, "config": json.loads(json.dumps(config.to_dict())),
        "items": len(items), "inputs": hash_items(items),
    }  # fmt: skip
    manifest.open(description, resume)
    manifest.delete_unlisted()
    _delete_temporary(out)
    return manifest


def _delete_temporary(out: Path) -> None:
    """Delete the temporary files of a killed run; the lock of the folder is held."""
    for folder in (out, out / ROWS, out / LINKS):
        for path in [*folder.glob(f"*{UNFINISHED_SUFFIX}"), *folder.glob(f".{STORE}-*")]:
            if path.is_symlink() or path.is_file():
                path.unlink()
    for name in TEMPORARY_FOLDERS:
        shutil.rmtree(out / name, ignore_errors=True)


def _summarize(
    manifest: Manifest, items: int, resumed: int, second_pass: SecondPassCounts | None, config: Config
) -> Summary:
    statuses: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    for part in manifest.parts.values():
        statuses.update(part.counts)
        problems.update(part.problems)
    size = sum(part.size for part in manifest.parts.values())
    attribution = create_identifier(config).attribution if has_located_servers(manifest.path.parent) else ""
    return Summary(
        statuses.total(), dict(statuses), dict(problems), items, resumed, size, second_pass, attribution
    )  # fmt: skip


def _write_about(out: Path, config: Config, summary: Summary) -> None:
    """Write the description of the census, for tables and reports."""
    about: dict[str, Any] = {
        "schema": VERSION,
        "webtongue": __version__,
        "model": config.method or model_checksum(create_identifier(config)),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "config": config.to_dict(),
        "rows": summary.rows,
        "statuses": summary.statuses,
        "problems": summary.problems,
        "second_pass": asdict(summary.second_pass) if summary.second_pass else None,
        "attribution": summary.attribution,
    }
    with atomic_write(out / ABOUT) as path:
        path.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
