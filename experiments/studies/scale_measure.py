"""Measure the cost of a census: time by pages and bytes, its variation, and sizes of the output; writes scale.json.

    python experiments/studies/scale_measure.py [--data DIR] [--rounds 5] [--repeats 40]

The pages of dev/html are sorted by size into classes, each a .warc.gz like those of crawlers, and each is processed like in a
worker (reading, identification, links, rows, Parquet). Seconds are CPU time of one core, the best of some rounds. The times of the
classes give the costs of a page and of a megabyte (least squares, none below 0), so that other files can be predicted. The file of
all pages is processed repeatedly, which gives the variation of the time. Archives of warc/, many of them damaged, give how often a
file stops the worker."""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webtongue.census.config import Config
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.census.rows import RowBuilder
from webtongue.census.sink import PartWriter
from webtongue.census.work import ItemProcessor
from webtongue.lab.evaluate.archives import read_archive

DEFAULT_OUTPUT = Path(__file__).with_name("scale.json")
SIZE_CLASSES = 8
MB = 1e6
UNCLEAR_QUERY = (
    "SELECT count(*) FROM read_parquet('{rows}') WHERE status = 'identified' AND reading IS NOT NULL AND NOT reliable"
)


def read_pages(data: Path) -> list[tuple[str, bytes]]:
    """Return URL and bytes of every page; pages without a URL are on one of a thousand generated hosts."""
    pages: list[tuple[str, bytes]] = []
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        files, rows = read_archive(path)
        url_by_path = {row.get("path"): row.get("url") for row in rows}
        for name, raw in sorted(files.items()):
            if raw:
                pages.append((url_by_path.get(name) or f"https://www{len(pages) % 997}.example.org/{name}", raw))
    return pages


def write_archive(path: Path, pages: Sequence[tuple[str, bytes]]) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, raw in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", BytesIO(raw), http_headers=head))


def cpu_seconds(path: Path, output: Path, work: ItemProcessor, config: Config) -> float:
    """Return the CPU seconds of a file."""
    (item,) = create_work_items(expand_inputs([str(path)], config))
    start = time.process_time()
    PartWriter(output, 0, config).write(work(item))
    return time.process_time() - start


def fit_costs(classes: Sequence[dict[str, float]]) -> tuple[float, float]:
    """Return microseconds per page and seconds per compressed megabyte, none below 0, of least relative error over the classes."""
    times = np.array([size_class["seconds"] for size_class in classes])
    parts = (
        np.array([[size_class["pages"] / 1e6, size_class["packed"] / MB] for size_class in classes]) / times[:, None]
    )
    costs, *_ = np.linalg.lstsq(parts, np.ones(len(times)), rcond=None)
    if (costs >= 0).all():
        return float(costs[0]), float(costs[1])
    single_costs = [float(column @ np.ones(len(times)) / (column @ column)) for column in parts.T]
    errors = [float(((column * value - 1) ** 2).sum()) for column, value in zip(parts.T, single_costs, strict=True)]
    return (single_costs[0], 0.0) if errors[0] < errors[1] else (0.0, single_costs[1])


def measure(data: Path, rounds: int, repeats: int) -> dict[str, Any]:
    """Return the measurements for scale.py."""
    import duckdb

    config = Config(keep_links=True)
    work = ItemProcessor(config, RowBuilder(config))
    pages = sorted(read_pages(data), key=lambda page: len(page[1]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output = folder / "out"
        for name_of_part in ("rows", "links"):
            (output / name_of_part).mkdir(parents=True)
        classes = []
        for indices in np.array_split(np.arange(len(pages)), SIZE_CLASSES):
            path = folder / "class.warc.gz"
            write_archive(path, [pages[i] for i in indices])
            best = min(cpu_seconds(path, output, work, config) for _ in range(rounds))
            unpacked = sum(len(pages[i][1]) for i in indices)
            classes.append(
                {"pages": len(indices), "packed": path.stat().st_size, "unpacked": unpacked, "seconds": best}
            )
        all_pages = folder / "whole.warc.gz"
        write_archive(all_pages, pages)
        repeated = [cpu_seconds(all_pages, output, work, config) for _ in range(repeats)]
        rows, links = (next((output / name_of_part).glob("*.parquet")) for name_of_part in ("rows", "links"))
        connection = duckdb.connect()
        count = connection.execute(f"SELECT count(*) FROM read_parquet('{links}')").fetchall()[0][0]
        unclear = connection.execute(UNCLEAR_QUERY.format(rows=rows)).fetchall()[0][0]
        a_page, a_megabyte = fit_costs(classes)
        median = statistics.median(repeated)
        stopped, archives = count_failures(data / "warc", output, work, config)
        return {
            "pages": len(pages), "packed": all_pages.stat().st_size, "unpacked": sum(len(raw) for _, raw in pages),
            "microseconds_a_page": round(a_page, 1), "seconds_a_megabyte": round(a_megabyte, 5), "classes": classes,
            "spread": [round(value / median, 3) for value in sorted(repeated)], "median_seconds": round(median, 3),
            "row_bytes": round(rows.stat().st_size / len(pages), 1), "links_a_page": round(count / len(pages), 2),
            "link_bytes": round(links.stat().st_size / max(count, 1), 1), "unclear": round(unclear / len(pages), 4),
            "archives": archives, "stopped": stopped,
        }  # fmt: skip


def count_failures(folder: Path, output: Path, work: ItemProcessor, config: Config) -> tuple[int, int]:
    """Return how many archives stop the worker with an exception, and the number of archives."""
    stopped = count = 0
    for item in create_work_items(expand_inputs([str(folder)], config)):
        count += len(item.sources)
        try:
            PartWriter(output, 1, config).write(work(item))
        except Exception as error:  # any exception fails a task
            print(f"{[source.path for source in item.sources]}: {error!r}")
            stopped += 1
    return stopped, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUTPUT)
    options = parser.parse_args()
    measurements = measure(options.data, options.rounds, options.repeats)
    options.out.write_text(json.dumps(measurements, indent=1) + "\n", "utf-8")
    print(json.dumps({name: value for name, value in measurements.items() if name != "spread"}, indent=1))


if __name__ == "__main__":
    main()
