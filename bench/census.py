"""The census beside its parts: time a page, two cores, memory, and a run that is killed again and again.

    python bench/census.py [--data DIR] [--rounds 3] [--only speed,cores,memory,kill] [--size 2048] [--kills 10] [--pages N]

Pages are those of dev/html in generated .warc.gz files, as crawlers write them (a record a member, digests, addresses of servers).
`speed` compares, on one core and in turns: fastwarc that reads every payload; `identify_batch` with address, headers and country on
the same pages; the work of a census on the same file, Parquet included; and fastwarc with resiliparse and CLD2. `cores` compares
one run on two processes with two independent runs. `memory` reads a file of --size MB and prints a worker's memory along the way.
`kill` kills a census (SIGKILL) at random moments, resumes it, and compares its rows with those of an undisturbed run.
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
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import duckdb
import pycld2
import sets
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from timing import quickest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webtongue.census.config import Config
from webtongue.census.engines import Job
from webtongue.census.engines.local import LocalEngine, spare_memory
from webtongue.census.read.inputs import items_of, sources_of
from webtongue.census.rows import Rows, identifier
from webtongue.census.sink import PartWriter
from webtongue.census.work import Work

PARTS = ("speed", "cores", "memory", "kill")
SERVED = [("Server", "nginx"), ("Content-Type", "text/html"), ("Vary", "Accept-Encoding")]
BATCH = 256
KILL_FILES = 12
KILL_SIZE = 20  # MB of each, so that a run goes on for a while
MB = 1 << 20


def written(path: Path, pages: Sequence[sets.Item], size: int = 0) -> None:
    """A .warc.gz of pages; over and over until it has ``size`` bytes, where that is said."""
    chance = random.Random(path.name)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for count, page in enumerate(pages):
            url = page.row.get("url") or f"https://www{count % 997}.example.org/{page.name}"
            digest = base64.b32encode(hashlib.sha1(page.raw + str(count).encode()).digest()).decode()
            head = StatusAndHeaders("200 OK", [*SERVED, ("Content-Length", str(len(page.raw)))], protocol="HTTP/1.1")
            known = {
                "WARC-IP-Address": f"185.{chance.randrange(256)}.{chance.randrange(256)}.{chance.randrange(256)}",
                "WARC-Payload-Digest": f"sha1:{digest}", "WARC-Block-Digest": f"sha1:{digest}",
            }  # fmt: skip
            payload = BytesIO(page.raw)
            record = writer.create_warc_record(url, "response", payload, http_headers=head, warc_headers_dict=known)
            writer.write_record(record)
    once = path.read_bytes() if size else b""
    with path.open("ab") as file:
        while file.tell() < size:  # members one after the other are a file
            file.write(once)


def payloads(path: Path) -> Iterator[tuple[str, dict[str, str], str, bytes]]:
    """What a bare reader gives."""
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        yield (
            record.headers.get("WARC-Target-URI"), record.http_headers.asdict(), record.headers.get("WARC-IP-Address"),
            record.reader.read(),
        )  # fmt: skip


def bare(path: Path) -> None:
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        record.reader.read()


def peers(path: Path) -> None:
    """What a crawler's own tools do: payload, encoding, text, CLD2."""
    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response):
        raw = record.reader.read()
        text = extract_plain_text(bytes_to_str(raw, detect_encoding(raw)), main_content=False)
        try:
            pycld2.detect(text, isPlainText=True)
        except pycld2.error:
            continue


