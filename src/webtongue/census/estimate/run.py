"""Estimate a census: read the index, draw a sample, fetch and identify it, and write a folder like that of a census."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import __version__
from webtongue.census.config import Config
from webtongue.census.estimate.addresses import Addresses, write_addresses
from webtongue.census.estimate.budgets import Budget, StratumCost, budgets, stratum_costs
from webtongue.census.estimate.estimator import Estimates, Frame, Sample, estimate, make_frame
from webtongue.census.estimate.fetch import NO_PAGE, UNREACHABLE, add_weights, integer_weights, write_rows
from webtongue.census.estimate.frame import Record, draw_records, open_frame, read_cells
from webtongue.census.estimate.index import index_files, read_index, read_local
from webtongue.census.estimate.nonresponse import adjust_design
from webtongue.census.estimate.strata import Design, form_strata
from webtongue.census.folder import ABOUT, ESTIMATE, MANIFEST, has_located_servers
from webtongue.census.rows import create_identifier, model_checksum
from webtongue.census.schema import VERSION
from webtongue.census.sink import ROWS, atomic_write
from webtongue.census.store import write_store
from webtongue.errors import UnreadableFile, UsageError, output_errors

__all__ = ["EstimateSummary", "LabelEstimate", "estimate_census"]

WORK_FOLDER = ".index"  # the classified addresses, deleted at the end
OnStage = Callable[[str], None]
OnRows = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class LabelEstimate:
    """The estimate of a label: its pages and their share with a 95% interval, and where they come from."""

    label: str
    pages: int
    share: float
    low: float
    high: float
    effective: float  # number of independent pages that would give the same variance
    fetched: int  # pages with this answer in the sample
    predicted: int  # pages with this prediction in the index
    false: int  # estimated pages with this prediction and another answer
    missed: int  # estimated pages with this answer and another prediction


@dataclass(frozen=True, slots=True)
class EstimateSummary:
    """The result of an estimate."""

    captures: int  # rows of the index
    pages: int  # rows that may be pages
    fetches: int
    no_pages: int  # fetched records that are no pages
    unreachable: int  # records that could not be fetched, for which the others of their strata stand
    bytes: int  # fetched
    labels: tuple[LabelEstimate, ...]
    strata: tuple[StratumCost, ...]
    budgets: tuple[Budget, ...]


def estimate_census(
    index: Sequence[str],
    out: str | Path,
    budget: int,
    config: Config | None = None,
    *,
    local: bool = False,
    seed: int = 1,
    requests: int = 16,
    on_stage: OnStage = lambda stage: None,
    on_rows: OnRows | None = None,
) -> EstimateSummary:
    """Estimate the census of a crawl from its index and ``budget`` fetched records; write a folder like that of a census.

    With ``local``, ``index`` are WARC files, of which only what an index has is used before the sample is drawn. ``on_rows`` is
    called with numbers of rows of the index, and then of fetched records.
    """
    out, config = Path(out), replace(config or Config(), second_pass=False)
    if budget < 1:
        raise UsageError(f"a budget is a number of fetches, not {budget}")
    files = [] if local else index_files(index, config)
    with output_errors(out), _new_folder(out) as work:
        on_stage("reading the index")
        batches = read_local(index, config) if local else _read_files(files, config)
        addresses = write_addresses(batches, work / "addresses.parquet", create_identifier(config), on_rows)
        if not addresses.pages:
            raise UsageError(f"none of {addresses.captures:,} captures in the index may be a page with a position")
        design, records = _draw(addresses, budget, seed, on_stage)
        on_stage("fetching")
        rows = work / "rows.parquet"
        answers = write_rows(records, rows, config, requests, is_trusted=local, on_rows=on_rows)
        summary = _estimate(addresses, design, records, answers, rows, out)
        _write_about(out, config, summary, budget, seed)
    write_store(out)
    return summary


def _read_files(files: Sequence[str], config: Config) -> Iterator[Any]:
    """Yield the batches of all files of an index; raise UsageError for a file that cannot be read."""
    try:
        for path in files:
            yield from read_index(path, config)
    except UnreadableFile as error:  # an OSError, which would be taken for a failure to write OUT
        raise UsageError(str(error)) from None


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """Create the folder of an estimate, with a folder for temporary files in it; remove it if the estimate fails."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} exists and is not an empty folder: choose another")
    work = out / WORK_FOLDER
    for folder in (out / ROWS, work):
        folder.mkdir(parents=True)
    try:
        yield work
    except BaseException:
        shutil.rmtree(out / ROWS, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
        for folder in (out / ROWS, out):
            with suppress(OSError):  # not empty
                folder.rmdir()


def _draw(addresses: Addresses, budget: int, seed: int, on_stage: OnStage) -> tuple[Design, list[Record]]:
    on_stage("drawing a sample")
    with open_frame(addresses) as connection:
        design = form_strata(read_cells(connection, addresses), budget)
        return design, draw_records(connection, addresses, design, seed)


def _estimate(
    addresses: Addresses,
    design: Design,
    records: list[Record],
    answers: list[str | None],
    rows: Path,
    out: Path,
) -> EstimateSummary:
    """Estimate all labels from the answers, and write the rows with their weights."""
    is_fetched = np.array([answer is not UNREACHABLE for answer in answers])
    stratum, host, host_pages = np.array([(r.stratum, r.host, r.host_pages) for r in records], np.int64).T
    response, numbers_of_strata = adjust_design(design, stratum, is_fetched)
    models = {cell.model for cell in design.cells} - {""}
    labels = (NO_PAGE, *sorted({*models, *filter(None, answers)}))
    numbers = {label: number for number, label in enumerate(labels)}
    models_by_row = np.array([numbers[record.model] if record.model else -1 for record in records])
    sample = Sample(
        numbers_of_strata[stratum[is_fetched]], host[is_fetched], host_pages[is_fetched],
        np.array([numbers[answer] for answer in answers if answer is not UNREACHABLE]), models_by_row[is_fetched],
    )  # fmt: skip
    frame = make_frame(response, labels)
    result = estimate(sample, response, frame)
    counts = np.bincount(sample.answer, minlength=len(labels))
    weights = np.zeros(len(records), np.int64)  # Unreachable records keep the weight 0.
    weights[is_fetched] = integer_weights(
        sample.answer, np.maximum(result.total, counts), response.weights[sample.stratum]
    )
    add_weights(rows, records, weights, design, out)
    costs = stratum_costs(design, records, answers)
    sizes = np.array([record.length for record in records])[is_fetched]
    sizes_by_stratum = np.bincount(sample.stratum, sizes, len(response.pages)) / np.maximum(response.fetches, 1)
    return EstimateSummary(
        addresses.captures, addresses.pages, len(records), int(counts[0]), int((~is_fetched).sum()),
        sum(cost.bytes for cost in costs), tuple(_label_estimates(frame, result, counts)), tuple(costs),
        tuple(budgets(response, frame, result, counts, sizes_by_stratum)),
    )  # fmt: skip


def _label_estimates(frame: Frame, result: Estimates, counts: Any) -> Iterator[LabelEstimate]:
    """Yield the estimates of labels, the most frequent first; a label has at least the pages that were fetched."""
    total = np.maximum(result.total, counts)
    pages = max(float(total[1:].sum()), 1.0)
    for i in np.argsort(-total[1:], kind="stable") + 1:
        share = float(total[i] / pages)
        low, high = max(float(result.low[i]), float(counts[i])) / pages, min(float(result.high[i]) / pages, 1.0)
        variance = float(result.variance[i]) / pages**2
        effective = share * (1 - share) / variance if variance > 0 else pages
        yield LabelEstimate(
            frame.labels[i], round(float(total[i])), share, min(low, share), max(high, share), max(effective, 1.0),
            int(counts[i]), round(float(frame.predicted[i])), round(float(result.false.total[i])),
            round(float(result.missed.total[i])),
        )  # fmt: skip


def _write_about(out: Path, config: Config, summary: EstimateSummary, budget: int, seed: int) -> None:
    """Write the descriptions of the estimate, and a manifest that marks the folder as that of a census."""
    ident = create_identifier(config)
    about: dict[str, Any] = {
        "schema": VERSION, "webtongue": __version__, "model": model_checksum(ident),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"), "config": config.to_dict(), "rows": summary.fetches,
        "attribution": ident.attribution if has_located_servers(out) else "",
        "estimate": {"budget": budget, "seed": seed, "captures": summary.captures},
    }  # fmt: skip
    texts = {
        MANIFEST: json.dumps({"census": {"estimate": about["estimate"], "webtongue": __version__}}),
        ESTIMATE: json.dumps(asdict(summary), indent=1),
        ABOUT: json.dumps(about, indent=1),
    }
    for name, text in texts.items():
        with atomic_write(out / name) as path:
            path.write_text(text + "\n", "utf-8")
