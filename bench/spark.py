"""A census on a cluster beside one on this machine, and spark.identify beside identify_batch.

    python bench/spark.py [--data DIR] [--size 4096] [--files 8] [--rounds 2] [--only census,identify]

Pages are those of dev/html in generated .warc.gz files. The cluster is a master and two workers of the PySpark package on loopback,
with one core each; the session has run a task on each worker before measurements start.

`census`: the Spark engine on two workers and the local engine on two processes, on --size MB: MB per second, their ratio, whether
rows are equal, and the highest memory of a Python process of the executors (bars: 75%, equal, 400 MB). `identify`:
`spark.identify` on a DataFrame beside a `mapInArrow` that passes batches through plus `identify_batch` on the same batches
(bar: 1.15 times the time).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import sets
from census import create_output, write_archive
from common import MB, bar_result, options_parser, resident_mb, run_parts
from timing import best_call_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.integrations.spark.cluster import Cluster, Stages, below, running, session

from webtongue import Identifier
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job
from webtongue.census.engines.local import LocalEngine
from webtongue.census.engines.spark import SparkEngine
from webtongue.census.items import Source, WorkItem
from webtongue.integrations.spark import identify

SAMPLE_SECONDS = 0.2  # between two samples of memory
ROWS_PER_BATCH = 500
SHARE_BAR, MEMORY_BAR, TIMES_BAR = 0.75, 400, 1.15


def pass_through(batches: Iterable[Any]) -> Iterator[Any]:
    """Return batches unchanged: the cost of Spark and Arrow."""
    yield from batches


def return_urls_only(batches: Iterable[Any]) -> Iterator[Any]:
    """Return only URLs: the cost without the pages on the way back, which answers do not include."""
    for batch in batches:
        yield batch.select(["url"])


def warm_up(spark: Any) -> None:
    """Run a task on each worker, so that all modules are imported."""
    frame = spark.createDataFrame([(b"<p>Salve",)] * 64, "content binary").repartition(4)
    identify(frame, url=None).count()


def report_census(
    spark: Any, cluster: Cluster, folder: Path, pages: Sequence[sets.Item], size: int, files: int, rounds: int
) -> None:
    paths = [folder / f"{number}.warc.gz" for number in range(files)]
    for path in paths:
        write_archive(path, pages, size * MB // files)
    sizes = [path.stat().st_size for path in paths]
    items = [WorkItem(n, (Source(str(path), "warc", path.name, sizes[n]),)) for n, path in enumerate(paths)]
    megabytes = sum(sizes) / MB
    print(f"census: {megabytes:,.0f} MB in {files} files")
    seconds_by_engine: dict[str, list[float]] = {"local": [], "spark": []}
    engines: dict[str, Callable[[], Engine]] = {"local": lambda: LocalEngine(2), "spark": lambda: SparkEngine(spark)}
    with MemorySampler(cluster) as memory:
        for round_number in range(rounds):
            for name, engine in engines.items():
                output = folder / name
                shutil.rmtree(output, ignore_errors=True)
                create_output(output)
                stages = Stages(spark)
                start = time.perf_counter()
                rows = sum(part.rows for part in engine().run(items, Job(Config(), output)))
                seconds = time.perf_counter() - start
                seconds_by_engine[name].append(seconds)
                print(
                    f"  {round_number} {name:<6} {seconds:8.1f} s {megabytes / seconds:7.1f} MB/s {rows / seconds:9,.0f} rows/s"
                )
            print(f"    of the cluster's two cores: {shares(stages, seconds)}")
    share = min(seconds_by_engine["local"]) / min(seconds_by_engine["spark"])
    print(f"  share of the local engine {share:.0%} {bar_result(share >= SHARE_BAR)}")
    print(f"  rows equal: {has_same_rows(folder / 'local', folder / 'spark')}")
    print(f"  memory of a Python process {memory.peak_mb:,.0f} MB {bar_result(memory.peak_mb < MEMORY_BAR)}")


def shares(stages: Stages, seconds: float) -> str:
    """Return the shares of the cluster's time."""
    inside, jvm = stages.sum("executorRunTime") / 1000, stages.sum("executorCpuTime") / 1e9
    parts = {"tasks at work in Python": inside - jvm, "the JVM": jvm, "between tasks": 2 * seconds - inside}
    return ", ".join(f"{name} {part / (2 * seconds):.1%}" for name, part in parts.items())


