"""Whole pages: accuracy by set with errors by kind, what sampling costs, and speed against CLD2 by size class, in one process.

    python bench/pages.py [--data DIR] [--rounds 3] [--only accuracy,look_alikes,sampling,speed,calls,threads]

`look_alikes` counts the right pages of labels that have look-alikes, ours and CLD2's. `calls` compares ways of calling on
the same pages, on one thread, calls taking turns: bare `identify`, `identify_batch` with and without url and headers, a full
Verdict as JSON, and CLD2 with the hints that crawlers give it. `threads` compares two threads of one process with two processes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import judge
import pycld2
import sets
from timing import quickest

from webtongue import Identifier, labels, markup
from webtongue.evaluate.pages import is_right
from webtongue.evaluate.peers import answer_label, settle
from webtongue.page import Page

CLASSES = ((0, 2_000), (2_000, 5_000), (5_000, 20_000), (20_000, 50_000), (50_000, 100_000), (100_000, 10**9))
PARTS = ("accuracy", "look_alikes", "sampling", "speed", "calls", "threads")
BATCH = 256  # pages a batch
MOSTLY = 0.85  # share of a text
SERVED = {
    "Server": "nginx", "Date": "Mon, 01 Jan 2024 00:00:00 GMT", "Content-Type": "text/html; charset=utf-8",
    "Connection": "keep-alive", "Vary": "Accept-Encoding", "Cache-Control": "max-age=3600", "ETag": '"5f3c-1a2b"',
    "Content-Language": "en",
}  # fmt: skip


def microseconds(ways: Mapping[str, Callable[[Any], object]], items: list[Any], rounds: int) -> dict[str, list[float]]:
    """CPU time: the machine's other work is not in it."""
    found = quickest(ways, items, rounds, time.process_time)
    return {name: [seconds * 1e6 for seconds in times] for name, times in found.items()}


def cld2(raw: bytes, **hints: str) -> object:
    try:
        return pycld2.detect(raw, isPlainText=False, **hints)
    except pycld2.error:
        return None


def cld2_hinted(raw: bytes) -> object:
    return cld2(raw, hintTopLevelDomain="com", hintLanguageHTTPHeaders="en")


def by_class(pages: list[bytes], columns: dict[str, list[float]], baseline: str) -> None:
    """Mean microseconds a page by size class, and how each compares with the baseline."""
    print(f"{'bytes':>18} {'pages':>6} " + " ".join(f"{name:>24}" for name in columns))
    for low, high in (*CLASSES, (0, 10**9)):
        some = [i for i, page in enumerate(pages) if low <= len(page) < high]
        if not some:
            continue
        means = {name: sum(times[i] for i in some) / len(some) for name, times in columns.items()}
        cells = " ".join(f"{mean:15.1f} ({mean / means[baseline]:5.2f}x)" for mean in means.values())
        print(f"{low:>8}-{'' if high == 10**9 else high:<9} {len(some):6} {cells}")


def speed(ident: Identifier, pages: list[bytes], rounds: int) -> None:
    """Microseconds a page beside CLD2 without and with hints, UTF-8 pages only, segments on."""
    ways = {
        "ours, with segments": lambda raw: ident.identify(raw).segments,
        "CLD2": cld2,
        "CLD2 with hints": cld2_hinted,
    }
    by_class(pages, microseconds(ways, pages, rounds), "ours, with segments")


def calls(ident: Identifier, pages: list[bytes], rounds: int) -> None:
    """Ways of calling on the same pages; a batch's time is spread over its pages by what bare identify takes."""
    single = {
        "identify": ident.identify,
        "identify + headers, url": lambda raw: ident.identify(raw, "https://example.com/a", SERVED),
        "Verdict as JSON": lambda raw: ident.identify(raw).to_json(),
    }
    by_class(pages, microseconds(single, pages, rounds), "identify")
    print()
    ordered = sorted(pages, key=len)
    batches = [ordered[i : i + BATCH] for i in range(0, len(ordered), BATCH)]
    ways: dict[str, Callable[[list[bytes]], object]] = {
        "identify": lambda some: [ident.identify(raw) for raw in some],
        "identify_batch": lambda some: ident.identify_batch({"raw": some}, 1),
        "batch + headers, url": lambda some: ident.identify_batch(
            {"raw": some, "url": ["https://example.com/a"] * len(some), "headers": [SERVED] * len(some)}, 1
        ),
        "CLD2 with hints": lambda some: [cld2_hinted(raw) for raw in some],
    }
    found = list(microseconds(ways, batches, rounds).values())
    print(f"{'bytes, mean':>18} {'pages':>6} " + " ".join(f"{name:>24}" for name in ways))
    groups = [(batch, [times[i] for times in found]) for i, batch in enumerate(batches)]
    for some in (*([group] for group in groups), groups):
        count = sum(len(batch) for batch, _ in some)
        size = sum(len(raw) for batch, _ in some for raw in batch) / count
        means = [sum(times[k] for _, times in some) / count for k in range(len(ways))]
        cells = " ".join(f"{mean:15.1f} ({mean / means[0]:5.2f}x)" for mean in means)
        print(f"{size:18.0f} {count:6} {cells}")


