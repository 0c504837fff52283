"""Extraction: what a first look saves and what it costs, and the text beside trafilatura's.

    python bench/extract.py [--data DIR] [--rounds 3] [--only recall,labels,speed,text]

Pages are those of dev/html in generated .warc.gz files. These have next to no page in a rare language, so some are made: sentences
of dev/text in the place of paragraphs of real pages, of all of them, of half or of a tenth, in UTF-8 and in an old encoding, at
addresses that say nothing. `recall` compares what extraction writes with a first look and without: rows and characters, by wanted
language. `labels` does the same for every language that real pages of dev/html are in, whatever the confidence. `speed` compares
pages a second with identifying everything on the real pages, by the same Rows and by identify_batch, in memory and with reading
from files; seconds are of one core, ways taking turns. `text` compares lines with trafilatura's, which is no truth, but what many
take for it.
"""

from __future__ import annotations

import json
import lzma
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import sets
import trafilatura
from census import written
from timing import quickest

from webtongue import Contents, Identifier, Page, decode
from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.extract.rows import Finisher, Rows, Tally, Text
from webtongue.census.extract.text import lines_of, parts_of
from webtongue.census.extract.wanted import Wanted
from webtongue.census.read import read
from webtongue.census.read.inputs import sources_of

PARTS = ("recall", "labels", "speed", "text")
# What is looked for, where its sentences are among those of dev/text, and an old encoding for it.
WANTED = {
    "isl_Latn": ("isl_Latn", "iso-8859-1"),
    "fao_Latn": ("fao_Latn", "iso-8859-1"),
    "hrv_Latn": ("hrv_Latn", "windows-1250"),
    "swa_Latn": ("swh_Latn", "iso-8859-1"),
    "kat_Geor": ("kat_Geor", ""),
    "ara_Arab": ("arb_Arab", "windows-1256"),
    "zho_Hans": ("cmn_Hans", "gb18030"),
}
TOGETHER = ("isl_Latn", "fao_Latn")
MADE = 48  # pages of each wanted language
SHARES = (1.0, 1.0, 0.5, 0.1)  # of the paragraphs of a page
OLD = 6  # one page in so many is in an old encoding
LONG = 80  # bytes of a paragraph that is replaced
BATCH = 256
COMPARED = 400  # pages whose text is compared with trafilatura's


def sentences(data: str) -> dict[str, list[str]]:
    """Sentences of dev/text by label."""
    out: dict[str, list[str]] = {}
    path = sets.need(Path(data) / "dev" / "text") / "sib200_floresdev.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            out.setdefault(row["label"], []).append(row["text"])
    return out


def made(templates: Sequence[sets.Item], data: str, ident: Identifier) -> list[sets.Item]:
    """Pages of real markup whose paragraphs are in wanted languages."""
    out = []
    texts = sentences(data)
    for label, (source, old) in WANTED.items():
        lines = texts.get(source, [])
        chance = random.Random(label)
        for number in range(MADE if lines else 0):
            template = templates[chance.randrange(len(templates))]
            blocks = [
                b for b in ident.contents(Page(template.raw)).blocks if b.kind == "paragraph" and b.end - b.begin > LONG
            ]
            share = SHARES[number % len(SHARES)]
            chosen = sorted(chance.sample(blocks, max(1, round(share * len(blocks)))), key=lambda block: block.begin)
            raw, at = b"", 0
            for block in chosen:
                raw += template.raw[at : block.begin] + chance.choice(lines).encode()
                at = block.end
            raw += template.raw[at:]
            if old and number % OLD == 0:
                raw = raw.decode("utf-8", "replace").encode(old, "xmlcharrefreplace")
            out.append(
                sets.Item(f"made/{label}/{number}", raw, {"url": f"https://www.example.com/{label[:1]}{number}"})
            )
    return out


def templates_of(items: Iterable[sets.Item], ident: Identifier) -> list[sets.Item]:
    """Real pages in UTF-8 with some paragraphs."""
    out = []
    for item in items:
        if len(out) == MADE:
            break
        found = ident.contents(Page(item.raw))
        long = [b for b in found.blocks if b.kind == "paragraph" and b.end - b.begin > LONG]
        if found.verdict.encoding == "utf-8" and found.verdict.label == "eng_Latn" and len(long) >= 5:
            out.append(item)
    return out


def extracted(captures: Sequence[Capture], wanted: Wanted, ident: Identifier) -> tuple[list[Text], Tally]:
    rows = Rows(wanted, ident)
    return list(Finisher(wanted)(rows.batch(captures), rows.tally)), rows.tally


def recall(captures: Sequence[Capture], ident: Identifier) -> None:
    """Rows and characters that a first look keeps of those that identifying everything finds."""
    print(f"{'wanted':22} {'rows':>6} {'kept':>8} {'characters':>11} {'kept':>8} {'pages refused':>14}")
    for labels in (*((label,) for label in WANTED), TOGETHER):
        full, _ = extracted(captures, Wanted(labels, first_look=False), ident)
        some, tally = extracted(captures, Wanted(labels), ident)
        kept = {(row.url, row.label): row for row in some}
        both = [row for row in full if (row.url, row.label) in kept]
        sizes = [sum(len(row.text) for row in rows) for rows in (full, both)]
        print(
            f"{','.join(labels):22} {len(full):6} {len(both) / max(len(full), 1):8.2%} {sizes[0]:11,} "
            f"{sizes[1] / max(sizes[0], 1):8.2%} {tally.refused / tally.captures:14.1%}"
        )


