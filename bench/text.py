"""Text: calls per second at 20 characters, MB/s of long text, load time and memory, beside CLD2 in the same process.

python bench/text.py [--data DIR] [--rounds 5]
"""

from __future__ import annotations

import resource
import subprocess
import sys

import sets
from common import batches, cld2, options_parser
from timing import best_seconds, for_each

from webtongue import Identifier

SHORT_CHARS = 20
LONG_CHARS = 8_000
SHORT_TEXTS = 6000
TEXTS_PER_PART = 100  # texts timed together


def calls(ident: Identifier, texts: list[str], rounds: int) -> None:
    """Print calls per second for short texts."""
    functions = {
        "CLD2 detect": for_each(cld2),
        "classify": for_each(ident.classify),
        "identify_text (a Verdict)": for_each(ident.identify_text),
        "classify_many": ident.classify_many,
    }
    seconds = best_seconds(functions, batches(texts, TEXTS_PER_PART), rounds)
    print(f"{len(texts)} texts of {SHORT_CHARS} characters, one core, best of {rounds}")
    for name, spent in seconds.items():
        print(f"  {name:28} {len(texts) / spent:10,.0f} calls/s  {seconds['CLD2 detect'] / spent:6.2f} x CLD2")


def throughput(ident: Identifier, texts: list[str], rounds: int) -> None:
    """Print MB/s for long texts."""
    size = sum(len(text.encode()) for text in texts) / 1e6
    seconds = best_seconds({"CLD2": cld2, "ours": ident.identify_text}, texts, rounds)
    theirs, ours = seconds["CLD2"], seconds["ours"]
    print(
        f"{len(texts)} long texts, {size:.1f} MB: CLD2 {size / theirs:.1f} MB/s, ours {size / ours:.1f}, {theirs / ours:.2f} x"
    )
    print(f"  a Verdict on {size / len(texts) * 1000:.1f} kB of text takes {ours / len(texts) * 1e6:.0f} µs")


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
    options = options_parser(__doc__, rounds=5).parse_args()
    rows = list(sets.read_rows(options.data, "lingua_sentences"))
    ident = Identifier()
    calls(ident, [row["text"][:SHORT_CHARS] for row in rows[:SHORT_TEXTS]], options.rounds)
    text_by_label: dict[str, str] = {}
    for row in rows:
        text_by_label[row["label"]] = text_by_label.get(row["label"], "") + row["text"] + "\n"
    throughput(ident, [text[:LONG_CHARS] for text in text_by_label.values()], options.rounds)
    load_time()
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
