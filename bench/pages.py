"""Whole pages: accuracy by set with errors by kind, the cost of sampling, and speed beside CLD2 by size class, in one process.

    python bench/pages.py [--data DIR] [--rounds 3] [--only accuracy,look_alikes,sampling,speed,calls,threads]

`look_alikes` counts the right pages of labels that have look-alikes, for us and for CLD2. `calls` compares calls on the same pages
on one thread, taking turns: `identify`, `identify_batch` with and without URL and headers, a Verdict as JSON, and CLD2
with the hints that crawlers give it. `threads` compares two threads of one process with two processes. All speeds are of pages in
UTF-8. Pages with an escape character are left out: most are in ISO 2022, which is valid UTF-8 by chance.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pycld2
import sets
from common import batches, cld2, is_utf8, options_parser, run_parts
from error_kinds import KINDS, accepted_labels, error_kind, group_or_language
from timing import best_seconds_by_part

from webtongue import Identifier, labels, markup
from webtongue.lab.evaluate.pages import is_right
from webtongue.lab.evaluate.peers import parse_code, resolve_answer
from webtongue.page import Page

SIZE_CLASSES = ((0, 2_000), (2_000, 5_000), (5_000, 20_000), (20_000, 50_000), (50_000, 100_000), (100_000, 10**9))
PARTS = ("accuracy", "look_alikes", "sampling", "speed", "calls", "threads")
PAGES_PER_BATCH = 256
MOST_OF_TEXT = 0.85
ESCAPE = b"\x1b"
URL = "https://example.com/a"
HEADERS = {
    "Server": "nginx", "Date": "Mon, 01 Jan 2024 00:00:00 GMT", "Content-Type": "text/html; charset=utf-8",
    "Connection": "keep-alive", "Vary": "Accept-Encoding", "Cache-Control": "max-age=3600", "ETag": '"5f3c-1a2b"',
    "Content-Language": "en",
}  # fmt: skip


def cpu_microseconds(
    functions: Mapping[str, Callable[[Any], object]], items: list[Any], rounds: int
) -> dict[str, list[float]]:
    """Return CPU microseconds of each function for each item; they do not include other work of the machine."""
    times = best_seconds_by_part(functions, items, rounds, time.process_time)
    return {name: [value * 1e6 for value in seconds] for name, seconds in times.items()}


def cld2_with_hints(raw: bytes) -> Any:
    return cld2(raw, hintTopLevelDomain="com", hintLanguageHTTPHeaders="en")


def format_means(means: list[float], baseline: float) -> str:
    return " ".join(f"{mean:15.1f} ({mean / baseline:5.2f}x)" for mean in means)


def print_by_size(pages: list[bytes], times: dict[str, list[float]], baseline: str) -> None:
    """Print mean microseconds per page by size class, with ratios to the baseline."""
    print(f"{'bytes':>18} {'pages':>6} " + " ".join(f"{name:>24}" for name in times))
    for low, high in (*SIZE_CLASSES, (0, 10**9)):
        indices = [i for i, page in enumerate(pages) if low <= len(page) < high]
        if not indices:
            continue
        means = {name: sum(values[i] for i in indices) / len(indices) for name, values in times.items()}
        cells = format_means(list(means.values()), means[baseline])
        print(f"{low:>8}-{'' if high == 10**9 else high:<9} {len(indices):6} {cells}")


def speed(ident: Identifier, pages: list[bytes], rounds: int) -> None:
    """Print microseconds per page in UTF-8, with segments, beside CLD2 without and with hints."""
    functions: dict[str, Callable[[bytes], object]] = {
        "ours, with segments": lambda raw: ident.identify(raw).segments,
        "CLD2": cld2,
        "CLD2 with hints": cld2_with_hints,
    }
    print_by_size(pages, cpu_microseconds(functions, pages, rounds), "ours, with segments")


def calls(ident: Identifier, pages: list[bytes], rounds: int) -> None:
    """Print the time of different calls on the same pages, page by page and then in batches of pages of like size."""
    single = {
        "identify": ident.identify,
        "identify + headers, url": lambda raw: ident.identify(raw, URL, HEADERS),
        "Verdict as JSON": lambda raw: ident.identify(raw).to_json(),
    }
    print_by_size(pages, cpu_microseconds(single, pages, rounds), "identify")
    print()
    groups = batches(sorted(pages, key=len), PAGES_PER_BATCH)
    functions: dict[str, Callable[[list[bytes]], object]] = {
        "identify": lambda raws: [ident.identify(raw) for raw in raws],
        "identify_batch": lambda raws: ident.identify_batch({"raw": raws}, 1),
        "batch + headers, url": lambda raws: ident.identify_batch(
            {"raw": raws, "url": [URL] * len(raws), "headers": [HEADERS] * len(raws)}, 1
        ),
        "CLD2 with hints": lambda raws: [cld2_with_hints(raw) for raw in raws],
    }
    times = list(cpu_microseconds(functions, groups, rounds).values())
    print(f"{'bytes, mean':>18} {'pages':>6} " + " ".join(f"{name:>24}" for name in functions))
    for indices in (*([i] for i in range(len(groups))), range(len(groups))):
        count = sum(len(groups[i]) for i in indices)
        size = sum(len(raw) for i in indices for raw in groups[i]) / count
        means = [sum(values[i] for i in indices) / count for values in times]
        print(f"{size:18.0f} {count:6} {format_means(means, means[0])}")


def threads(pages: list[bytes], data: str, rounds: int) -> None:
    """Print pages per second of two threads and of two processes, one after the other in each round."""
    ident = Identifier()
    ident.identify_batch({"raw": pages[:PAGES_PER_BATCH]}, 2)
    best_rate = {"two threads": 0.0, "two processes": 0.0}

    def record(name: str, start: float) -> None:
        best_rate[name] = max(best_rate[name], 2 * len(pages) / (time.perf_counter() - start))

    command = [sys.executable, __file__, "--data", data, "--only", "one_process"]
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(2):
            ident.identify_batch({"raw": pages}, 2)
        record("two threads", start)
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) for _ in range(2)]
        for process in processes:
            assert process.stdout and process.stdout.readline()  # the pages are read and the model is loaded
        start = time.perf_counter()
        for process in processes:
            assert process.stdin
            process.stdin.write(b"go\n")
            process.stdin.flush()
        for process in processes:
            process.wait()
        record("two processes", start)
    print(", ".join(f"{name} {rate:,.0f} pages/s" for name, rate in best_rate.items()), end="; ")
    print(f"threads reach {best_rate['two threads'] / best_rate['two processes']:.0%}")


def one_process(ident: Identifier, pages: list[bytes]) -> None:
    """Do the work of one of the two processes of `threads`."""
    ident.identify_batch({"raw": pages[:PAGES_PER_BATCH]}, 1)
    print("ready", flush=True)
    sys.stdin.readline()
    ident.identify_batch({"raw": pages}, 1)


def accuracy(ident: Identifier, items: list[sets.Item]) -> None:
    """Print the share of trusted pages with the right label by set, with look-alikes apart and folded, and errors by kind."""
    counts_by_set: dict[str, Counter[str]] = {}
    errors: Counter[tuple[str, str]] = Counter()
    errors_with_most_text: Counter[tuple[str, str]] = Counter()  # the answered language has most of the text
    for item in items:
        accepted = accepted_labels(item.row)
        if not accepted:
            continue
        gold = str(labels.fold(item.row["label"]))
        verdict = ident.identify(item.raw)
        counts = counts_by_set.setdefault(item.set, Counter())
        counts["pages"] += 1
        right = is_right(verdict.label, accepted)
        counts["right"] += right
        answered_group = group_or_language(verdict.label)
        counts["group"] += right or any(answered_group == group_or_language(label) for label in accepted)
        if not right:
            errors[gold, verdict.label] += 1
            share = dict(verdict.languages).get(verdict.label, 0.0)
            errors_with_most_text[gold, verdict.label] += share >= MOST_OF_TEXT
    total = sum(counts_by_set.values(), Counter())
    for name, counts in (*counts_by_set.items(), ("all", total)):
        right_share, group_share = counts["right"] / counts["pages"], counts["group"] / counts["pages"]
        print(f"{name:20} {counts['pages']:6} pages  {right_share:.2%}  folded {group_share:.2%}")
    kinds = Counter(dict.fromkeys(KINDS, 0))
    for (gold, answer), n in errors.items():
        kinds[error_kind(gold, answer)] += n
    print("errors by kind:", ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
    english = sum(
        n
        for (gold, answer), n in errors_with_most_text.items()
        if answer == "eng_Latn" and error_kind(gold, answer) == "other"
    )
    print(
        f"of the other ones, {english} are pages of which {MOST_OF_TEXT:.0%} and more read as English, by our own reading"
    )
    print("most frequent:", ", ".join(f"{gold}->{answer} {n}" for (gold, answer), n in errors.most_common(20)))


def look_alikes(ident: Identifier, items: list[sets.Item]) -> None:
    """Print right answers of ours and of CLD2 on trusted pages of labels that have look-alikes and that CLD2 knows."""
    known = {str(labels.fold(code)) for _, code in pycld2.LANGUAGES if labels.parse(code)}
    counts_by_label: dict[str, Counter[str]] = {}
    for item in items:
        gold = str(labels.fold(item.row["label"])) if item.row.get("label") else ""
        if gold not in known or not labels.group(gold) or item.row.get("trusted") is False:
            continue
        counts = counts_by_label.setdefault(gold, Counter())
        answer = cld2(item.raw)
        counts["pages"] += 1
        counts["ours"] += ident.identify(item.raw).label == gold
        counts["CLD2"] += answer is not None and resolve_answer(parse_code(answer[2][0][1]), gold) == gold
    for gold, counts in sorted(counts_by_label.items(), key=lambda pair: -pair[1]["pages"]):
        print(f"{gold:10} {counts['pages']:4} pages, right: ours {counts['ours']:4}, CLD2 {counts['CLD2']:4}")


def sampling(ident: Identifier, pages: list[bytes]) -> None:
    """Print how often the bounded sample has the same best label as the whole text."""
    same = 0
    for raw in pages:
        scan = markup.read(Page(raw)).scan
        sampled = ident.models.flow.read(scan, -1, 0, []).guesses(1)
        full = ident.reader.read_text(scan.slice(0, scan.visible_size)).guesses(1)
        same += [guess[0] for guess in sampled] == [guess[0] for guess in full]
    print(f"the sample's best label is that of the whole text on {same / len(pages):.2%} of {len(pages)} pages")


def main() -> None:
    options = options_parser(__doc__, rounds=3, parts=PARTS).parse_args()
    ident = Identifier()
    items = [item for item in sets.html_pages(options.data) if item.raw]
    utf8 = [item.raw for item in items if is_utf8(item.raw) and ESCAPE not in item.raw]
    parts: dict[str, Callable[[], object]] = {
        "accuracy": lambda: accuracy(ident, items),
        "look_alikes": lambda: look_alikes(ident, items),
        "sampling": lambda: sampling(ident, utf8),
        "speed": lambda: speed(ident, utf8, options.rounds),
        "calls": lambda: calls(ident, utf8, options.rounds),
        "threads": lambda: threads(utf8, str(options.data), options.rounds),
        "one_process": lambda: one_process(ident, utf8),
    }
    run_parts(parts, options.only)


if __name__ == "__main__":
    main()