def labels_found(captures: Sequence[Capture], ident: Identifier) -> None:
    """Of every language of real pages: pages that a first look would refuse, whatever the confidence and however little text."""
    pages = [Page(c.body or b"", c.url or None) for c in captures]
    verdicts = [ident.identify_page(page) for page in pages]
    counts = Counter(v.label for v in verdicts)
    lost: dict[str, int] = {}
    for label in [label for label in counts if "_" in label]:
        look = ident.prefilter([label])
        own = [page for page, verdict in zip(pages, verdicts, strict=True) if verdict.label == label]
        lost[label] = sum(not look.may_hold(page) for page in own)
    whole = sum(counts[label] for label in lost)
    worst = ", ".join(f"{label} {n} of {counts[label]}" for label, n in lost.items() if n)
    print(
        f"{len(lost)} languages, {whole} pages: {1 - sum(lost.values()) / whole:.2%} pass the first look for their own"
    )
    print(f"refused: {worst or 'none'}")


def speed(paths: Sequence[Path], ident: Identifier, rounds: int) -> None:
    """Pages a second by a first look beside identifying everything."""
    looks = {",".join(labels): Wanted(labels) for labels in (*((label,) for label in WANTED), TOGETHER)}
    ways: dict[str, Callable[[Any], object]] = {
        "identify_batch": lambda captures: ident.identify_batch(_columns(captures), 1),
        "everything": Rows(Wanted(("isl_Latn",), first_look=False), ident).batch,
        **{name: Rows(wanted, ident).batch for name, wanted in looks.items()},
    }
    parts = [_captures(path) for path in paths]
    count = sum(map(len, parts))
    inside, outside = (
        {name: sum(times) / count * 1e6 for name, times in quickest(timed, of, rounds, time.process_time).items()}
        for timed, of in ((ways, parts), ({name: _with_reading(way) for name, way in ways.items()}, paths))
    )
    reading = sum(quickest({"": _captures}, paths, rounds, time.process_time)[""]) / count * 1e6
    print(f"{count:,} pages; reading alone {reading:.0f} us a page")
    print(f"{'':22} {'in memory, us a page':>22} {'times as fast':>14} {'with reading':>14} {'times as fast':>14}")
    for name in ways:
        print(
            f"{name:22} {inside[name]:22.1f} {inside['identify_batch'] / inside[name]:14.2f} "
            f"{outside[name]:14.1f} {outside['identify_batch'] / outside[name]:14.2f}"
        )


def _captures(path: Path) -> list[Capture]:
    config = Config()
    return [capture for source in sources_of([str(path)], config) for capture in read(source, config)]


def _with_reading(way: Callable[[Any], object]) -> Callable[[Path], object]:
    return lambda path: way(_captures(path))


def _columns(captures: Sequence[Capture]) -> dict[str, list[Any]]:
    return {
        "raw": [c.body for c in captures], "url": [c.url for c in captures], "headers": [c.headers for c in captures],
    }  # fmt: skip


def text(captures: Sequence[Capture], ident: Identifier) -> None:
    """Lines that are trafilatura's: of ours (precision), and of theirs (recall), by number and by characters."""
    chance = random.Random(7)
    some = [c for c in captures if "made/" not in c.url and len(c.body or b"") > 2000]
    sums: dict[str, Counter[str]] = {"kept": Counter(), "dropped": Counter()}
    pages = 0
    for capture in chance.sample(some, min(COMPARED, len(some))):
        page = Page(capture.body or b"", capture.url or None)
        theirs = trafilatura.extract(
            decode(page.raw).text, include_comments=False, include_tables=True, deduplicate=False
        )
        found = ident.contents(page)
        if not theirs or "_" not in found.verdict.label:
            continue
        pages += 1
        for name, keep in (("kept", True), ("dropped", False)):
            _count(sums[name], _lines(_ours(found, keep, ident)), _lines(theirs.split("\n")))
    print(f"{pages} pages; lines of trafilatura's text among ours and ours among trafilatura's")
    for name, sum_ in sums.items():
        print(
            f"boilerplate {name:8} precision {sum_['both'] / sum_['ours']:.1%}, recall {sum_['both'] / sum_['theirs']:.1%} "
            f"of lines; by characters {sum_['both_size'] / sum_['ours_size']:.1%}, {sum_['both_size'] / sum_['theirs_size']:.1%}"
        )


def _ours(found: Contents, boilerplate: bool, ident: Identifier) -> list[str]:
    return [line for part in parts_of(found, {found.verdict.label}, 0.0, ident) for line in lines_of(part, boilerplate)]


def _lines(lines: Iterable[str]) -> Counter[str]:
    """Lines by what they say: signs of lists and tables are trafilatura's own."""
    return Counter(line for raw in lines if (line := " ".join(raw.replace("|", " ").lstrip("-•* ").split())))


def _count(sums: Counter[str], ours: Counter[str], theirs: Counter[str]) -> None:
    both = ours & theirs
    for name, lines in (("ours", ours), ("theirs", theirs), ("both", both)):
        sums[name] += lines.total()
        sums[f"{name}_size"] += sum(len(line) * n for line, n in lines.items())


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    options = parser.parse_args()
    only = options.only.split(",")
    ident = Identifier()
    real = [item for item in sets.html_pages(options.data) if item.raw]
    random.Random(1).shuffle(real)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, items in (("real", real), ("made", made(templates_of(real, ident), options.data, ident))):
            for begin in range(0, len(items), BATCH):
                paths.append(Path(folder) / f"{name}-{begin}.warc.gz")
                written(paths[-1], items[begin : begin + BATCH])
        captures = [capture for path in paths for capture in _captures(path)]
        if "recall" in only:
            recall(captures, ident)
        if "labels" in only:
            labels_found([capture for capture in captures if "example.com/" not in capture.url], ident)
        if "speed" in only:
            speed([path for path in paths if path.name.startswith("real")], ident, options.rounds)
        if "text" in only:
            text(captures, ident)


if __name__ == "__main__":
    main()
