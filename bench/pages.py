"""Whole pages: accuracy, what sampling costs, and speed against CLD2's HTML mode by size class, in one process.

python bench/pages.py [--data DIR] [--rounds 3]
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pycld2
import sets

from webtongue import Identifier, labels, markup
from webtongue.markup import noise
from webtongue.page import Page

CLASSES = ((0, 2_000), (2_000, 5_000), (5_000, 20_000), (20_000, 50_000), (50_000, 100_000), (100_000, 10**9))


def microseconds(calls: list[Callable[[bytes], object]], pages: list[bytes], rounds: int) -> list[list[float]]:
    """The quickest of some rounds for each call and page; calls take turns, so that a busy machine slows all alike."""
    best = [[float("inf")] * len(pages) for _ in calls]
    for _ in range(rounds):
        for call, quickest in zip(calls, best, strict=True):
            for i, page in enumerate(pages):
                start = time.perf_counter()
                call(page)
                quickest[i] = min(quickest[i], (time.perf_counter() - start) * 1e6)
    return best


def cld2(raw: bytes) -> object:
    try:
        return pycld2.detect(raw, isPlainText=False)
    except pycld2.error:
        return None


def speed(ident: Identifier, pages: list[bytes], rounds: int) -> None:
    """Microseconds a page of both, UTF-8 pages only, segments on."""
    print(f"{'bytes':>20} {'pages':>6} {'CLD2 µs':>9} {'ours µs':>9} {'ratio':>6}")
    theirs, ours = microseconds([cld2, lambda raw: ident.identify(raw).segments], pages, rounds)
    for low, high in (*CLASSES, (0, 10**9)):
        some = [i for i, page in enumerate(pages) if low <= len(page) < high]
        if some:
            them, us = (sum(times[i] for i in some) / len(some) for times in (theirs, ours))
            print(f"{low:>9}-{high:<10} {len(some):6} {them:9.1f} {us:9.1f} {them / us:6.2f}")


def accuracy(ident: Identifier, items: list[sets.Item]) -> None:
    """Right labels on trusted pages, groups apart and folded, by set; and the most frequent errors."""
    by_set: dict[str, Counter[str]] = {}
    errors: Counter[tuple[str, str]] = Counter()
    for item in items:
        gold = item.row.get("label")
        if not gold or item.row.get("trusted") is False:
            continue
        gold = str(labels.fold(gold))
        got = ident.identify(item.raw).label
        count = by_set.setdefault(item.name.split("/")[0], Counter())
        count["pages"] += 1
        count["right"] += got == gold
        count["group"] += got == gold or (labels.group(gold) or gold) == (
            (labels.group(got) or got.split("_")[0]) if "_" in got else got
        )
        if got != gold:
            errors[gold, got] += 1
    for name, count in by_set.items():
        right, folded = count["right"] / count["pages"], count["group"] / count["pages"]
        print(f"{name:20} {count['pages']:6} pages  {right:.2%}  folded {folded:.2%}")
    print("most frequent errors:", ", ".join(f"{gold}->{got} {n}" for (gold, got), n in errors.most_common(12)))


def sampling(ident: Identifier, pages: list[bytes]) -> None:
    """How often the bounded sample says what reading everything says."""
    same = total = 0
    for raw in pages:
        scanned = markup.read(Page(raw))
        noise.mark(scanned.scan)
        sampled = ident.reader.read_page(scanned.scan).guesses(1)
        full = ident.reader.read_text(scanned.scan.slice(0, scanned.scan.visible_size)).guesses(1)
        total += 1
        same += [g[0] for g in sampled] == [g[0] for g in full]
    print(f"the sample's best label is that of the whole text on {same / total:.2%} of {total} pages")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ident = Identifier()
    items = [item for item in sets.html_pages(options.data) if item.raw]
    utf8 = [item.raw for item in items if is_utf8(item.raw)]
    accuracy(ident, items)
    sampling(ident, utf8)
    speed(ident, utf8, options.rounds)


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    main()
