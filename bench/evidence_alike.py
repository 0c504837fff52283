"""Look-alikes with an address or a declaration: pages made of lines held out of training, and real ones, for bench/evidence.py."""

from __future__ import annotations

import json
import lzma
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from evidence_cases import Idents, Pages, Told, ask, ask_cld2, changed, share

from webtongue import labels
from webtongue.lab.evaluate.pages import LabelledPage
from webtongue.page import Page

GROUPS = (("hrv_Latn", "srp_Latn", "bos_Latn"), ("ind_Latn", "msa_Latn"), ("nob_Latn", "dan_Latn"))
TOPS = {
    "hrv_Latn": "hr",
    "srp_Latn": "rs",
    "bos_Latn": "ba",
    "ind_Latn": "id",
    "msa_Latn": "my",
    "nob_Latn": "no",
    "dan_Latn": "dk",
}
CODES = {
    "hrv_Latn": "hr",
    "srp_Latn": "sr",
    "bos_Latn": "bs",
    "ind_Latn": "id",
    "msa_Latn": "ms",
    "nob_Latn": "nb",
    "dan_Latn": "da",
}
# Sets that no training read. lingua's Malay is partly Indonesian; sib200's Serbian is in Cyrillic letters.
LINES = ("dsl2015", "sib200_floresdev", "lingua_sentences")
NOT_OF = {("lingua_sentences", "msa_Latn")}
MEDIAN, SPREAD, LEAST, MOST = 200, 0.9, 20, 1500  # characters of a page, log-normal: short ones
WRONG_TOP = 0.03  # pages at the address of a neighbour: of url/train's addresses in a country, those of a language not spoken there
SAYS_ENGLISH, SAYS_OTHER = 0.06, 0.009  # declared falsely, by dev/html: a neighbour is the worst other
SEED = 7


@dataclass(frozen=True, slots=True)
class Made:
    """A page of one label, with a neutral address and no declaration, and what noise makes of the two."""

    bare: LabelledPage
    url: str
    declared: str


def lines(data: Path) -> dict[str, list[str]]:
    """Lines of each label that nothing was trained on."""
    wanted = {label for group in GROUPS for label in group}
    found: dict[str, list[str]] = defaultdict(list)
    for name in LINES:
        with lzma.open(data / "dev" / "text" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                label = str(labels.fold(row["label"])) if row["label"] else ""
                if label in wanted and (name, label) not in NOT_OF:
                    found[label].append(row["text"])
    return found


def make(label: str, group: Sequence[str], texts: Sequence[str], rnd: Random, number: int) -> Made:
    size = min(MOST, max(LEAST, int(MEDIAN * math.exp(SPREAD * rnd.gauss(0, 1)))))
    chosen: list[str] = []
    while sum(map(len, chosen)) < size:
        left = size - sum(map(len, chosen))
        line = rnd.choice(texts)
        chosen.append(line if len(line) <= left or not chosen else line[:left])
    if len(chosen) == 1:
        chosen[0] = chosen[0][: max(size, LEAST)].rsplit(" ", 1)[0] or chosen[0]
    neighbour = rnd.choice([name for name in group if name != label])
    top = TOPS[neighbour if rnd.random() < WRONG_TOP else label]
    chance = rnd.random()
    said = "en" if chance < SAYS_ENGLISH else CODES[neighbour if chance < SAYS_ENGLISH + SAYS_OTHER else label]
    raw = ("<!doctype html><html><body>" + "".join(f"<p>{line}</p>" for line in chosen)).encode()
    page = Page(raw, f"https://www.site{number}.com/{number}")
    bare = LabelledPage("alike", label, page, frozenset({label}), f"alike/{number}", {})
    return Made(bare, f"https://www.site{number}.{top}/{number}", said)


def ways(pages: Sequence[Made]) -> dict[str, list[LabelledPage]]:
    """The same pages with nothing, an address, a declaration, both."""
    declared = [
        changed(one.bare, raw=one.bare.page.raw.replace(b"<html>", f"<html lang={one.declared}>".encode()))
        for one in pages
    ]
    return {
        "text": [one.bare for one in pages],
        "address": [changed(one.bare, url=one.url) for one in pages],
        "declared": declared,
        "both": [changed(item, url=one.url) for item, one in zip(declared, pages, strict=True)],
    }


def report(data: Path, real: Pages, idents: Idents, count: int) -> None:
    found = lines(data)
    rnd = Random(SEED)
    print(
        f"{count} generated pages a label, right in % (95%)\n{'':10} "
        + " ".join(f"{name:>19}" for name in ("text", "address", "declared", "both", "CLD2, both"))
    )
    totals: dict[str, list[Told]] = defaultdict(list)
    for group in GROUPS:
        for label in group:
            pages = [make(label, group, found[label], rnd, number) for number in range(count)]
            cells = []
            for name, some in ways(pages).items():
                told = ask(some, idents, () if name == "text" else None)
                totals[name] += told
                cells.append(cell(told))
            told = ask_cld2(ways(pages)["both"])
            totals["CLD2"] += told
            print(f"{label:10} {' '.join([*cells, cell(told)])}", flush=True)
    print(f"{'all':10} " + " ".join(cell(told) for told in totals.values()))
    print("\nreal pages of dev/html: right, of pages\n" + f"{'':10} {'pages':>6} {'text':>6} {'fused':>6} {'CLD2':>6}")
    for label in (label for group in GROUPS for label in group):
        some = [item for item in real if item.wanted == {label}]
        if some:
            counts = [share(told).right for told in (ask(some, idents, ()), ask(some, idents, None), ask_cld2(some))]
            print(f"{label:10} {len(some):6} " + " ".join(f"{right:6}" for right in counts))


def cell(told: Sequence[Told]) -> str:
    found = share(told)
    return f"{100 * found.value:6.1f} ({100 * found.low:4.1f}-{100 * found.high:5.1f})"
