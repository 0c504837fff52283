"""What a census costs here: time by pages and bytes, how even that is, and bytes that come out. Writes scale.json beside itself.

    python experiments/studies/scale_measure.py [--data DIR] [--rounds 5] [--repeats 40]

The pages of dev/html are sorted by size into classes, each a .warc.gz as crawlers write it, and each is taken through the work
of one worker (reading, identifying, links, rows, Parquet). Seconds are of one core's time, the least of some rounds. Time by
class gives what a page costs and what a megabyte costs (least squares, nothing below 0), so that files with larger pages can be
foretold. The file of all pages is done again and again: how its times lie about their median is how even the work is. Archives
of warc/, many of them damaged, say how often a file stops the worker.
"""

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
from webtongue.census.read.inputs import items_of, sources_of
from webtongue.census.sink import PartWriter
from webtongue.census.work import Work
from webtongue.evaluate.archives import archive

OUT = Path(__file__).with_name("scale.json")
CLASSES = 8
MB = 1e6
UNCLEAR = (
    "SELECT count(*) FROM read_parquet('{rows}') WHERE status = 'identified' AND reading IS NOT NULL AND NOT reliable"
)


def pages_of(data: Path) -> list[tuple[str, bytes]]:
    """Addresses and bytes of every page, those without an address on one of a thousand hosts."""
    out = []
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        files, rows = archive(path)
        known = {row.get("path"): row.get("url") for row in rows}
        for name, raw in sorted(files.items()):
            if raw:
                out.append((known.get(name) or f"https://www{len(out) % 997}.example.org/{name}", raw))
    return out


def written(path: Path, pages: Sequence[tuple[str, bytes]]) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, raw in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", BytesIO(raw), http_headers=head))


def seconds(path: Path, out: Path, work: Work, config: Config) -> float:
    """Of one core, for all of a file."""
    (item,) = items_of(sources_of([str(path)], config))
    begun = time.process_time()
    PartWriter(out, 0, config).write(work(item))
    return time.process_time() - begun


def fitted(classes: Sequence[dict[str, float]]) -> tuple[float, float]:
    """Microseconds a page and seconds a packed megabyte, none below 0; classes count alike, by relative error."""
    times = np.array([c["seconds"] for c in classes])
    parts = np.array([[c["pages"] / 1e6, c["packed"] / MB] for c in classes]) / times[:, None]
    both, *_ = np.linalg.lstsq(parts, np.ones(len(times)), rcond=None)
    if (both >= 0).all():
        return float(both[0]), float(both[1])
    alone = [float(column @ np.ones(len(times)) / (column @ column)) for column in parts.T]
    errors = [float(((column * value - 1) ** 2).sum()) for column, value in zip(parts.T, alone, strict=True)]
    return (alone[0], 0.0) if errors[0] < errors[1] else (0.0, alone[1])


def measured(data: Path, rounds: int, repeats: int) -> dict[str, Any]:
    """Everything that scale.py takes from a measurement."""
    import duckdb

    config = Config(keep_links=True)
    work = Work(config)
    pages = sorted(pages_of(data), key=lambda page: len(page[1]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / "out"
        for inside in ("rows", "links"):
            (out / inside).mkdir(parents=True)
        classes = []
        for some in np.array_split(np.arange(len(pages)), CLASSES):
            path = folder / "class.warc.gz"
            written(path, [pages[i] for i in some])
            best = min(seconds(path, out, work, config) for _ in range(rounds))
            unpacked = sum(len(pages[i][1]) for i in some)
            classes.append({"pages": len(some), "packed": path.stat().st_size, "unpacked": unpacked, "seconds": best})
        whole = folder / "whole.warc.gz"
        written(whole, pages)
        again = [seconds(whole, out, work, config) for _ in range(repeats)]
        rows, links = (next((out / inside).glob("*.parquet")) for inside in ("rows", "links"))
        found = duckdb.connect()
        count = found.execute(f"SELECT count(*) FROM read_parquet('{links}')").fetchall()[0][0]
        unclear = found.execute(UNCLEAR.format(rows=rows)).fetchall()[0][0]
        a_page, a_megabyte = fitted(classes)
        middle = statistics.median(again)
        stopped, archives = stops(data / "warc", out, work, config)
        return {
            "pages": len(pages), "packed": whole.stat().st_size, "unpacked": sum(len(raw) for _, raw in pages),
            "microseconds_a_page": round(a_page, 1), "seconds_a_megabyte": round(a_megabyte, 5), "classes": classes,
            "spread": [round(value / middle, 3) for value in sorted(again)], "median_seconds": round(middle, 3),
            "row_bytes": round(rows.stat().st_size / len(pages), 1), "links_a_page": round(count / len(pages), 2),
            "link_bytes": round(links.stat().st_size / max(count, 1), 1), "unclear": round(unclear / len(pages), 4),
            "archives": archives, "stopped": stopped,
        }  # fmt: skip


def stops(folder: Path, out: Path, work: Work, config: Config) -> tuple[int, int]:
    """Of archives that test the tools of others, how many end the worker with an exception."""
    stopped = count = 0
    for item in items_of(sources_of([str(folder)], config)):
        count += len(item.sources)
        try:
            PartWriter(out, 1, config).write(work(item))
        except Exception as error:  # whatever it is, a task would have failed
            print(f"{[source.path for source in item.sources]}: {error!r}")
            stopped += 1
    return stopped, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    found = measured(options.data, options.rounds, options.repeats)
    options.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps({name: value for name, value in found.items() if name != "spread"}, indent=1))


if __name__ == "__main__":
    main()
