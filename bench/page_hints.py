"""The cost of evidence beside the text: `identify` with each hint alone and with all of them, single rows and batches, beside CLD2.

    python bench/page_hints.py [--data DIR] [--rounds 4] [--every 1]

Every page has its own URL, headers, IP address, links and counts of its host, as in a crawl. All calls take turns on the same pages
in one process and on one thread; the fastest round of each page counts. Pages are UTF-8 without ISO 2022 escapes. `--every 4`
measures every fourth page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sets
from common import batches, cld2, is_utf8, options_parser
from timing import best_seconds_by_part

from webtongue import Identifier, Inlink, Page, labels

ESCAPE = b"\x1b"
SMALL_BYTES = 5_000
PAGES_PER_BATCH = 64
BASELINE, PEER = "identify", "CLD2 with hints"
HINTS = ("url", "headers", "ip", "country", "inlinks", "host")
COLUMNS = ("raw", "url", "headers")


@dataclass(frozen=True, slots=True)
class Case:
    """A page with all hints, as arguments of ``identify``."""

    raw: bytes
    hints: Mapping[str, Any]

    def select(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return some of the hints."""
        return {name: self.hints[name] for name in names}


def cases(data: str, step: int) -> Iterator[Case]:
    """Yield every page of dev/html in UTF-8 with hints of its own."""
    for number, item in enumerate(sets.html_pages(data)):
        if number % step or not item.raw or ESCAPE in item.raw or not is_utf8(item.raw):
            continue
        tag = labels.bcp47(str(labels.fold(item.row["label"]))) if item.row.get("label") else "en"
        url = item.row.get("url") or f"https://www.site{number}.example/{item.name}"
        headers = {
            "Server": "nginx", "Date": f"Mon, 01 Jan 2024 {number % 24:02}:{number % 60:02}:00 GMT",
            "Content-Type": "text/html; charset=utf-8", "Connection": "keep-alive", "Vary": "Accept-Encoding",
            "Cache-Control": "max-age=3600", "ETag": f'"{number:x}-1a2b"', "Content-Language": tag,
        }  # fmt: skip
        links = [
            Inlink(f"https://blog{number}.example.org/{number}", tag, 0.9),
            Inlink(f"https://news{number}.example.net/", "en", 0.8, anchor="read more"),
        ]
        counts = {tag: 3.0 + number % 40, "eng": 1.0 + number % 7}
        ip = f"{31 + number % 60}.{number % 251}.{number % 249}.7"
        hints = {"url": url, "headers": headers, "ip": ip, "country": "DE", "inlinks": links, "host": counts}
        yield Case(item.raw, hints)


def cld2_with_hints(case: Case) -> object:
    """Call CLD2 with the top-level domain and the Content-Language, the hints that crawlers give it."""
    tld = case.hints["url"].partition("://")[2].partition("/")[0].rpartition(".")[2]
    return cld2(case.raw, hintTopLevelDomain=tld, hintLanguageHTTPHeaders=case.hints["headers"]["Content-Language"])


def single_calls(ident: Identifier) -> dict[str, Callable[[Case], object]]:
    """Return the calls with one page."""

    def identify_with(*names: str) -> Callable[[Case], object]:
        return lambda case: ident.identify(case.raw, **case.select(names))

    def page_of(case: Case) -> Page:
        return Page(case.raw, **case.select(("url", "headers")))

    def batch_of_one(case: Case) -> object:
        columns = {"raw": [case.raw]} | {name: [value] for name, value in case.select(("url", "headers")).items()}
        return ident.identify_batch(columns, 1)

    with_url = "url and headers"
    return {
        PEER: cld2_with_hints,
        BASELINE: identify_with(),
        **{name: identify_with(name) for name in HINTS},
        with_url: identify_with("url", "headers"),
        "all hints": identify_with(*HINTS),
        "row, url and headers": lambda case: ident.analyze(page_of(case)).to_row(),
        "batch of one, the same": batch_of_one,
    }


def batch_calls(ident: Identifier) -> dict[str, Callable[[list[Case]], object]]:
    """Return the calls with many pages."""

    def batch_with(*names: str) -> Callable[[list[Case]], object]:
        return lambda group: ident.identify_batch(
            {"raw": [case.raw for case in group]} | {name: [case.hints[name] for case in group] for name in names}, 1
        )

    return {
        PEER: lambda group: [cld2_with_hints(case) for case in group],
        BASELINE: lambda group: [ident.identify(case.raw) for case in group],
        "batch": batch_with(),
        "batch, url and headers": batch_with("url", "headers"),
        "batch, all hints": batch_with(*HINTS),
    }


def print_costs(times: Mapping[str, list[float]], counts: list[int], sizes: list[int]) -> None:
    """Print microseconds per page, the cost above ``identify`` without hints and the speed in that of CLD2, by size of page."""
    classes = {"below 2 kB": range(2_000), "below 5 kB": range(SMALL_BYTES), "all": range(1 << 40)}
    print(f"{'':24}" + "".join(f"{name:>30}" for name in classes))
    means = {}
    for name in classes:
        chosen = [i for i, size in enumerate(sizes) if size in classes[name]]
        pages = sum(counts[i] for i in chosen)
        means[name] = {call: sum(values[i] for i in chosen) * 1e6 / max(1, pages) for call, values in times.items()}
    for call in times:
        cells = [
            f"{row[call]:10.1f} us {row[call] / row[BASELINE] - 1:+7.1%} {row[PEER] / row[call]:6.2f}x"
            for row in means.values()
        ]
        print(f"{call:24}" + "".join(f"{cell:>30}" for cell in cells))


def main() -> None:
    parser = options_parser(__doc__, rounds=4)
    parser.add_argument("--every", type=int, default=1, help="measure every n-th page (default 1)")
    options = parser.parse_args()
    ident = Identifier()
    pages = sorted(cases(options.data, options.every), key=lambda case: len(case.raw))
    ident.identify(pages[0].raw, **pages[0].hints)
    times = best_seconds_by_part(single_calls(ident), pages, options.rounds, time.thread_time)
    print_costs(times, [1] * len(pages), [len(case.raw) for case in pages])
    print(f"\nbatches of {PAGES_PER_BATCH} pages of like size")
    groups = batches(pages, PAGES_PER_BATCH)
    times = best_seconds_by_part(batch_calls(ident), groups, options.rounds, time.thread_time)
    sizes = [sum(len(case.raw) for case in group) // len(group) for group in groups]
    print_costs(times, list(map(len, groups)), sizes)


if __name__ == "__main__":
    main()
