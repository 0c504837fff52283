"""All evidence together, beside text alone and CLD2 with hints: the figures of docs/generated/figures-evidence.md.

    python bench/evidence.py [--data DIR] [--folds DIR] [--only pages,cut,alike,calibration,garbage,encoding,cost] [--limit N]

`pages`: dev/html by set and size. `cut`: the same pages cut to title and first characters, declarations and address kept; where
what is left is clearly in another language, that is its label.
`alike`: generated pages of look-alikes. False hints have a benchmark of their own, bench/lies.py.
`calibration`: expected calibration error. `garbage`: nonsense in every hint. `encoding`: what an encoding adds once the text
is read. `cost`: what hints add to a page's time.
`--folds DIR` takes weights that are each fitted without a fifth of the sites (`tools/weights/fit_evidence.py --folds DIR`), so that
every answer is out of fold.
`--limit N` takes every page whose number divides by N.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any

import evidence_alike
import garbage
from common import options_parser
from evidence_cases import BATCH, CLD2, FUSED, TEXT, Idents, Pages, Told, ask, ask_cld2, cases, ece, share
from timing import best_seconds

from webtongue import Identifier, Verdict
from webtongue.evidence.registry import names
from webtongue.lab.evaluate.pages import CUT_CHARS, LabelledPage, cut_page, relabel_clear_text
from webtongue.page import Inlink

SIZES = ((0, 2_000), (2_000, 5_000), (5_000, 20_000), (20_000, 50_000), (50_000, 100_000), (100_000, 10**9))
PARTS = ("pages", "cut", "alike", "calibration", "garbage", "encoding", "cost")
SEED = 1
GARBAGE = 5000
ALIKE = 500  # pages a label


@dataclass
class Bench:
    """What the parts share: pages, identifiers, and answers that several parts need."""

    data: str
    idents: Idents
    limit: int

    @cached_property
    def cases(self) -> list[LabelledPage]:
        return cases(self.data)[:: self.limit]

    @cached_property
    def cut(self) -> dict[str, list[LabelledPage]]:
        """Cut pages by kind of cut."""
        ident = Identifier(evidence=())
        return {
            how: [relabel_clear_text(item, ident) for case in self.cases if (item := cut_page(case, how, ident.reader))]
            for how in CUT_CHARS
        }

    def told(self, some: Pages) -> dict[str, list[Told]]:
        """Text alone, fused, and CLD2."""
        return {TEXT: ask(some, self.idents, ()), FUSED: ask(some, self.idents, None), CLD2: ask_cld2(some)}


def row(name: str, told: Mapping[str, Sequence[Told]]) -> str:
    """Shares right, and errors: wrong by text and mended, right by text and broken."""
    text, fused = told[TEXT], told[FUSED]
    mended = sum(b.right and not a.right for a, b in zip(text, fused, strict=True))
    broken = sum(a.right and not b.right for a, b in zip(text, fused, strict=True))
    cells = " ".join(f"{share(some).value:8.2%}" for some in told.values())
    mark = "  <" if share(fused).right < share(text).right else ""
    return f"{name:24} {len(text):6} {cells} {mended:7} {broken:7}{mark}"


HEAD = f"{'':24} {'pages':>6} {'text':>8} {'fused':>8} {'CLD2':>8} {'mended':>7} {'broken':>7}"


def pages(bench: Bench) -> None:
    """Right labels by set and by size; ``<`` marks where evidence makes it worse."""
    told = bench.told(bench.cases)
    print(HEAD)
    groups: dict[str, list[int]] = {}
    for i, case in enumerate(bench.cases):
        groups.setdefault(case.set, []).append(i)
    for low, high in SIZES:
        name = f"{low:,}-{high:,} bytes" if high < 10**9 else f"{low:,} bytes and more"
        groups[name] = [i for i, case in enumerate(bench.cases) if low <= len(case.page.raw) < high]
    groups["all"] = list(range(len(bench.cases)))
    for name, places in groups.items():
        if places:
            print(row(name, {way: [some[i] for i in places] for way, some in told.items()}))
    for case, before, after in zip(bench.cases, told[TEXT], told[FUSED], strict=True):
        if before.right and not after.right:
            print(
                f"  broken: {f'{case.set}/{case.name}'[-50:]:50} {before.label} -> {after.label} {after.confidence:.2f}"
            )


def cut(bench: Bench) -> None:
    """Errors on cut pages; the bar is half of those of text alone."""
    print(HEAD)
    for name, some in bench.cut.items():
        told = bench.told(some)
        print(row(name, told))
        wrong = {way: sum(not one.right for one in answers) for way, answers in told.items()}
        hinted = [i for i, case in enumerate(some) if says_something(case)]
        print(
            row("    that declare or have a URL", {way: [answers[i] for i in hinted] for way, answers in told.items()})
        )
        print(f"    errors: fused {wrong[FUSED]} of text's {wrong[TEXT]}: {wrong[FUSED] / max(1, wrong[TEXT]):.2f}")


def says_something(case: LabelledPage) -> bool:
    """Whether a cut page has anything but its text."""
    return bool(case.page.url or case.page.inlinks or b"lang" in case.page.raw.lower() or b"og:locale" in case.page.raw)


def alike(bench: Bench) -> None:
    evidence_alike.report(Path(bench.data), bench.cases, bench.idents, max(20, ALIKE // bench.limit))


def calibration(bench: Bench) -> None:
    """Expected calibration error of whole and cut pages; the bar is 0.02."""
    print(f"{'':24} {'pages':>6} {'text':>8} {'fused':>8}")
    groups: dict[str, list[LabelledPage]] = {}
    for case in bench.cases:
        groups.setdefault(case.set, []).append(case)
    groups = {**groups, "all": bench.cases, **bench.cut}
    for name, some in groups.items():
        text, fused = ask(some, bench.idents, ()), ask(some, bench.idents, None)
        print(f"{name:24} {len(some):6} {ece(text):8.4f} {ece(fused):8.4f}")


def garbage_part(bench: Bench) -> None:
    """Nonsense in every hint, page by page and in a batch: a Verdict each time."""
    ident, rnd = Identifier(), Random(SEED)
    verdicts, failures = 0, []
    for _ in range(GARBAGE // bench.limit):
        raw, hints = garbage.random_call(rnd)
        try:
            verdict = ident.identify(raw, **hints)
            verdict.to_json().encode()
            verdicts += isinstance(verdict, Verdict)
        except Exception as error:
            failures.append(f"{type(error).__name__}: {error} ({hints!r:.300})")
    print(f"{verdicts} Verdicts of {GARBAGE // bench.limit} calls")
    try:
        told = ident.identify_batch(garbage.random_columns(rnd, GARBAGE // bench.limit))
        print(f"{len(told['label'])} answers of a batch of {GARBAGE // bench.limit}")
    except Exception as error:
        failures.append(f"batch: {type(error).__name__}: {error}")
    for line in failures[:10]:
        print("  ", line)


def encoding(bench: Bench) -> None:
    """Pages in other encodings than UTF-8, answered with and without what their encoding says."""
    some = [case for case in bench.cases if (case.row.get("encoding") or "utf-8") not in ("utf-8", "ascii", "us-ascii")]
    with_it = ask(some, bench.idents, None)
    without = ask(some, bench.idents, [source for source in names() if source != "encoding"])
    moved = sum(a.label != b.label for a, b in zip(with_it, without, strict=True))
    right = [sum(told.right for told in answers) for answers in (without, with_it)]
    print(f"of {len(some)} pages it changes the label of {moved}: {right[0]} right without it, {right[1]} with it")


def cost(bench: Bench) -> None:
    """CPU time of identify_batch with all hints beside none, taking turns, on one thread; the bar is 10%."""
    some = sorted(bench.cases, key=lambda case: len(case.page.raw))
    said = [one.label for one in ask(some, bench.idents, ())]
    batches = [hinted(some[i : i + BATCH], said[i : i + BATCH]) for i in range(0, len(some), BATCH)]
    idents = {"text alone": Identifier(evidence=()), "all hints": Identifier()}
    for name in ("declared", "url", "country", "links", "host"):
        idents[name] = Identifier(evidence=(name,))
    ways: dict[str, Callable[[dict[str, list[Any]]], object]] = {
        name: partial(ident.identify_batch, threads=1) for name, ident in idents.items()
    }
    ways["bytes only"] = lambda columns: idents["text alone"].identify_batch({"raw": columns["raw"]}, 1)
    found = best_seconds(ways, batches, 3, time.process_time)
    for name, seconds in found.items():
        print(f"{name:12} {1e6 * seconds / len(some):8.1f} us a page  {seconds / found['text alone'] - 1:+.1%}")


def hinted(some: Pages, said: Sequence[str]) -> dict[str, list[Any]]:
    """Pages with everything that a crawler knows; what a page has not is made up by what its text says, as most sites have it."""
    own = [case.page.url or f"https://www.example{i % 97}.org/{i}.html" for i, case in enumerate(some)]
    links = [
        (Inlink(url, label, 0.9, "www"), Inlink("https://example.com/", label))
        for url, label in zip(own, said, strict=True)
    ]
    return {
        "raw": [case.page.raw for case in some],
        "url": own,
        "headers": [{"Content-Type": "text/html"}] * len(some),
        "ip": [f"81.2.{i % 250}.{i % 199}" for i in range(len(some))],
        "inlinks": [case.page.inlinks or made for case, made in zip(some, links, strict=True)],
        "host": [{label: 12, "eng_Latn": 3} for label in said],
    }


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--folds", type=Path, help="a folder of weights, each fitted without a fifth of the sites")
    parser.add_argument("--limit", type=int, default=1, help="one page in so many, for a quick look")
    options = parser.parse_args()
    bench = Bench(options.data, Idents(options.folds), options.limit)
    parts = {
        "pages": pages,
        "cut": cut,
        "alike": alike,
        "calibration": calibration,
        "garbage": garbage_part,
        "encoding": encoding,
        "cost": cost,
    }
    for name in options.only.split(","):
        if name not in parts:
            parser.error(f"--only is a list of {', '.join(PARTS)}, not {name}")
    for name in options.only.split(","):
        print(
            f"\n{name}: {(parts[name].__doc__ or 'look-alikes with an address or a declaration').splitlines()[0]}",
            flush=True,
        )
        parts[name](bench)


if __name__ == "__main__":
    main()
