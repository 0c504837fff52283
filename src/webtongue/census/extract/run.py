"""Run an extraction: an engine reads the inputs, and the texts are written in the order of the inputs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job, OnProgress, Worker
from webtongue.census.engines.local import LocalEngine
from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.rows import Deduplicator, ExtractCounts, ExtractedText, TextExtractor
from webtongue.census.extract.sink import check_output, is_file, output_format, to_json_line, write_texts
from webtongue.census.folder import EXTRACT_PARTS
from webtongue.census.items import WorkItem
from webtongue.census.lock import has_locks, take_lock
from webtongue.census.read import read
from webtongue.census.read.inputs import SkippedFolder, expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.census.rows import create_identifier
from webtongue.census.run import OnStage
from webtongue.census.sink import Part, atomic_write
from webtongue.census.work import NO_RETRY, WRITING, ItemProcessor, ReportPosition, RetryPlan
from webtongue.errors import output_errors

__all__ = ["ExtractResult", "extract", "extract_texts"]

LOCK = "lock"  # in the temporary folder, held as long as the process lives


@dataclass(frozen=True, slots=True)
class ExtractResult:
    """The result of an extraction."""

    counts: ExtractCounts
    files: tuple[Path, ...]


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
    workers: int | None = None,
    engine: Engine | None = None,
    on_progress: OnProgress | None = None,
    on_stage: OnStage = lambda stage: None,
    on_skipped: SkippedFolder = lambda folder: None,
) -> ExtractResult:
    """Write the texts of the inputs to ``out``: a folder with a file for each language, or one file (.jsonl, .parquet).

    The same inputs give the same files, whatever the number of workers.
    """
    out, config = Path(out), config or Config()
    file_format = output_format(out, file_format)
    check_output(out, file_format)
    on_stage("looking at inputs")
    items = create_work_items(expand_inputs(inputs, config, out, on_skipped))
    with output_errors(out), _temporary_folder(out) as folder:
        counts = ExtractCounts()
        on_stage("reading")
        job = ExtractJob(config, folder, extract_config=extract_config)
        for part in (engine or LocalEngine(workers)).run(items, job, on_progress):
            counts.add(part.counts)
        on_stage("writing")
        rows = (row for item in items for row in _read_part(folder / _part_filename(item.number)))
        files = write_texts(Deduplicator(extract_config)(rows, counts), out, file_format)
    return ExtractResult(counts, tuple(files))


@contextmanager
def _temporary_folder(out: Path) -> Iterator[Path]:
    """Create ``out`` if it is a folder, and a temporary folder beside it, on the same disk.

    The temporary folder is deleted at the end, or by the next run if this one is killed.
    """
    if not is_file(out):
        out.mkdir(parents=True, exist_ok=True)  # an error is raised now, not after hours
    parent = out.absolute().parent
    _delete_stale(parent)
    folder = Path(tempfile.mkdtemp(prefix=EXTRACT_PARTS, dir=parent))
    unnamed = folder / f"{LOCK}.new"
    lock = take_lock(unnamed)
    try:
        unnamed.rename(folder / LOCK)  # the lock file appears locked, so that no other run takes the folder for stale
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _delete_stale(parent: Path) -> None:
    """Delete the temporary folders of killed processes, whose locks nobody holds."""
    for folder in parent.glob(f"{EXTRACT_PARTS}*") if has_locks() else ():
        if folder.is_symlink() or not (folder / LOCK).is_file():
            continue
        with suppress(OSError):  # a folder of another user
            lock = take_lock(folder / LOCK)
            if lock >= 0:
                os.close(lock)
                shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class ExtractJob(Job):
    """A job that writes the texts of every item to a file."""

    extract_config: ExtractConfig | None = None

    def create_worker(self) -> Worker:
        """Return the function that a process runs on its items."""
        assert self.extract_config is not None
        extractor = TextExtractor(self.extract_config, create_identifier(self.config))
        process = ItemProcessor(self.config, extractor)

        def work(item: WorkItem, out: Path, plan: RetryPlan = NO_RETRY, report: ReportPosition | None = None) -> Part:
            rows = 0
            extractor.counts = ExtractCounts()
            with atomic_write(out / _part_filename(item.number)) as path, path.open("wb") as file:
                for texts in process(item, plan, report):
                    file.writelines(map(to_json_line, texts))
                    rows += len(texts)
            if report is not None:
                report(WRITING, 0, 0, item.size)
            return Part(item.number, rows, counts=asdict(extractor.counts))

        return work


def _part_filename(number: int) -> str:
    return f"part-{number:06}.jsonl"


def _read_part(path: Path) -> Iterator[ExtractedText]:
    """Yield the rows of a part, and delete its file."""
    with path.open("rb") as file:
        for line in file:
            yield ExtractedText.from_dict(json.loads(line))
    path.unlink()
