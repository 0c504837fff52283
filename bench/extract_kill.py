"""An extraction that is killed at random moments and resumed, beside an undisturbed one: rows and memory.

    python bench/extract_kill.py [--data DIR] [--size 2048] [--kills 10]

The pages of dev/html are repeated in archives of --size MB together. All languages are extracted, and duplicates are kept, since
every page is repeated. The largest memory of a process is that of the undisturbed run at a tenth of it and at its end.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sets
from census import write_archive
from common import MB, options_parser

FILES = 8
POLL_SECONDS = 0.2


def command(paths: list[Path], out: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "webtongue", "extract", *map(str, paths), "-l", "all", "-o", str(out), "--format", "jsonl.gz",
        "--shard-size", "64M", "--duplicates", "keep", "--host-lines", "keep", *more,
    ]  # fmt: skip


def hash_files(out: Path) -> dict[str, str]:
    """Return the hashes of all shards."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("part-*.gz"))
    }


def memory_of(pid: int) -> dict[int, int]:
    """Return the resident bytes of a process and its children."""
    sizes = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        number = int(status.parent.name)
        if (number == pid or int(fields["PPid"]) == pid) and "VmRSS" in fields:
            sizes[number] = int(fields["VmRSS"].split()[0]) * 1024
    return sizes


def run_whole(paths: list[Path], out: Path) -> tuple[float, list[tuple[float, int, int]]]:
    """Run an extraction; return its seconds, and seconds, memory of the main process and of the largest worker on the way."""
    start = time.monotonic()
    process = subprocess.Popen(command(paths, out), stderr=subprocess.DEVNULL)
    samples = []
    while process.poll() is None:
        sizes = memory_of(process.pid)
        main = sizes.pop(process.pid, 0)
        samples.append((time.monotonic() - start, main, max(sizes.values(), default=0)))
        time.sleep(POLL_SECONDS)
    if process.returncode:
        sys.exit(f"the extraction failed with exit code {process.returncode}")
    return time.monotonic() - start, samples


def run_killed(paths: list[Path], out: Path, kills: int, seconds: float) -> int:
    """Kill an extraction so many times, and let it finish; return the number of kills that hit a running process."""
    rng, hits = random.Random(1), 0
    for number in range(kills + 1):
        more = ["--resume"] if (out / "_manifest.json").exists() else []
        process = subprocess.Popen(command(paths, out, *more), stderr=subprocess.DEVNULL)
        if number == kills:
            if process.wait():
                sys.exit("the last run failed")
            break
        try:
            process.wait(rng.uniform(0.1, 1.9) * seconds / kills)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, 9)
            process.wait()
            hits += 1
    return hits


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--size", type=int, default=2048, help="MB of all archives (default 2048)")
    parser.add_argument("--kills", type=int, default=10)
    options = parser.parse_args()
    pages = [item for item in sets.html_pages(options.data) if item.raw]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.warc.gz" for number in range(FILES)]
        for number, path in enumerate(paths):
            write_archive(path, pages[number::FILES], options.size * MB // FILES)
        seconds, samples = run_whole(paths, folder / "whole")
        counts = json.loads((folder / "whole" / "_manifest.json").read_text("utf-8"))["extract"]["counts"]
        print(
            f"{sum(path.stat().st_size for path in paths) / MB:,.0f} MB, {counts['captures']:,} captures, {counts['rows']:,} rows"
        )
        tenth = [sample for sample in samples if sample[0] <= seconds / 10] or samples[:1]
        for column, label in ((1, "main process"), (2, "largest worker")):
            early, late = (max(sample[column] for sample in part) / MB for part in (tenth, samples))
            print(f"memory of the {label}: {early:,.0f} MB in the first tenth, {late:,.0f} MB at most")
        hits = run_killed(paths, folder / "killed", options.kills, seconds)
        same = hash_files(folder / "whole") == hash_files(folder / "killed")
        print(f"killed {hits} times: the files are {'the same' if same else 'DIFFERENT'}, byte for byte")


if __name__ == "__main__":
    main()
