"""How fast detect() is on real files of 10 to 50 kB, beside chardet and others that are installed, in turns on the same files.

    python bench/detect_speed.py [--data DIR] [--peers chardet,...] [--each 40] [--rounds 3]

Pages of dev/html and files of dev/encoding, those in UTF-8 apart from those in old encodings. Time is that of one core, so that
other programs disturb the ratio little.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import encoding
import sets
import timing

import webtongue

LEAST, MOST = 10_000, 50_000  # bytes of a file


def files(data: str, each: int) -> dict[str, list[bytes]]:
    """Up to so many files of each set, by whether their bytes are UTF-8."""
    out: dict[str, list[bytes]] = defaultdict(list)
    taken: dict[tuple[str, str], int] = defaultdict(int)
    sources = [(item.name.split("/")[0], item.raw) for item in sets.html_pages(data)]
    for path in sorted(sets.need(Path(data) / "dev" / "encoding").glob("*.tar.xz")):
        sources += [(path.name, raw) for _, raw in sorted(sets.archive(path)[0].items())]
    for name, raw in sources:
        kind = "in UTF-8" if _is_utf8(raw) else "in old encodings"
        if LEAST <= len(raw) <= MOST and taken[name, kind] < each:
            taken[name, kind] += 1
            out[kind].append(raw)
    return out


def _is_utf8(raw: bytes) -> bool:
    try:
        return bool(raw.decode())
    except UnicodeDecodeError:
        return False


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--peers", default="", help="a list; all that are installed by default")
    parser.add_argument("--each", type=int, default=40, help="files of a set and kind")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    asked: dict[str, Callable[[bytes], object]] = {
        "webtongue.detect": webtongue.detect,
        **encoding.peers(options.peers),
    }
    ways = {name: timing.each(ask) for name, ask in asked.items()}
    for kind, pages in files(options.data, options.each).items():
        took = timing.quickest(ways, [pages], options.rounds, time.process_time)
        size = sum(map(len, pages)) / len(pages) / 1000
        print(f"\n{len(pages)} files {kind}, {size:.0f} kB on average")
        for name, (seconds,) in took.items():
            ratio = seconds / took["webtongue.detect"][0]
            print(
                f"{name:20} {seconds / len(pages) * 1e6:9.1f} us a file, {ratio:.1f} times as long as webtongue.detect"
            )


if __name__ == "__main__":
    main()
