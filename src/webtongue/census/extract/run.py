"""Run an extraction: an engine reads the inputs, and the texts are written in the order of the inputs, while reading goes on."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue import __version__
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job, OnProgress, Worker
from webtongue.census.engines.local import LocalEngine
from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.dedup import Deduplicator
from webtongue.census.extract.formats import format_of_name, parse_format, write_rows, zstandard
from webtongue.census.extract.rows import ExtractCounts, ExtractedText, TextExtractor
from webtongue.census.extract.shards import PART_PREFIX, Layout, Progress, Shard, ShardWriter, read_progress
from webtongue.census.items import WorkItem, hash_items
from webtongue.census.read import read
from webtongue.census.read.inputs import SkippedFolder, expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.census.read.remote_io import STDIN, is_remote
from webtongue.census.rows import create_identifier, model_checksum
from webtongue.census.run import OnStage
from webtongue.census.sink import Part, atomic_write
from webtongue.census.storage import Storage, open_storage
from webtongue.census.work import NO_RETRY, WRITING, ItemProcessor, ReportPosition, RetryPlan
from webtongue.errors import UsageError, output_errors

__all__ = ["ExtractResult", "extract", "extract_texts"]

VERSION = 1  # version of the manifest and the columns
COMMIT_BYTES = 1 << 27  # bytes of rows between two commits, which bounds memory
# Work items between two commits, because a rare language may not have COMMIT_BYTES in a whole crawl. An item has up to 64 MB, or is
# an archive of a store: a killed run reads at most a gigabyte, or 16 archives, again. A commit costs about a second.
COMMIT_ITEMS = 16


@dataclass(frozen=True, slots=True)
class ExtractResult:
    """The result of an extraction: counts, and the files with their rows."""

    counts: ExtractCounts
    shards: tuple[Shard, ...]
    resumed: int = 0  # work items that an earlier run had finished
    captures_read: int = 0  # without those that earlier runs read


def extract_texts(
    inputs: Sequence[str],
    extract_config: ExtractConfig,
    config: Config,
    counts: ExtractCounts,
    on_skipped: SkippedFolder = lambda folder: None,
) -> Iterator[ExtractedText]:
    """Yield the texts of the inputs as they are read, in this process; ``on_skipped`` is called with folders that are skipped."""
    extractor = TextExtractor(extract_config, create_identifier(config))
    extractor.counts = counts
    sources = expand_inputs(inputs, config, on_skipped=on_skipped)
    captures = (capture for source in sources for capture in read(source, config))
    rows = (row for capture in captures for row in extractor.batch((capture,)))
    return Deduplicator(extract_config)(rows, counts)


def extract(
    inputs: Sequence[str],
    out: str | Path,
    extract_config: ExtractConfig,
    config: Config | None = None,
    *,
    file_format: str | None = None,
    resume: bool = False,
    force: bool = False,
    workers: int | None = None,
    engine: Engine | None = None,
    on_progress: OnProgress | None = None,
    on_stage: OnStage = lambda stage: None,
    on_skipped: SkippedFolder = lambda folder: None,
    scratch: str | None = None,
) -> ExtractResult:
    """Write the texts of the inputs to ``out``: a folder with shards for each label, or one file; a path or a URL.

    ``resume`` continues a run that was stopped, ``force`` replaces an earlier result. The same inputs give the same rows in the
    same files, whatever the engine, the number of workers and interruptions. ``scratch`` is the folder for temporary files if
    ``out`` is a URL, which a cluster must share.
    """
    config = config or Config()
    if resume and STDIN in inputs:
        raise UsageError("standard input cannot be read again: --resume needs files")
    if resume and force:
        raise UsageError("--resume continues an earlier run and --force replaces it: choose one")
    folder, layout = _parse_output(str(out), file_format)
    on_stage("looking at inputs")
    items = create_work_items(expand_inputs(inputs, config, None if is_remote(str(out)) else out, on_skipped))
    with output_errors(str(out)):
        storage = open_storage(folder, layout.work, config.retries, scratch)
        description = _describe(items, extract_config, config, layout)
        progress = _open_progress(storage, layout, description, resume, force)
        if progress.finished:
            return _result(progress, len(items))
        with storage.locked():
            progress = _open_progress(storage, layout, description, resume, force)
            if force:
                _delete_earlier(storage, layout)
            run = _Run(storage, layout, progress, extract_config)
            resumed = run.restore(items)
            on_stage("reading")
            job = ExtractJob(config, storage.scratch, extract_config=extract_config)
            unread = [item for item in items if item.number >= progress.item and item.number not in run.read]
            run.assemble()
            for part in (engine or LocalEngine(workers)).run(unread, job, on_progress):
                run.read.add(part.number)
                run.assemble()
            on_stage("writing")
            run.finish()
        if layout.file and not is_remote(folder):
            (Path(folder) / layout.work / ".lock").unlink(missing_ok=True)
        _remove_empty_folder(storage, layout)
    return _result(progress, resumed, run.captures_read)


def _parse_output(out: str, file_format: str | None) -> tuple[str, Layout]:
    """Return the folder or URL of the storage, and the layout in it; raise UsageError if the format does not exist."""
    form = parse_format(out, file_format)
    if not format_of_name(out):
        return out, Layout(form)
    if is_remote(out):
        folder, _, name = out.rpartition("/")
        return folder, Layout(form, name)
    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a folder: create it first")
    return str(path.parent), Layout(form, path.name)


def _describe(
    items: Sequence[WorkItem], extract_config: ExtractConfig, config: Config, layout: Layout
) -> dict[str, Any]:
    """Return what two runs must have in common for one to continue the other."""
    description = {
        "version": VERSION, "webtongue": __version__, "model": model_checksum(create_identifier(config)), "format": layout.form,
        "items": len(items), "inputs": hash_items(items), "settings": extract_config.to_dict(), "reading": config.to_dict(),
    }  # fmt: skip
    plain: dict[str, Any] = json.loads(json.dumps(description))
    return plain


def _open_progress(
    storage: Storage, layout: Layout, description: dict[str, Any], resume: bool, force: bool
) -> Progress:
    """Return the progress of the run to continue, or that of a new one; raise UsageError if the output is taken."""
    progress = read_progress(storage, layout)
    has_file = bool(layout.file) and storage.exists(layout.file)
    if layout.file and progress is not None and progress.finished and not has_file:
        progress = None  # somebody deleted the result
    if progress is None or force:
        if has_file and not force:
            what = "exists without the manifest of an extraction, which --resume needs" if resume else "exists"
            raise UsageError(f"{layout.file} {what}: choose another file, or replace it with --force")
        if (
            progress is None
            and not layout.file
            and any(not name.startswith(f"{layout.work}/") for name in storage.names(""))
        ):
            raise UsageError(f"{storage.url} is not an empty folder: choose another")
        return Progress(description)
    name, other = (layout.file, "another file") if layout.file else (storage.url, "another folder")
    if not resume:
        raise UsageError(
            f"{name} already has an extraction: continue it with --resume, replace it with --force, or choose {other}"
        )
    if progress.description != description:
        raise UsageError(
            f"{name} was started with other inputs or settings, or a file has changed since: "
            f"resume with the same ones, or choose {other}"
        )
    missing = next((s.name for s in progress.shards if not s.segments and not storage.exists(s.name)), None)
    if missing:
        raise UsageError(f"{storage.url}/{missing} is missing: begin again with --force, or choose another folder")
    return progress


def _delete_earlier(storage: Storage, layout: Layout) -> None:
    """Delete the files of an earlier result, the manifest after the files that it names; the storage is locked."""
    earlier = read_progress(storage, layout)
    shards = [shard.name for shard in earlier.shards] if earlier is not None else [layout.file] * bool(layout.file)
    unfinished = [name for name in storage.names(layout.work) if name not in (layout.manifest, f"{layout.work}/.lock")]
    for name in [*shards, *unfinished, layout.manifest]:
        storage.delete(name)


def _result(progress: Progress, resumed: int, captures_read: int = 0) -> ExtractResult:
    return ExtractResult(ExtractCounts(**progress.counts), tuple(progress.shards), resumed, captures_read)


def _remove_empty_folder(storage: Storage, layout: Layout) -> None:
    """Delete the folder of unfinished files on a disk, with the lock that was held; that of a single file keeps the manifest."""
    if storage.scratch.name == layout.work and storage.scratch.is_dir():
        (storage.scratch / ".lock").unlink(missing_ok=True)
        if not layout.file:
            storage.scratch.rmdir()


class _Run:
    """Assembles the parts of workers in the order of the inputs: removes duplicates, writes shards, commits."""

    def __init__(self, storage: Storage, layout: Layout, progress: Progress, config: ExtractConfig) -> None:
        self._storage, self._layout, self._progress = storage, layout, progress
        self._counts = ExtractCounts(**progress.counts)
        self._dedup = Deduplicator(config)
        self._writer = ShardWriter(storage, layout, progress, config.shard_bytes)
        self._item, self._row = progress.item, progress.row
        self.read: set[int] = set()  # items whose parts exist
        self.captures_read = 0  # without those that earlier runs read
        self._restored: frozenset[int] = frozenset()

    def restore(self, items: Sequence[WorkItem]) -> int:
        """Restore the state of the last commit; return the number of items that were read before."""
        if self._progress.state:
            self._dedup.load(self._writer.read_state())
        self._writer.join_shards()
        self._writer.delete_unlisted()
        self._storage.write(self._layout.manifest, self._progress.to_json())
        self._delete_parts(0)  # A killed run may have left parts that its last commit has written.
        self.read = {item.number for item in items if _part_path(self._storage.scratch, item.number).exists()}
        self._restored = frozenset(self.read)
        return self._progress.item + len([number for number in self.read if number >= self._progress.item])

    def assemble(self) -> None:
        """Write the rows of all parts that exist without a gap."""
        while self._item in self.read:
            path = _part_path(self._storage.scratch, self._item)
            for number, values in enumerate(_read_part(path)):
                if "counts" in values:
                    self._counts.add(values["counts"], values["unread"])
                    self.captures_read += 0 if self._item in self._restored else values["counts"]["captures"]
                elif number >= self._row:
                    row = ExtractedText.from_part(values)
                    if self._dedup.accept(row, self._counts):
                        self._writer.add(row)
                    self._row = number + 1
                    if self._writer.pending_bytes >= COMMIT_BYTES:
                        self._commit()
            self._item, self._row = self._item + 1, 0
            # Commits depend on the position alone, so a run that was killed has the same ones, and its files the same bytes.
            if self._item % COMMIT_ITEMS == 0:
                self._commit()

    def finish(self) -> None:
        """Write what is left."""
        self._commit(finished=True)
        if self._layout.file and not self._progress.shards:  # an empty file shows that there are no texts
            path = self._storage.scratch / "empty"
            write_rows(path, self._layout.form, ())
            self._storage.publish(path, self._layout.file)

    def _commit(self, finished: bool = False) -> None:
        first = self._progress.item
        self._writer.commit(self._item, self._row, self._counts, self._dedup.save(), finished)
        self._delete_parts(first)

    def _delete_parts(self, first: int) -> None:
        """Delete the parts of the items from a number to the last commit."""
        for number in range(first, self._progress.item):
            _part_path(self._storage.scratch, number).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class ExtractJob(Job):
    """A job that writes the texts of every item to a file."""

    extract_config: ExtractConfig | None = None

    def files(self, number: int) -> tuple[str, ...]:
        """Return the file of a part, below the folder of unfinished files."""
        return (_part_name(number),)

    def priority(self, item: WorkItem) -> tuple[int, int]:
        """Return the place of an item in the queue: in the order of the inputs, in which texts are written."""
        return 0, item.number

    def create_worker(self) -> Worker:
        """Return the function that a process runs on its items."""
        assert self.extract_config is not None
        extractor = TextExtractor(self.extract_config, create_identifier(self.config))
        process = ItemProcessor(self.config, extractor)

        def work(item: WorkItem, out: Path, plan: RetryPlan = NO_RETRY, report: ReportPosition | None = None) -> Part:
            rows = 0
            extractor.counts = ExtractCounts()
            with atomic_write(_part_path(out, item.number)) as path, zstandard().open(path, "wb") as file:
                for texts in process(item, plan, report):
                    for row in texts:
                        file.write(_to_line(row.to_part()))
                    rows += len(texts)
                file.write(_to_line({"counts": extractor.counts.numbers(), "unread": extractor.counts.unread}))
            if report is not None:
                report(WRITING, 0, 0, item.size)
            return Part(item.number, rows)

        return work


def _part_name(number: int) -> str:
    return f"{PART_PREFIX}{number:06}.jsonl.zst"


def _part_path(folder: Path, number: int) -> Path:
    return folder / _part_name(number)


def _to_line(values: dict[str, Any]) -> bytes:
    return json.dumps(values).encode() + b"\n"


def _read_part(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a part, then its counts."""
    with zstandard().open(path, "rb") as file:
        for line in io.BufferedReader(file):
            yield json.loads(line)
