"""A long run of one process: resident memory over a million pages, and the answers of eight threads against those of one.

    python bench/soak.py [--pages 1000000] [--thread-pages 10000] [--only memory,threads]

Pages are made from those in examples/pages: cut, joined and with a number in their text, so that no two are equal, with URLs and
headers. Memory is measured after the first tenth of the pages, when all models and buffers are in use, and at the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from common import ROOT, bar_result, options_parser, resident_mb, run_parts

from webtongue import Identifier

THREADS = 8
MAX_GROWTH_MB = 5.0
MAX_PART_BYTES = 3_000
PARTS = ("memory", "threads")


def make_pages(count: int, seed: int) -> Iterator[tuple[bytes, str, dict[str, str]]]:
    """Yield pages with their URL and headers, the same ones for the same seed."""
    examples = [
        path.read_bytes() for path in sorted((ROOT / "examples" / "pages").glob("*.*")) if path.suffix != ".jsonl"
    ]
    rng = random.Random(seed)
    for i in range(count):
        first, second = rng.choice(examples), rng.choice(examples)
        start = rng.randrange(max(1, len(second) - MAX_PART_BYTES))
        raw = b"<title>%d</title>" % i + first[: rng.randrange(1, MAX_PART_BYTES)]
        if rng.random() < 0.2:
            raw += second[start : start + rng.randrange(MAX_PART_BYTES)]
        yield (
            raw,
            f"https://example{i % 97}.org/{rng.choice(('de', 'en', 'a', 'news'))}/{i}",
            {"Content-Type": "text/html"},
        )


def report_memory(ident: Identifier, count: int) -> None:
    """Print the growth of resident memory over the pages after the first tenth."""
    before = 0.0
    for i, (raw, url, headers) in enumerate(make_pages(count, seed=1)):
        if i == count // 10:
            before = resident_mb()
        verdict = ident.identify(raw, url, headers)
        if i % 10 == 0:
            _ = verdict.segments, verdict.evidence, verdict.guesses
    growth = resident_mb() - before
    print(f"{count:,} pages: {before:.1f} MB resident after a tenth of them, {growth:+.1f} MB at the end", end=" ")
    print(bar_result(growth < MAX_GROWTH_MB))


def report_threads(ident: Identifier, count: int) -> None:
    """Print how many answers of eight threads, each reading all pages, differ from those of one."""
    pages = list(make_pages(count, seed=2))

    def identify_all(offset: int) -> list[str]:
        order = [(i + offset) % count for i in range(count)]
        answers = {i: ident.identify(*pages[i]).to_json() for i in order}
        return [answers[i] for i in range(count)]

    expected = identify_all(0)
    with ThreadPoolExecutor(THREADS) as pool:
        offsets = [thread * count // THREADS for thread in range(THREADS)]
        results = list(pool.map(identify_all, offsets))
    differing = sum(a != b for answers in results for a, b in zip(answers, expected, strict=True))
    print(
        f"{THREADS} threads, {count:,} pages each: {differing} answers differ from one thread",
        bar_result(not differing),
    )


def main() -> None:
    parser = options_parser(__doc__, has_data=False, parts=PARTS)
    parser.add_argument("--pages", type=int, default=1_000_000, help="pages of the memory part")
    parser.add_argument("--thread-pages", type=int, default=10_000, help="pages that each thread reads")
    options = parser.parse_args()
    ident = Identifier()
    run_parts(
        {
            "memory": lambda: report_memory(ident, options.pages),
            "threads": lambda: report_threads(ident, options.thread_pages),
        },
        options.only,
    )


if __name__ == "__main__":
    main()
