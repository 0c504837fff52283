"""Speed of detect() on real files of 10 to 50 kB beside chardet and other installed peers, in turns on the same files.

    python bench/detect_speed.py [--data DIR] [--peers chardet,...] [--each 40] [--rounds 3]

The files are pages of dev/html and files of dev/encoding; those in UTF-8 are measured apart from those in legacy encodings.
Times are CPU times of one core, so that other programs hardly affect the ratio.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import encoding
import sets
from common import is_utf8, options_parser
from timing import best_seconds, for_each

import webtongue

MIN_BYTES, MAX_BYTES = 10_000, 50_000


def read_files(data: Path, max_per_set: int) -> dict[str, list[bytes]]:
    """Return up to ``max_per_set`` files of each set, by whether their bytes are UTF-8."""
    files: dict[str, list[bytes]] = defaultdict(list)
    counts: Counter[tuple[str, str]] = Counter()
    named_files = [(item.set, item.raw) for item in sets.html_pages(data)]
    for path in sets.encoding_archives(data):
        named_files += [(path.name, raw) for _, raw in sorted(sets.read_archive(path)[0].items())]
    for name, raw in named_files:
        kind = "in UTF-8" if is_utf8(raw) else "in old encodings"
        if MIN_BYTES <= len(raw) <= MAX_BYTES and counts[name, kind] < max_per_set:
            counts[name, kind] += 1
            files[kind].append(raw)
    return files


def main() -> None:
    parser = options_parser(__doc__, rounds=3)
    parser.add_argument("--peers", default="", help="peers, separated by commas (default all that are installed)")
    parser.add_argument("--each", type=int, default=40, help="files of a set and kind (default 40)")
    options = parser.parse_args()
    detectors: dict[str, Callable[[bytes], object]] = {
        "webtongue.detect": webtongue.detect,
        **encoding.peers(options.peers),
    }
    functions = {name: for_each(detect) for name, detect in detectors.items()}
    for kind, files in read_files(options.data, options.each).items():
        seconds_by_name = best_seconds(functions, [files], options.rounds, time.process_time)
        print(f"\n{len(files)} files {kind}, {sum(map(len, files)) / len(files) / 1000:.0f} kB on average")
        for name, seconds in seconds_by_name.items():
            ratio = seconds / seconds_by_name["webtongue.detect"]
            microseconds = seconds / len(files) * 1e6
            print(f"{name:20} {microseconds:9.1f} us a file, {ratio:.1f} times as long as webtongue.detect")


if __name__ == "__main__":
    main()