def threads(pages: list[bytes], data: str, rounds: int) -> None:
    """Pages a second of two threads beside two processes that do the same, one after the other in each round."""
    ident = Identifier()
    ident.identify_batch({"raw": pages[:BATCH]}, 2)
    best = {"two threads": 0.0, "two processes": 0.0}
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(2):
            ident.identify_batch({"raw": pages}, 2)
        best["two threads"] = max(best["two threads"], 2 * len(pages) / (time.perf_counter() - start))
        command = [sys.executable, __file__, "--data", data, "--only", "half"]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) for _ in range(2)]
        for process in running:
            assert process.stdout and process.stdout.readline()  # pages are read, the model is loaded
        start = time.perf_counter()
        for process in running:
            assert process.stdin
            process.stdin.write(b"go\n")
            process.stdin.flush()
        for process in running:
            process.wait()
        best["two processes"] = max(best["two processes"], 2 * len(pages) / (time.perf_counter() - start))
    print(", ".join(f"{name} {rate:,.0f} pages/s" for name, rate in best.items()), end="; ")
    print(f"threads reach {best['two threads'] / best['two processes']:.0%}")


def half(ident: Identifier, pages: list[bytes]) -> None:
    """What each of two processes does."""
    ident.identify_batch({"raw": pages[:BATCH]}, 1)
    print("ready", flush=True)
    sys.stdin.readline()
    ident.identify_batch({"raw": pages}, 1)


def accuracy(ident: Identifier, items: list[sets.Item]) -> None:
    """Right labels on trusted pages by set, groups apart and folded; then every kind of error."""
    by_set: dict[str, Counter[str]] = {}
    errors: Counter[tuple[str, str]] = Counter()
    mostly: Counter[tuple[str, str]] = Counter()  # of them, pages that the answer holds nearly all of
    for item in items:
        wanted = judge.wanted(item.row)
        if not wanted:
            continue
        gold = item.row["label"]
        verdict = ident.identify(item.raw)
        got = verdict.label
        count = by_set.setdefault(item.name.split("/")[0], Counter())
        count["pages"] += 1
        right = is_right(got, wanted)
        count["right"] += right
        count["group"] += right or any(judge.folded(got) == judge.folded(name) for name in wanted)
        if not right:
            errors[str(labels.fold(gold)), got] += 1
            mostly[str(labels.fold(gold)), got] += dict(verdict.languages).get(got, 0.0) >= MOSTLY
    total: Counter[str] = Counter()
    for count in by_set.values():
        total.update(count)
    for name, count in (*by_set.items(), ("all", total)):
        right, group = count["right"] / count["pages"], count["group"] / count["pages"]
        print(f"{name:20} {count['pages']:6} pages  {right:.2%}  folded {group:.2%}")
    kinds = Counter(
        {kind: sum(n for pair, n in errors.items() if judge.kind_of(*pair) == kind) for kind in judge.KINDS}
    )
    print("errors by kind:", ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
    english = sum(n for (gold, got), n in mostly.items() if judge.kind_of(gold, got) == "other" and got == "eng_Latn")
    print(f"of the other ones, {english} are pages of which {MOSTLY:.0%} and more read as English, by our own reading")
    print("most frequent:", ", ".join(f"{gold}->{got} {n}" for (gold, got), n in errors.most_common(20)))


def look_alikes(ident: Identifier, items: list[sets.Item]) -> None:
    """Right labels on trusted pages of each label that has look-alikes and that CLD2 knows, ours and CLD2's."""
    known = {str(labels.fold(code)) for _, code in pycld2.LANGUAGES if labels.parse(code)}
    count: dict[str, Counter[str]] = {}
    for item in items:
        gold = str(labels.fold(item.row["label"])) if item.row.get("label") else ""
        if gold not in known or not labels.group(gold) or item.row.get("trusted") is False:
            continue
        of = count.setdefault(gold, Counter())
        found: Any = cld2(item.raw)
        of["pages"] += 1
        of["ours"] += ident.identify(item.raw).label == gold
        of["CLD2"] += found is not None and settle(answer_label(found[2][0][1]), gold) == gold
    for gold, of in sorted(count.items(), key=lambda pair: -pair[1]["pages"]):
        print(f"{gold:10} {of['pages']:4} pages, right: ours {of['ours']:4}, CLD2 {of['CLD2']:4}")


def sampling(ident: Identifier, pages: list[bytes]) -> None:
    """How often the bounded sample says what reading everything says."""
    same = total = 0
    for raw in pages:
        scan = markup.read(Page(raw)).scan
        sampled = ident.stages.flow.read(scan, -1, 0).guesses(1)
        full = ident.reader.read_text(scan.slice(0, scan.visible_size)).guesses(1)
        total += 1
        same += [g[0] for g in sampled] == [g[0] for g in full]
    print(f"the sample's best label is that of the whole text on {same / total:.2%} of {total} pages")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    options = parser.parse_args()
    only = options.only.split(",")
    ident = Identifier()
    items = [item for item in sets.html_pages(options.data) if item.raw]
    utf8 = [item.raw for item in items if is_utf8(item.raw)]
    if "half" in only:
        half(ident, utf8)
    if "accuracy" in only:
        accuracy(ident, items)
    if "look_alikes" in only:
        look_alikes(ident, items)
    if "sampling" in only:
        sampling(ident, utf8)
    if "speed" in only:
        speed(ident, utf8, options.rounds)
    if "calls" in only:
        calls(ident, utf8, options.rounds)
    if "threads" in only:
        threads(utf8, options.data, options.rounds)


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    main()
