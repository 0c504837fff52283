"""What each check of a text costs, and how many answers it changes for better or worse.

    python bench/checks.py [--data DIR] [--rounds 3] [--pages 1000]

The kernel is timed with all checks and without one of them, in turns on the same pages. The right answers are counted over all
pages of dev/html and the texts of dev/web with one label. "fixed" are right only with the check, "broken" only without it; "other"
are answers that differ in the label and are wrong both times.
"""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import sets
from common import is_utf8, options_parser
from error_kinds import accepted_labels
from timing import best_seconds

from webtongue import Identifier, _kernel, labels

ALL = ""  # no check is switched off
Case = tuple[frozenset[str], bytes | str]


def read_pages(data: Path) -> list[Case]:
    """Return the labeled pages of dev/html with their accepted labels."""
    return [(accepted, item.raw) for item in sets.html_pages(data) if (accepted := accepted_labels(item.row))]


def read_texts(data: Path) -> Iterator[Case]:
    """Yield the texts of dev/web that have one label."""
    for path in sorted((data / "dev" / "web").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if isinstance(row.get("label"), str) and row.get("text"):
                    yield frozenset({str(labels.fold(row["label"]))}), row["text"]


def answer(ident: Identifier, item: bytes | str) -> str:
    """Return the label of a page or text."""
    return (ident.identify_text(item) if isinstance(item, str) else ident.identify(item)).label


def answers_without(ident: Identifier, check: str, cases: list[Case]) -> list[str]:
    """Return the label of every case with one check switched off."""
    _kernel.disable_check(check)
    try:
        return [answer(ident, item) for _, item in cases]
    finally:
        _kernel.disable_check(ALL)


def measure_costs(ident: Identifier, pages: list[bytes], rounds: int) -> dict[str, float]:
    """Return the share of the time that each check takes, from runs that take turns."""

    def identify_all(check: str, _: None) -> None:
        _kernel.disable_check(check)
        for page in pages:
            ident.identify(page)

    functions: dict[str, Callable[[None], object]] = {
        check: partial(identify_all, check) for check in (ALL, *_kernel.check_names())
    }
    seconds = best_seconds(functions, [None], rounds, time.thread_time)
    _kernel.disable_check(ALL)
    return {check: 1 - spent / seconds[ALL] for check, spent in seconds.items() if check != ALL}


def main() -> None:
    parser = options_parser(__doc__, rounds=3)
    parser.add_argument("--pages", type=int, default=1000, help="pages in UTF-8 that are timed (default 1000)")
    options = parser.parse_args()
    data, ident = sets.require_folder(options.data), Identifier()
    pages, texts = read_pages(data), list(read_texts(data))
    utf8 = [raw for _, raw in pages if isinstance(raw, bytes) and is_utf8(raw)]
    costs = measure_costs(ident, utf8[:: max(1, len(utf8) // options.pages)], options.rounds)
    base = {"pages": answers_without(ident, ALL, pages), "texts": answers_without(ident, ALL, texts)}
    print(f"{len(pages):,} pages and {len(texts):,} texts; fixed / broken / other by each check")
    print(f"{'check':18} {'time':>7} {'pages':>16} {'texts':>16}")
    for check, cost in costs.items():
        cells = []
        for name, cases in (("pages", pages), ("texts", texts)):
            pairs = zip(cases, base[name], answers_without(ident, check, cases), strict=True)
            changed = [
                (with_it in accepted, without in accepted)
                for (accepted, _), with_it, without in pairs
                if with_it != without
            ]
            fixed, broken = changed.count((True, False)), changed.count((False, True))
            cells.append(f"{fixed} / {broken} / {len(changed) - fixed - broken}")
        print(f"{check:18} {cost:7.1%} {cells[0]:>16} {cells[1]:>16}", flush=True)


if __name__ == "__main__":
    main()