def has_same_rows(first: Path, second: Path) -> bool:
    """Return True if two censuses have the same rows, part by part."""
    parts = sorted(path.name for path in (first / "rows").iterdir())
    return parts == sorted(path.name for path in (second / "rows").iterdir()) and all(
        pq.read_table(first / "rows" / name).equals(pq.read_table(second / "rows" / name)) for name in parts
    )


class MemorySampler:
    """Samples the memory of the Python processes of the workers and keeps the highest."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._done = cluster, threading.Event()
        self.peak_mb = 0.0
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> MemorySampler:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            for worker in self._cluster.workers:
                self.peak_mb = max([self.peak_mb, *(python_resident_mb(pid) for pid in below(worker.pid))])


def python_resident_mb(pid: int) -> float:
    """Return the resident MB of a Python process, including mapped and shared files, or 0 for another process."""
    try:
        if "python" not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode():
            return 0.0
        return resident_mb(pid)
    except OSError:
        return 0.0


def report_frames(spark: Any, folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    path = folder / "pages.parquet"
    raws = [page.raw for page in pages]
    table = pa.table({"url": [f"https://www.example.org/{i}" for i in range(len(raws))], "content": raws})
    pq.write_table(table, path, row_group_size=ROWS_PER_BATCH)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(ROWS_PER_BATCH))
    df = spark.read.parquet(str(path)).coalesce(1)  # one core in all measurements
    ident = Identifier()
    batches = [pa.table({"raw": batch["content"], "url": batch["url"]}) for batch in table.to_batches(ROWS_PER_BATCH)]
    batch_seconds = best_call_seconds(lambda: [ident.identify_batch(table, threads=1) for table in batches], rounds)
    pass_through_seconds = best_call_seconds(lambda: run_to_end(df.mapInArrow(pass_through, df.schema)), rounds)
    one_way_seconds = best_call_seconds(lambda: run_to_end(df.mapInArrow(return_urls_only, "url string")), rounds)
    identify_seconds = best_call_seconds(lambda: run_to_end(identify(df)), rounds)
    ratio, one_way_ratio = (
        identify_seconds / (pass_through_seconds + batch_seconds),
        identify_seconds / (one_way_seconds + batch_seconds),
    )
    print(f"identify: {len(raws):,} pages, {sum(map(len, raws)) / MB:,.0f} MB")
    for name, seconds in (
        ("identify_batch", batch_seconds),
        ("handed through", pass_through_seconds),
        ("one way", one_way_seconds),
        ("spark.identify", identify_seconds),
    ):
        print(f"  {name:<15} {seconds:7.2f} s {len(raws) / seconds:9,.0f} pages/s")
    print(
        f"  times of identify_batch and handing through: {ratio:.2f} {bar_result(ratio <= TIMES_BAR)}; one way: {one_way_ratio:.2f}"
    )


def run_to_end(df: Any) -> None:
    df.write.format("noop").mode("overwrite").save()


def main() -> None:
    parser = options_parser(__doc__, rounds=2, parts=("census", "identify"))
    parser.add_argument("--size", type=int, default=4096, help="MB of archives (default 4096)")
    parser.add_argument("--files", type=int, default=8, help="number of archives (default 8)")
    options = parser.parse_args()
    pages = list(sets.html_pages(options.data))
    folder = Path(tempfile.mkdtemp())
    (folder / "cluster").mkdir()
    try:
        with running(folder / "cluster") as cluster:
            spark = session(cluster)
            warm_up(spark)
            parts = {
                "census": lambda: report_census(
                    spark, cluster, folder, pages, options.size, options.files, options.rounds
                ),
                "identify": lambda: report_frames(spark, folder, pages, options.rounds),
            }
            run_parts(parts, options.only)
            spark.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
