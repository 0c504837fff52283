"""Text: calls a second at 20 characters, MB/s of long text, loading, memory, against CLD2 in one process.

python bench/text.py [--data DIR] [--rounds 5]
"""

from __future__ import annotations

import json
import lzma
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pycld2
import sets
import timing

from webtongue import Identifier

Way = Callable[[list[str]], object]
SHORT = 20
LONG = 8_000


def whole(ways: dict[str, Way], texts: list[str], rounds: int, together: int) -> dict[str, float]:
    """Seconds of each way for all texts, timed a few texts at a time."""
    parts = [texts[i : i + together] for i in range(0, len(texts), together)]
    return {name: sum(seconds) for name, seconds in timing.quickest(ways, parts, rounds).items()}


def cld2(text: str) -> None:
    with suppress(pycld2.error):
        pycld2.detect(text)


def calls(ident: Identifier, texts: list[str], rounds: int) -> None:
    ways = {
        "CLD2 detect": timing.each(cld2),
        "classify": timing.each(ident.classify),
        "identify_text (a Verdict)": timing.each(ident.identify_text),
        "classify_many": ident.classify_many,
    }
    seconds = whole(ways, texts, rounds, 100)
    print(f"{len(texts)} texts of {SHORT} characters, one core, best of {rounds}")
    for name, spent in seconds.items():
        print(f"  {name:28} {len(texts) / spent:10,.0f} calls/s  {seconds['CLD2 detect'] / spent:6.2f} x CLD2")


def throughput(ident: Identifier, texts: list[str], rounds: int) -> None:
    size = sum(len(text.encode()) for text in texts) / 1e6
    theirs, ours = whole(
        {"CLD2": timing.each(cld2), "ours": timing.each(ident.identify_text)}, texts, rounds, 1
    ).values()
    print(
        f"{len(texts)} long texts, {size:.1f} MB: CLD2 {size / theirs:.1f} MB/s, ours {size / ours:.1f}, {theirs / ours:.2f} x"
    )
    print(f"  a Verdict on {size / len(texts) * 1000:.1f} kB of text takes {ours / len(texts) * 1e6:.0f} µs")


def loading() -> None:
    code = (
        "import time, webtongue; t = time.perf_counter(); webtongue.Identifier(); print(time.perf_counter() - t);"
        "page = b'<p>The library opens at nine in the morning. ' * 200;"
        "[webtongue.identify(page + str(n).encode()) for n in range(1000)];"
        "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    quickest = min(float(run[0]) for run in runs) * 1000
    print(f"model loaded in {quickest:.1f} ms; {int(runs[0][1]) / 1024:.0f} MB resident after 1,000 pages")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    path = sets.need(Path(options.data) / "dev" / "text") / "lingua_sentences.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        sentences = [json.loads(line) for line in file]
    ident = Identifier()
    calls(ident, [row["text"][:SHORT] for row in sentences[:6000]], options.rounds)
    by_label: dict[str, str] = {}
    for row in sentences:
        by_label[row["label"]] = by_label.get(row["label"], "") + row["text"] + "\n"
    throughput(ident, [text[:LONG] for text in by_label.values()], options.rounds)
    loading()
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
