"""Extraction: what the prefilter saves and loses. bench/main_text_scores.py compares the extracted text with other tools.

    python bench/extract.py [--data DIR] [--rounds 3] [--only recall,labels,speed]

Pages are those of dev/html in generated .warc.gz files. These contain few pages in rare languages, so some are generated:
sentences of dev/text replace all, half or a tenth of the paragraphs of real pages, in UTF-8 and in a legacy encoding, at URLs
without evidence. `recall` compares what extraction writes with and without the prefilter: rows and characters by language.
`labels` does the same for every language of the real pages of dev/html, whatever the confidence. `speed` compares pages per
second with identifying everything on the real pages, by the same Rows and by identify_batch, in memory and including reading;
times are CPU times of one core, in turns.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import sets
from census import write_archive
from common import options_parser, run_parts
from timing import best_seconds

from webtongue import Analysis, Block, Identifier, Page
from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.dedup import Deduplicator
from webtongue.census.extract.rows import ExtractCounts, ExtractedText, TextExtractor
from webtongue.census.read import read
from webtongue.census.read.inputs import expand_inputs

PARTS = ("recall", "labels", "speed")
# Extracted languages, their label in dev/text, and a legacy encoding.
LANGUAGES = {
    "isl_Latn": ("isl_Latn", "iso-8859-1"),
    "fao_Latn": ("fao_Latn", "iso-8859-1"),
    "hrv_Latn": ("hrv_Latn", "windows-1250"),
    "swa_Latn": ("swh_Latn", "iso-8859-1"),
    "kat_Geor": ("kat_Geor", ""),
    "ara_Arab": ("arb_Arab", "windows-1256"),
    "zho_Hans": ("cmn_Hans", "gb18030"),
}
TWO_LANGUAGES = ("isl_Latn", "fao_Latn")
PAGES_PER_LANGUAGE = 48
PARAGRAPH_SHARES = (1.0, 1.0, 0.5, 0.1)  # share of replaced paragraphs, page by page
LEGACY_STEP = 6  # one page in so many is in a legacy encoding
MIN_PARAGRAPH_BYTES = 80  # shorter paragraphs are not replaced
PAGES_PER_FILE = 256


def generate_pages(templates: Sequence[sets.Item], data: Path, ident: Identifier) -> list[sets.Item]:
    """Return pages with the markup of real pages and paragraphs in the extracted languages."""
    pages = []
    sentences = sets.sentences_by_label(data, "sib200_floresdev")
    for label, (source, legacy_encoding) in LANGUAGES.items():
        lines = sentences.get(source, [])
        rng = random.Random(label)
        for number in range(PAGES_PER_LANGUAGE if lines else 0):
            template = templates[rng.randrange(len(templates))]
            blocks = long_paragraphs(ident.analyze(Page(template.raw)))
            share = PARAGRAPH_SHARES[number % len(PARAGRAPH_SHARES)]
            chosen = sorted(rng.sample(blocks, max(1, round(share * len(blocks)))), key=lambda block: block.begin)
            raw, end = b"", 0
            for block in chosen:
                raw += template.raw[end : block.begin] + rng.choice(lines).encode()
                end = block.end
            raw += template.raw[end:]
            if legacy_encoding and number % LEGACY_STEP == 0:
                raw = raw.decode("utf-8", "replace").encode(legacy_encoding, "xmlcharrefreplace")
            url = f"https://www.example.com/{label[:1]}{number}"
            pages.append(sets.Item(f"generated/{label}/{number}", raw, {"url": url}))
    return pages


def find_templates(items: Iterable[sets.Item], ident: Identifier) -> list[sets.Item]:
    """Return real English pages in UTF-8 with at least five paragraphs."""
    templates: list[sets.Item] = []
    for item in items:
        if len(templates) == PAGES_PER_LANGUAGE:
            break
        analysis = ident.analyze(Page(item.raw))
        verdict = analysis.verdict
        if verdict.encoding == "utf-8" and verdict.label == "eng_Latn" and len(long_paragraphs(analysis)) >= 5:
            templates.append(item)
    return templates


def long_paragraphs(analysis: Analysis) -> list[Block]:
    """Return the paragraphs that are long enough to be replaced."""
    return [b for b in analysis.blocks if b.kind == "paragraph" and b.end - b.begin > MIN_PARAGRAPH_BYTES]


def extract(
    captures: Sequence[Capture], wanted: ExtractConfig, ident: Identifier
) -> tuple[list[ExtractedText], ExtractCounts]:
    rows = TextExtractor(wanted, ident)
    return list(Deduplicator(wanted)(rows.batch(captures), rows.counts)), rows.counts


def report_recall(captures: Sequence[Capture], ident: Identifier) -> None:
    """Print how many of the rows and characters of a full extraction the prefilter keeps."""
    print(f"{'wanted':22} {'rows':>6} {'kept':>8} {'characters':>11} {'kept':>8} {'pages refused':>14}")
    for labels in (*((label,) for label in LANGUAGES), TWO_LANGUAGES):
        full, _ = extract(captures, ExtractConfig(labels, prefilter=False), ident)
        filtered, tally = extract(captures, ExtractConfig(labels), ident)
        kept_keys = {(row.url, row.label): row for row in filtered}
        kept_rows = [row for row in full if (row.url, row.label) in kept_keys]
        sizes = [sum(len(row.text) for row in rows) for rows in (full, kept_rows)]
        print(
            f"{','.join(labels):22} {len(full):6} {len(kept_rows) / max(len(full), 1):8.2%} {sizes[0]:11,} "
            f"{sizes[1] / max(sizes[0], 1):8.2%} {tally.refused / tally.captures:14.1%}"
        )


def report_labels(captures: Sequence[Capture], ident: Identifier) -> None:
    """Print the pages of each language that the prefilter refuses, whatever the confidence and size of the text."""
    pages = [Page(capture.body or b"", capture.url or None) for capture in captures]
    verdicts = [ident.analyze(page).verdict for page in pages]
    counts = Counter(verdict.label for verdict in verdicts)
    refused: dict[str, int] = {}
    for label in [label for label in counts if "_" in label]:
        prefilter = ident.prefilter([label])
        pages_of_label = [page for page, verdict in zip(pages, verdicts, strict=True) if verdict.label == label]
        refused[label] = sum(not prefilter.may_hold(page) for page in pages_of_label)
    total = sum(counts[label] for label in refused)
    worst = ", ".join(f"{label} {count} of {counts[label]}" for label, count in refused.items() if count)
    print(
        f"{len(refused)} languages, {total} pages: {1 - sum(refused.values()) / total:.2%} pass the first look for their own"
    )
    print(f"refused: {worst or 'none'}")


def report_speed(paths: Sequence[Path], ident: Identifier, rounds: int) -> None:
    """Print the speed of extraction with the prefilter beside identifying everything."""
    wanted_by_name = {
        ",".join(labels): ExtractConfig(labels) for labels in (*((label,) for label in LANGUAGES), TWO_LANGUAGES)
    }
    functions: dict[str, Callable[[Any], object]] = {
        "identify_batch": lambda captures: ident.identify_batch(_columns(captures), 1),
        "everything": TextExtractor(ExtractConfig(("isl_Latn",), prefilter=False), ident).batch,
        **{name: TextExtractor(wanted, ident).batch for name, wanted in wanted_by_name.items()},
    }
    captures_by_file = [_read_captures(path) for path in paths]
    count = sum(map(len, captures_by_file))

    def microseconds(functions: dict[str, Callable[[Any], object]], parts: Sequence[Any]) -> dict[str, float]:
        best = best_seconds(functions, parts, rounds, time.process_time)
        return {name: seconds / count * 1e6 for name, seconds in best.items()}

    in_memory = microseconds(functions, captures_by_file)
    with_reading = microseconds({name: _read_and(way) for name, way in functions.items()}, paths)
    reading = microseconds({"": _read_captures}, paths)[""]
    print(f"{count:,} pages; reading alone {reading:.0f} us a page")
    print(f"{'':22} {'in memory, us a page':>22} {'times as fast':>14} {'with reading':>14} {'times as fast':>14}")
    for name in functions:
        print(
            f"{name:22} {in_memory[name]:22.1f} {in_memory['identify_batch'] / in_memory[name]:14.2f} "
            f"{with_reading[name]:14.1f} {with_reading['identify_batch'] / with_reading[name]:14.2f}"
        )


def _read_captures(path: Path) -> list[Capture]:
    config = Config()
    return [capture for source in expand_inputs([str(path)], config) for capture in read(source, config)]


def _read_and(function: Callable[[Any], object]) -> Callable[[Path], object]:
    return lambda path: function(_read_captures(path))


def _columns(captures: Sequence[Capture]) -> dict[str, list[Any]]:
    fields = {"raw": "body", "url": "url", "headers": "headers"}
    return {name: [getattr(capture, field) for capture in captures] for name, field in fields.items()}


def main() -> None:
    options = options_parser(__doc__, rounds=3, parts=PARTS).parse_args()
    ident = Identifier()
    real = [item for item in sets.html_pages(options.data) if item.raw]
    random.Random(1).shuffle(real)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, items in (
            ("real", real),
            ("generated", generate_pages(find_templates(real, ident), options.data, ident)),
        ):
            for begin in range(0, len(items), PAGES_PER_FILE):
                paths.append(Path(folder) / f"{name}-{begin}.warc.gz")
                write_archive(paths[-1], items[begin : begin + PAGES_PER_FILE])
        captures = [capture for path in paths for capture in _read_captures(path)]
        real_captures = [capture for capture in captures if "example.com/" not in capture.url]
        real_paths = [path for path in paths if path.name.startswith("real")]
        parts = {
            "recall": lambda: report_recall(captures, ident),
            "labels": lambda: report_labels(real_captures, ident),
            "speed": lambda: report_speed(real_paths, ident, options.rounds),
        }
        run_parts(parts, options.only)


if __name__ == "__main__":
    main()
