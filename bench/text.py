"""Text: speed by length, threads, load time and memory, beside CLD2 in the same process.

    python bench/text.py [--data DIR] [--rounds 4] [--only lengths,powers,threads,memory]

lengths: `classify` and `identify_text` against CLD2 at the lengths of texts on the web. powers: microseconds for every power of two
from 16 characters to 16 MB. threads: `classify_many` and `identify_texts` on two threads against one, wall time. memory: load time
and resident memory. CPU time of one thread, best of interleaved rounds; ratios of one run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import sets
from common import cld2, options_parser, run_parts
from timing import best_call_seconds, best_seconds

from webtongue import Identifier

PARTS = ("lengths", "powers", "threads", "memory")
LENGTHS = (20, 80, 160, 320, 590, 1_200, 5_000, 20_000)
TEXTS_PER_LABEL = 3  # of each length
POWERS = range(4, 25)
MAX_POWER_CHARS = 1 << 24  # characters of all texts of one length; fewer languages are read at great lengths
THREAD_TEXTS, THREAD_CHARS = 20_000, 160


def long_texts(data: Path) -> list[str]:
    """Return the sentences of each language as one text."""
    return [" ".join(texts) for texts in sets.sentences_by_label(data, "lingua_sentences").values()]


def report_lengths(ident: Identifier, data: Path, rounds: int) -> None:
    """Print the speed for texts of several lengths, relative to CLD2."""
    functions: dict[str, Callable[[str], object]] = {
        "CLD2": cld2,
        "classify": ident.classify,
        "identify_text": ident.identify_text,
    }
    texts = long_texts(data)
    print(f"{'characters':>10} {'CLD2, µs':>10} {'classify':>16} {'identify_text':>16}   (times as fast as CLD2)")
    for length in LENGTHS:
        parts = [text[i * length : (i + 1) * length] for text in texts for i in range(TEXTS_PER_LABEL)]
        parts = [part for part in parts if len(part) == length]
        seconds = best_seconds(functions, parts, rounds, time.thread_time)
        micros = {name: 1e6 * spent / len(parts) for name, spent in seconds.items()}
        cells = [
            f"{micros[name]:8.1f} ({micros['CLD2'] / micros[name]:4.2f})" for name in ("classify", "identify_text")
        ]
        print(f"{length:10,} {micros['CLD2']:10.1f} " + " ".join(f"{cell:>16}" for cell in cells), flush=True)


def report_powers(ident: Identifier, data: Path, rounds: int) -> None:
    """Print the mean cost of every power of two, over texts of several languages; repeated if they are shorter."""
    texts = long_texts(data)
    functions: dict[str, Callable[[str], object]] = {"classify": ident.classify, "identify_text": ident.identify_text}
    print(f"{'characters':>12} {'texts':>5} {'classify, µs':>14} {'identify_text, µs':>18}")
    for power in POWERS:
        length = 2**power
        step = max(1, len(texts) * length // MAX_POWER_CHARS)
        parts = [(text * (1 + length // len(text)))[:length] for text in texts[::step]]
        seconds = best_seconds(functions, parts, rounds, time.thread_time)
        cells = " ".join(f"{1e6 * spent / len(parts):14.1f}" for spent in seconds.values())
        print(f"{length:12,} {len(parts):5} {cells}", flush=True)


def report_threads(ident: Identifier, data: Path, rounds: int) -> None:
    """Print how much faster two threads are than one, in wall time."""
    text = " ".join(long_texts(data))
    starts = range(0, THREAD_TEXTS * THREAD_CHARS, THREAD_CHARS)
    texts = [text[start % len(text) :][:THREAD_CHARS] for start in starts]
    for name, function in {"classify_many": ident.classify_many, "identify_texts": ident.identify_texts}.items():
        one, two = (best_call_seconds(partial(function, texts, threads=threads), rounds) for threads in (1, 2))
        print(f"{name}: {len(texts):,} texts of {THREAD_CHARS} characters, two threads {one / two:.2f} times one")


def load_time() -> None:
    """Print how long the model takes to load and how much memory 1,000 pages take, in new processes."""
    code = (
        "import time, webtongue; t = time.perf_counter(); webtongue.Identifier(); print(time.perf_counter() - t);"
        "page = b'<p>The library opens at nine in the morning. ' * 200;"
        "[webtongue.identify(page + str(n).encode()) for n in range(1000)];"
        "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    milliseconds = min(float(run[0]) for run in runs) * 1000
    print(f"model loaded in {milliseconds:.1f} ms; {int(runs[0][1]) / 1024:.0f} MB resident after 1,000 pages")


def main() -> None:
    options = options_parser(__doc__, rounds=4, parts=PARTS).parse_args()
    data, ident = sets.require_folder(options.data), Identifier()
    parts: dict[str, Callable[[], None]] = {
        "lengths": partial(report_lengths, ident, data, options.rounds),
        "powers": partial(report_powers, ident, data, options.rounds),
        "threads": partial(report_threads, ident, data, options.rounds),
        "memory": load_time,
    }
    run_parts(parts, options.only)
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
