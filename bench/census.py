"""The census beside its parts: time per page, two cores, memory, and a run that is killed and resumed.

    python bench/census.py [--data DIR] [--rounds 3] [--only speed,cores,memory,kill] [--size 2048] [--kills 10] [--pages N]

Pages are those of dev/html in generated .warc.gz files, as crawlers write them (a gzip member for each record, digests, IP
addresses). `speed` compares, on one core and in turns: fastwarc reading every payload; `identify_batch` with URL, headers and
country on the same pages; the work of a census on the same file, including Parquet; and fastwarc with resiliparse and CLD2.
`cores` compares one run on two processes with two independent runs. `memory` reads a file of --size MB and prints the memory of
a worker on the way. `kill` kills a census (SIGKILL) at random moments, resumes it, and compares its rows with those of an
undisturbed run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import sets
from common import MB, ROOT, bar_result, batches, cld2, options_parser, peak_mb, resident_mb, run_parts
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from timing import best_seconds
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webtongue.census.config import Config
from webtongue.census.engines import Job
from webtongue.census.engines.local import LocalEngine, use_system_allocator
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.read.partition import create_work_items
from webtongue.census.rows import RowBuilder, create_identifier
from webtongue.census.sink import PartWriter
from webtongue.census.work import NO_RETRY, ItemProcessor

PARTS = ("speed", "cores", "memory", "kill")
RESPONSE_HEADERS = [("Server", "nginx"), ("Content-Type", "text/html"), ("Vary", "Accept-Encoding")]
PAGES_PER_BATCH = 256
KILL_FILES = 12
KILL_FILE_MB = 20  # large enough that a run takes some time


def write_archive(path: Path, pages: Sequence[sets.Item], size: int = 0) -> None:
    """Write pages to a .warc.gz file; with ``size``, repeat its members until it has that many bytes."""
    rng = random.Random(path.name)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for count, page in enumerate(pages):
            url = page.row.get("url") or f"https://www{count % 997}.example.org/{page.name}"
            digest = base64.b32encode(hashlib.sha1(page.raw + str(count).encode()).digest()).decode()
            head = StatusAndHeaders(
                "200 OK", [*RESPONSE_HEADERS, ("Content-Length", str(len(page.raw)))], protocol="HTTP/1.1"
            )
            known = {
                "WARC-IP-Address": f"185.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}",
                "WARC-Payload-Digest": f"sha1:{digest}", "WARC-Block-Digest": f"sha1:{digest}",
            }  # fmt: skip
            payload = BytesIO(page.raw)
            record = writer.create_warc_record(url, "response", payload, http_headers=head, warc_headers_dict=known)
            writer.write_record(record)
    members = path.read_bytes() if size else b""
    with path.open("ab") as file:
        while file.tell() < size:  # concatenated members are a valid file
            file.write(members)


def iter_payloads(path: Path) -> Iterator[tuple[str | None, dict[str, str], str | None, bytes]]:
    """Yield URL, HTTP headers, IP address and payload of the responses."""
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        yield (
            record.headers.get("WARC-Target-URI"), record.http_headers.asdict(), record.headers.get("WARC-IP-Address"),
            record.reader.read(),
        )  # fmt: skip


def read_payloads(path: Path) -> None:
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        record.reader.read()


def identify_with_peers(path: Path) -> None:
    """Do what common tools do: read the payload, detect the encoding, extract the text, ask CLD2."""
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        raw = record.reader.read()
        text = extract_plain_text(bytes_to_str(raw, detect_encoding(raw)), main_content=False)
        cld2(text)


def create_output(folder: Path) -> Path:
    """Create the folders of a census and return the folder."""
    for name in ("rows", "links"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def start_in_process(function: str, *arguments: object) -> subprocess.Popen[bytes]:
    """Start a function of this module in a new process."""
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'bench')!r}); import census; census.{function}(*{arguments!r})"
    return subprocess.Popen([sys.executable, "-c", code])


def report_speed(folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    """Print microseconds per page of a census, of its parts, and of common tools."""
    path = folder / "speed.warc.gz"
    write_archive(path, pages)
    config = Config()
    ident, rows, work = create_identifier(config), RowBuilder(config), ItemProcessor(config, RowBuilder(config))
    responses = list(iter_payloads(path))
    item = create_work_items(expand_inputs([str(path)], config))[0]
    captures = [capture for capture, _ in work._read(item, NO_RETRY, None)]
    capture_batches = batches(captures, PAGES_PER_BATCH)
    row_batches = [rows.batch(batch) for batch in capture_batches]
    output = create_output(folder / "out")
    column_batches = [
        dict(zip(("url", "headers", "ip", "raw"), map(list, zip(*batch, strict=True)), strict=True))
        for batch in batches(responses, PAGES_PER_BATCH)
    ]
    functions: dict[str, Callable[[None], object]] = {
        "bare fastwarc, payloads read": lambda _: read_payloads(path),
        "identify_batch with hints": lambda _: [ident.identify_batch(columns, 1) for columns in column_batches],
        "census: all of it": lambda _: PartWriter(output, 0, config).write(work(item)),
        "of it, reading": lambda _: sum(1 for _ in work._read(item, NO_RETRY, None)),
        "of it, rows (identifying included)": lambda _: [rows.batch(batch) for batch in capture_batches],
        "of it, writing Parquet": lambda _: PartWriter(output, 1, config).write(iter(row_batches)),
        "fastwarc + resiliparse + CLD2": lambda _: identify_with_peers(path),
    }
    seconds_by_name = best_seconds(functions, [None], rounds, time.process_time)
    times = {name: seconds / len(responses) * 1e6 for name, seconds in seconds_by_name.items()}
    print(f"{len(responses):,} pages, {path.stat().st_size / MB:.0f} MB packed, microseconds of one core a page:")
    for name, microseconds in times.items():
        print(f"  {name:38} {microseconds:8.1f}")
    census, tools = times["census: all of it"], times["fastwarc + resiliparse + CLD2"]
    parts = times["bare fastwarc, payloads read"] + times["identify_batch with hints"]
    print(f"census / (fastwarc + identify_batch) = {census / parts:.2f}")
    overhead = (census - parts) / times["bare fastwarc, payloads read"]
    print(f"(census - fastwarc - identify_batch) / fastwarc = {overhead:.2f} (bar 0.9) {bar_result(overhead <= 0.9)}")
    ratio = census / tools
    print(f"census / (fastwarc + resiliparse + CLD2) = {ratio:.2f} (bar 0.27) {bar_result(ratio <= 0.27)}")


def report_cores(folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    """Print pages per second of one run on two processes and of two runs of one process each, including the start of Python."""
    paths = [folder / f"cores-{i}.warc.gz" for i in range(4)]
    for path in paths:
        write_archive(path, pages)

    def start_run(some: Sequence[Path], workers: int, name: str) -> subprocess.Popen[bytes]:
        output = create_output(folder / f"cores-{name}")
        return start_in_process("run_engine", list(map(str, some)), str(output), workers)

    def one_run(_: object) -> None:
        start_run(paths, 2, "a").wait()

    def two_runs(_: object) -> None:
        for process in [start_run(paths[:2], 1, "b"), start_run(paths[2:], 1, "c")]:
            process.wait()

    best = best_seconds({"one run, two processes": one_run, "two runs, one process each": two_runs}, [None], rounds)
    for name, seconds in best.items():
        print(f"  {name:30} {len(paths) * len(pages) / seconds:8.0f} pages/s")
    print(f"two cores: {best['two runs, one process each'] / best['one run, two processes']:.0%} of two runs (bar 90%)")


def run_engine(paths: Sequence[str], output: str, workers: int) -> None:
    """Run the local engine on some files."""
    config = Config()
    for _ in LocalEngine(workers).run(create_work_items(expand_inputs(paths, config)), Job(config, Path(output))):
        pass


def report_memory(folder: Path, pages: Sequence[sets.Item], size: int) -> None:
    """Print the memory of a worker while it reads a large file."""
    path = folder / "large.warc.gz"
    write_archive(path, pages, size * MB)
    process = start_in_process("run_worker", str(path), str(create_output(folder / "memory")))
    if process.wait():
        sys.exit(f"the worker failed with exit code {process.returncode}")


def run_worker(path: str, output: str) -> None:
    """Do the work of one worker in this process and print its memory at every tenth."""
    use_system_allocator()
    config = Config()
    sources = list(expand_inputs([path], config))
    size = sum(source.size if not source.end else source.end - source.begin for source in sources)
    samples: list[float] = []
    done = 0
    work = ItemProcessor(config, RowBuilder(config))
    for item in create_work_items(iter(sources)):

        def sampled_batches(item: Any = item, done: int = done) -> Iterator[Any]:
            passed_bytes = 0

            def report(_stage: int, _first: int, _end: int, passed: int) -> None:
                nonlocal passed_bytes
                passed_bytes = passed

            for batch in work(item, report=report):
                if (done + passed_bytes) * 10 // size >= len(samples):
                    samples.append(resident_mb())
                yield batch

        PartWriter(Path(output), item.number, config).write(sampled_batches())
        done += item.size
    samples.append(resident_mb())
    print(f"{size / MB:,.0f} MB packed; resident MB at every tenth: {', '.join(f'{mb:.0f}' for mb in samples)}")
    print(f"highest {peak_mb():.0f} MB (bar 300)")


def report_kills(folder: Path, pages: Sequence[sets.Item], kills: int) -> None:
    """Print whether a census that is killed at random moments and resumed has the rows of an undisturbed run."""
    paths = [folder / f"kill-{i}.warc.gz" for i in range(KILL_FILES)]
    for i, path in enumerate(paths):
        write_archive(path, pages[i::KILL_FILES], KILL_FILE_MB * MB)
    command = [sys.executable, "-m", "webtongue", "census", *map(str, paths), "-o"]
    whole, killed = folder / "whole", folder / "killed"
    start = time.perf_counter()
    subprocess.run([*command, str(whole)], check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start

    def resumed_command() -> list[str]:
        return [*command, str(killed), *(["--resume"] if (killed / "manifest.jsonl").exists() else [])]

    rng = random.Random(14)
    parts_after_kill = []
    for _ in range(kills):
        process = subprocess.Popen(resumed_command(), stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(rng.uniform(0.1, 0.4) * seconds)  # the start takes a tenth of the time
        except subprocess.TimeoutExpired:
            kill_with_workers(process)
        parts_after_kill.append(len(list((killed / "rows").glob("*.parquet"))))
    parts = len(list((whole / "rows").glob("*.parquet")))
    subprocess.run(resumed_command(), check=True, stdout=subprocess.DEVNULL)
    digests = [rows_digest(output) for output in (whole, killed)]
    print(f"killed {kills} times, with {', '.join(map(str, parts_after_kill))} of {parts} parts there after each")
    result = "equal" if digests[0] == digests[1] else "NOT EQUAL"
    print(f"rows of the undisturbed run {digests[0]}, of the other {digests[1]}: {result}")


def kill_with_workers(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its workers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGKILL)
    process.wait()
    for child in children:
        subprocess.run(["kill", "-9", child], check=False, stderr=subprocess.DEVNULL)


def rows_digest(output: Path) -> str:
    """Return the number of rows and a hash of the sorted rows."""
    rows = duckdb.read_parquet(f"{output}/rows/*.parquet").order("ALL").to_arrow_table()
    lines = [json.dumps(row, default=repr, sort_keys=True) for row in rows.to_pylist()]
    return f"{len(lines):,} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:16]}"


def main() -> None:
    parser = options_parser(__doc__, rounds=3, parts=PARTS)
    parser.add_argument("--size", type=int, default=2048, help="MB of the file for memory (default 2048)")
    parser.add_argument("--kills", type=int, default=10, help="how often a census is killed (default 10)")
    parser.add_argument("--pages", type=int, default=0, help="number of pages, spread over all (default all)")
    parser.add_argument("--folder", help="folder for generated files (default a temporary folder)")
    options = parser.parse_args()
    pages = [page for page in sets.html_pages(options.data) if page.raw]
    if options.pages:
        pages = pages[:: max(1, len(pages) // options.pages)]
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        parts = {
            "speed": lambda: report_speed(folder, pages, options.rounds),
            "cores": lambda: report_cores(folder, pages, options.rounds),
            "memory": lambda: report_memory(folder, pages, options.size),
            "kill": lambda: report_kills(folder, pages, options.kills),
        }
        run_parts(parts, options.only)


if __name__ == "__main__":
    main()
