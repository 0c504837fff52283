"""An extraction from its inputs to its files: read by an engine, put together in the order of the input."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job, Watch, Worker
from webtongue.census.engines.local import LocalEngine
from webtongue.census.extract.rows import Finisher, Rows, Tally, Text
from webtongue.census.extract.sink import check, format_of, is_file, json_of, write
from webtongue.census.extract.wanted import Wanted
from webtongue.census.items import WorkItem
from webtongue.census.read import read
from webtongue.census.read.inputs import items_of, sources_of
from webtongue.census.rows import identifier
from webtongue.census.sink import Part, replacing
from webtongue.census.work import IDENTIFYING, NO_CARE, WRITING, Care, Mark, Work

__all__ = ["Extracted", "extract", "texts"]

PARTS = ".webtongue-extract-"  # how the folder begins in which workers leave their texts until all are done


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extraction came to."""

    tally: Tally
    files: tuple[Path, ...]


def texts(inputs: Sequence[str], wanted: Wanted, config: Config, tally: Tally) -> Iterator[Text]:
    """The wanted texts of some crawls as they are read, in this process."""
    rows = Rows(wanted, identifier(config))
    rows.tally = tally
    captures = (capture for source in sources_of(inputs, config) for capture in read(source, config))
    return Finisher(wanted)((row for capture in captures for row in rows.batch((capture,))), tally)


def extract(
    inputs: Sequence[str],
    out: str | Path,
    wanted: Wanted,
    config: Config | None = None,
    *,
    form: str | None = None,
    workers: int | None = None,
    engine: Engine | None = None,
    watch: Watch | None = None,
    said: Callable[[str], None] = lambda stage: None,
) -> Extracted:
    """Write the wanted texts of some crawls to ``out``: a file for each language in a folder, or one file (.jsonl, .parquet).

    The same inputs give the same files, however many workers read them.
    """
    out, config = Path(out), config or Config()
    form = format_of(out, form)
    check(out, form)
    said("looking at inputs")
    items = items_of(sources_of(inputs, config))
    if not is_file(out):
        out.mkdir(parents=True, exist_ok=True)  # now, and not after hours
    tally = Tally()
    parts = Path(tempfile.mkdtemp(prefix=PARTS, dir=_beside(out)))
    try:
        said("reading")
        for part in (engine or LocalEngine(workers)).run(items, TextJob(config, parts, wanted=wanted), watch):
            tally.add(part.counts)
        said("writing")
        found = (row for item in items for row in _read(parts / _name(item.number)))
        files = write(Finisher(wanted)(found, tally), out, form)
    finally:
        shutil.rmtree(parts, ignore_errors=True)
    return Extracted(tally, tuple(files))


def _beside(out: Path) -> Path:
    """The folder around it: it is on the same disk, which has room for what will be written."""
    return out.absolute().parent


@dataclass(frozen=True, slots=True)
class TextJob(Job):
    """What is done with every item: its texts are left in a file."""

    wanted: Wanted | None = None

    def worker(self) -> Worker:
        """What a process runs on its items."""
        assert self.wanted is not None
        work = TextWork(self.config, self.wanted)

        def done(item: WorkItem, out: Path, care: Care = NO_CARE, mark: Mark | None = None) -> Part:
            rows = 0
            work.begin()
            with replacing(out / _name(item.number)) as path, path.open("wb") as file:
                for batch in work(item, care, mark):
                    found: Any = batch
                    file.writelines(map(json_of, found))
                    rows += len(found)
            if mark is not None:
                mark(WRITING, 0, 0, item.size)
            return Part(item.number, rows, counts=asdict(work.tally))

        return done


class TextWork(Work):
    """The work of a census, with texts in place of rows."""

    def __init__(self, config: Config, wanted: Wanted) -> None:
        self.config = config
        self._texts = Rows(wanted, identifier(config))

    @property
    def tally(self) -> Tally:
        """Of the item that was begun last."""
        return self._texts.tally

    def begin(self) -> None:
        """Another item, or the same once more."""
        self._texts.tally = Tally()

    def _batch(self, captures: list[Capture], first: int, end: int, passed: int, mark: Mark | None) -> Any:
        if mark is not None:
            mark(IDENTIFYING, first, end, passed)
        return self._texts.batch(captures)


def _name(number: int) -> str:
    return f"part-{number:06}.jsonl"


def _read(path: Path) -> Iterator[Text]:
    with path.open("rb") as file:
        for line in file:
            yield Text.from_dict(json.loads(line))
    path.unlink()