def speed(folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    path = folder / "speed.warc.gz"
    written(path, pages)
    config = Config()
    ident, made, work = identifier(config), Rows(config), Work(config)
    found = list(payloads(path))
    columns = {
        "raw": [raw for *_, raw in found], "url": [url for url, *_ in found], "headers": [head for _, head, _, _ in found],
        "ip": [ip for _, _, ip, _ in found],
    }  # fmt: skip
    item = items_of(sources_of([str(path)], config))[0]
    captures = list(work._captures(item, work_care(), None))
    out = folder / "out"
    for inside in ("rows", "links"):
        (out / inside).mkdir(parents=True, exist_ok=True)
    batches = [made.batch([c for c, _ in captures[i : i + BATCH]]) for i in range(0, len(captures), BATCH)]

    def identified(_: object) -> None:
        for i in range(0, len(found), BATCH):
            ident.identify_batch({name: column[i : i + BATCH] for name, column in columns.items()}, 1)

    def rows(_: object) -> None:
        for i in range(0, len(captures), BATCH):
            made.batch([c for c, _ in captures[i : i + BATCH]])

    ways = {
        "bare fastwarc, payloads read": lambda _: bare(path),
        "identify_batch with hints": identified,
        "census: all of it": lambda _: PartWriter(out, 0, config).write(work(item)),
        "of it, reading": lambda _: sum(1 for _ in work._captures(item, work_care(), None)),
        "of it, rows (identifying included)": rows,
        "of it, writing Parquet": lambda _: PartWriter(out, 1, config).write(iter(batches)),
        "fastwarc + resiliparse + CLD2": lambda _: peers(path),
    }
    times = {name: t[0] / len(found) * 1e6 for name, t in quickest(ways, [None], rounds, time.process_time).items()}
    print(f"{len(found):,} pages, {path.stat().st_size / MB:.0f} MB packed, microseconds of one core a page:")
    for name, value in times.items():
        print(f"  {name:38} {value:8.1f}")
    whole = times["bare fastwarc, payloads read"] + times["identify_batch with hints"]
    print(f"census / (fastwarc + identify_batch) = {times['census: all of it'] / whole:.2f} (bar 1.25)")
    print(
        f"census / (fastwarc + resiliparse + CLD2) = {times['census: all of it'] / times['fastwarc + resiliparse + CLD2']:.2f}"
    )


def work_care() -> object:
    from webtongue.census.work import NO_CARE

    return NO_CARE


def cores(folder: Path, pages: Sequence[sets.Item], rounds: int) -> None:
    """Two processes of one run beside two runs of one process each, on the same files; the start of Python is in both."""
    paths = []
    for i in range(4):
        paths.append(folder / f"cores-{i}.warc.gz")
        written(paths[-1], pages)
    code = "import sys; sys.path.insert(0, {here!r}); import census; census.engine({paths!r}, {out!r}, {n})"
    here = str(Path(__file__).parent)

    def run(some: Sequence[Path], number: int, name: str) -> subprocess.Popen[bytes]:
        out = folder / f"cores-{name}"
        for inside in ("rows", "links"):
            (out / inside).mkdir(parents=True, exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-c", code.format(here=here, paths=list(map(str, some)), out=str(out), n=number)]
        )

    best = {"one run, two processes": float("inf"), "two runs, one process each": float("inf")}
    for _ in range(rounds):
        start = time.perf_counter()
        run(paths, 2, "a").wait()
        best["one run, two processes"] = min(best["one run, two processes"], time.perf_counter() - start)
        start = time.perf_counter()
        both = [run(paths[:2], 1, "b"), run(paths[2:], 1, "c")]
        for process in both:
            process.wait()
        best["two runs, one process each"] = min(best["two runs, one process each"], time.perf_counter() - start)
    count = 4 * len(pages)
    for name, seconds in best.items():
        print(f"  {name:30} {count / seconds:8.0f} pages/s")
    print(f"two cores: {best['two runs, one process each'] / best['one run, two processes']:.0%} of two runs (bar 90%)")


def engine(paths: Sequence[str], out: str, workers: int) -> None:
    config = Config()
    for _ in LocalEngine(workers).run(items_of(sources_of(paths, config)), Job(config, Path(out))):
        pass


def memory(folder: Path, pages: Sequence[sets.Item], size: int) -> None:
    """A worker's memory along a large file."""
    path = folder / "large.warc.gz"
    written(path, pages, size * MB)
    out = folder / "memory"
    for inside in ("rows", "links"):
        (out / inside).mkdir(parents=True, exist_ok=True)
    code = "import sys; sys.path.insert(0, {here!r}); import census; census.watched({path!r}, {out!r})"
    here = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", code.format(here=here, path=str(path), out=str(out))], check=True)


def watched(path: str, out: str) -> None:
    """The work of one worker in this process, its memory printed at every tenth."""
    spare_memory()
    config = Config()
    sources = list(sources_of([path], config))
    size = sum(source.size if not source.end else source.end - source.begin for source in sources)
    seen: list[float] = []
    done = 0
    work = Work(config)
    for item in items_of(iter(sources)):

        def batches(item: object = item, done: int = done) -> Iterator[object]:
            last = [0]

            def mark(_stage: int, _first: int, _end: int, passed: int) -> None:
                last[0] = passed

            for batch in work(item, mark=mark):  # type: ignore[arg-type]
                if (done + last[0]) * 10 // size >= len(seen):
                    seen.append(resident())
                yield batch

        PartWriter(Path(out), item.number, config).write(batches())  # type: ignore[arg-type]
        done += item.size
    seen.append(resident())
    print(f"{size / MB:,.0f} MB packed; resident MB at every tenth: {', '.join(f'{mb:.0f}' for mb in seen)}")
    print(f"highest {peak():.0f} MB (bar 300)")


def resident() -> float:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / MB


def peak() -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def kill(folder: Path, pages: Sequence[sets.Item], kills: int) -> None:
    """Killed at random moments and resumed, beside an undisturbed run: rows, sorted, byte for byte."""
    paths = []
    for i in range(KILL_FILES):
        paths.append(str(folder / f"kill-{i}.warc.gz"))
        written(Path(paths[-1]), pages[i::KILL_FILES], KILL_SIZE * MB)
    command = [sys.executable, "-m", "webtongue", "census", *paths, "-o"]
    start = time.perf_counter()
    subprocess.run([*command, str(folder / "whole")], check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - start
    chance = random.Random(14)
    out = folder / "killed"
    ends = []
    for _ in range(kills):
        process = subprocess.Popen(
            [*command, str(out), *(["--resume"] if (out / "manifest.jsonl").exists() else [])],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(chance.uniform(0.1, 0.4) * whole)  # starting takes a tenth
        except subprocess.TimeoutExpired:
            killed(process)
        ends.append(len(list((out / "rows").glob("*.parquet"))) if (out / "rows").exists() else 0)
    parts = len(list((folder / "whole" / "rows").glob("*.parquet")))
    resume = ["--resume"] if (out / "manifest.jsonl").exists() else []
    subprocess.run([*command, str(out), *resume], check=True, stdout=subprocess.DEVNULL)
    hashes = [digest_of(folder / name) for name in ("whole", "killed")]
    print(f"killed {kills} times, with {', '.join(map(str, ends))} of {parts} parts there after each")
    print(
        f"rows of the undisturbed run {hashes[0]}, of the other {hashes[1]}: {'equal' if len(set(hashes)) == 1 else 'NOT EQUAL'}"
    )


def killed(process: subprocess.Popen[bytes]) -> None:
    """A process and its workers, by their numbers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGKILL)
    process.wait()
    for child in children:
        subprocess.run(["kill", "-9", child], check=False, stderr=subprocess.DEVNULL)


def digest_of(out: Path) -> str:
    rows = duckdb.sql(f"SELECT * FROM read_parquet('{out}/rows/*.parquet') ORDER BY ALL").to_arrow_table()
    lines = [json.dumps(row, default=repr, sort_keys=True) for row in rows.to_pylist()]
    return f"{len(lines):,} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:16]}"


def main() -> None:
    parser = sets.arguments(__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--size", type=int, default=2048, help="MB of the file for memory")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--pages", type=int, default=0, help="so many of the pages, spread over all (default: all)")
    parser.add_argument("--folder", help="where generated files go (default: a temporary folder)")
    options = parser.parse_args()
    pages = [page for page in sets.html_pages(options.data) if page.raw]
    if options.pages:
        pages = pages[:: max(1, len(pages) // options.pages)]
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        wanted = options.only.split(",")
        if "speed" in wanted:
            speed(folder, pages, options.rounds)
        if "cores" in wanted:
            cores(folder, pages, options.rounds)
        if "memory" in wanted:
            memory(folder, pages, options.size)
        if "kill" in wanted:
            kill(folder, pages, options.kills)


if __name__ == "__main__":
    main()
