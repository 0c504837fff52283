"""A census on a cluster beside one on this machine, and answers for a DataFrame beside the batch function.

    python bench/spark.py [--data DIR] [--size 4096] [--files 8] [--rounds 2] [--only census,identify]

Pages are those of dev/html in generated .warc.gz files. The cluster is a master and two workers of the PySpark package on loopback,
with one core each; the session is started, and has run a task on each worker, before a clock runs.

`census`: the engine on two workers and the local engine on two processes, on --size MB: MB a second, the share, whether rows are
equal, and the largest memory of a Python process of executors (bars: 75%, equal, 400 MB). `identify`: `spark.identify` on a
DataFrame against a `mapInArrow` that hands batches through plus `identify_batch` on the same batches (bar: 1.15 times the time).
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
from census import written
from timing import least

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.spark.cluster import Cluster, Stages, below, running, session

from webtongue import Identifier
from webtongue.census.config import Config
from webtongue.census.engines import Engine, Job
from webtongue.census.engines.local import LocalEngine
from webtongue.census.engines.spark import SparkEngine
from webtongue.census.items import Source, WorkItem
from webtongue.spark import identify

MB = 1 << 20
LOOK = 0.2  # seconds between looks at memory
ROWS = 500  # of an Arrow batch
SHARE_BAR, MEMORY_BAR, TIMES_BAR = 0.75, 400, 1.15


def passed(batches: Iterable[Any]) -> Iterator[Any]:
    """What Spark and Arrow cost by themselves."""
    yield from batches


def left_behind(batches: Iterable[Any]) -> Iterator[Any]:
    """The same without the way back of pages, which answers do not take."""
    for batch in batches:
        yield batch.select(["url"])


def warmed(spark: Any) -> None:
    """A task on each worker, with all that it imports."""
    frame = spark.createDataFrame([(b"<p>Salve",)] * 64, "content binary").repartition(4)
    identify(frame, url=None).count()


def census(
    spark: Any, cluster: Cluster, folder: Path, pages: Sequence[sets.Item], size: int, files: int, rounds: int
) -> None:
    paths = [folder / f"{number}.warc.gz" for number in range(files)]
    for path in paths:
        written(path, pages, size * MB // files)
    sizes = [path.stat().st_size for path in paths]
    items = [WorkItem(n, (Source(str(path), "warc", path.name, sizes[n]),)) for n, path in enumerate(paths)]
    whole = sum(sizes) / MB
    print(f"census: {whole:,.0f} MB in {files} files")
    took: dict[str, list[float]] = {"local": [], "spark": []}
    engines: dict[str, Callable[[], Engine]] = {"local": lambda: LocalEngine(2), "spark": lambda: SparkEngine(spark)}
    with Memory(cluster) as memory:
        for turn in range(rounds):
            for name, engine in engines.items():
                out = folder / name
                shutil.rmtree(out, ignore_errors=True)
                for kind in ("rows", "links"):
                    (out / kind).mkdir(parents=True)
                stages = Stages(spark)
                start = time.perf_counter()
                rows = sum(part.rows for part in engine().run(items, Job(Config(), out)))
                seconds = time.perf_counter() - start
                took[name].append(seconds)
                print(f"  {turn} {name:<6} {seconds:8.1f} s {whole / seconds:7.1f} MB/s {rows / seconds:9,.0f} rows/s")
            print(f"    of the cluster's two cores: {shares(stages, seconds)}")
    share = min(took["local"]) / min(took["spark"])
    print(f"  share of the local engine {share:.0%} {said(share >= SHARE_BAR)}")
    print(f"  rows equal: {same(folder / 'local', folder / 'spark')}")
    print(f"  memory of a Python process {memory.most:,.0f} MB {said(memory.most < MEMORY_BAR)}")


def shares(stages: Stages, seconds: float) -> str:
    """Where a cluster's time went."""
    inside, jvm = stages.sum("executorRunTime") / 1000, stages.sum("executorCpuTime") / 1e9
    parts = {"tasks at work in Python": inside - jvm, "the JVM": jvm, "between tasks": 2 * seconds - inside}
    return ", ".join(f"{name} {part / (2 * seconds):.1%}" for name, part in parts.items())


def same(one: Path, other: Path) -> bool:
    """Whether two censuses have the same rows, part by part."""
    parts = sorted(path.name for path in (one / "rows").iterdir())
    return parts == sorted(path.name for path in (other / "rows").iterdir()) and all(
        pq.read_table(one / "rows" / name).equals(pq.read_table(other / "rows" / name)) for name in parts
    )


class Memory:
    """The largest memory of a Python process below the workers, looked at now and then."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._done = cluster, threading.Event()
        self.most = 0.0
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(LOOK):
            for worker in self._cluster.workers:
                self.most = max([self.most, *(resident(pid) for pid in below(worker.pid))])


def resident(pid: int) -> float:
    """MB of a process, if it is Python's: files that are mapped and shared count too."""
    try:
        if "python" not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode():
            return 0.0
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / MB
    except OSError:
        return 0.0


def frames(spark: Any, folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    path = folder / "pages.parquet"
    raws = [page.raw for page in pages]
    table = pa.table({"url": [f"https://www.example.org/{i}" for i in range(len(raws))], "content": raws})
    pq.write_table(table, path, row_group_size=ROWS)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(ROWS))
    df = spark.read.parquet(str(path)).coalesce(1)  # one core each way: what is compared is work, not cores
    ident = Identifier()
    batches = [pa.table({"raw": b["content"], "url": b["url"]}) for b in table.to_batches(ROWS)]
    batch = least(lambda: [ident.identify_batch(one, threads=1) for one in batches], rounds)
    through = least(lambda: drained(df.mapInArrow(passed, df.schema)), rounds)
    one_way = least(lambda: drained(df.mapInArrow(left_behind, "url string")), rounds)
    answers = least(lambda: drained(identify(df)), rounds)
    times, strict = answers / (through + batch), answers / (one_way + batch)
    print(f"identify: {len(raws):,} pages, {sum(map(len, raws)) / MB:,.0f} MB")
    for name, seconds in (
        ("identify_batch", batch),
        ("handed through", through),
        ("one way", one_way),
        ("spark.identify", answers),
    ):
        print(f"  {name:<15} {seconds:7.2f} s {len(raws) / seconds:9,.0f} pages/s")
    print(
        f"  times of identify_batch and handing through: {times:.2f} {said(times <= TIMES_BAR)}; one way: {strict:.2f}"
    )


def drained(df: Any) -> None:
    df.write.format("noop").mode("overwrite").save()


def said(is_met: bool) -> str:
    return "(bar met)" if is_met else "(BAR MISSED)"


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--size", type=int, default=4096, help="MB of archives")
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default="census,identify")
    asked = parser.parse_args()
    pages = list(sets.html_pages(asked.data))
    folder = Path(tempfile.mkdtemp())
    (folder / "cluster").mkdir()
    try:
        with running(folder / "cluster") as cluster:
            spark = session(cluster)
            warmed(spark)
            if "census" in asked.only:
                census(spark, cluster, folder, pages, asked.size, asked.files, asked.rounds)
            if "identify" in asked.only:
                frames(spark, folder, pages, asked.rounds)
            spark.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
