"""Train the prefilter: a corpus in, a model file out, by ``train`` or ``python -m webtongue.lab.train.prefilter.train``.

Words of four bytes are counted in text of every label, in all forms that pages have; a weight is the log-odds of a word in the
label against the other pages of the web. The threshold of a label is the low quantile of sums over lines that were not counted.
The same folder gives the same bytes.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.container import write_container
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.licences import SourceLabel, find_restricted_files, read_licences
from webtongue.lab.train.corpus.read import (
    DROPPED_LABELS,
    FOLDED_LABELS,
    GENERATED,
    SYNTHETIC,
    Corpus,
    iter_files,
    read_lines,
)
from webtongue.lab.train.corpus.romanise import add_romanised
from webtongue.lab.train.prefilter.texts import Form, generate_markup, list_forms, select_lines
from webtongue.reference.web_shares import web_powers
from webtongue.text.model import load as load_text_model
from webtongue.text.prefilter import (
    MAGIC,
    MIN_WEIGHT,
    SECTIONS,
    TABLE_BITS,
    VERSION,
    WEIGHT_LEVELS,
    WORD_MASKS,
    WeightTable,
    WordMask,
    mask_number,
    table_indices,
)

__all__ = ["train"]

CHARS_PER_LABEL = 250_000
CHARS_PER_FILE = 100_000  # approximate
MIN_LINE_CHARS = 12
MAX_TIER = 2  # labels of tier 3 have no text beside scripture to learn from
MIN_LABEL_CHARS = 8_000
MARKUP_SHARE = 0.3  # share of markup in the page that a word is compared with
SHARE_POWER = 0.5  # languages are weighted by this power of their share of the web: a false positive costs little
UNSEEN_PROBABILITY = 1e-5  # smoothing of words that were not counted
MIN_PROBABILITY = 8e-6  # rarer words are treated as not counted
UNITS_PER_NAT = 2.0  # scale of the weights

LINE_BREAK = b"</p>\n<p>"  # between two lines
OTHER_FORM_INTERVAL = 3  # forms other than UTF-8 are counted on every third line
SNIPPETS_PER_LABEL = 600  # from which the threshold of a label is computed
SNIPPET_CHARS = 240  # three sentences, which a page in a language nearly always has
MIN_HELD_OUT_CHARS = 4 * SNIPPET_CHARS  # with less held-out text, the counted lines are used
MISSED_QUANTILE = 0.01  # share of snippets below the threshold before the factor
THRESHOLD_FACTOR = 0.65  # pages are harder than sentences
LINES_PER_SNIPPET = 12
MAX_THRESHOLD = 60  # a higher threshold would miss the rarer forms of text

Counts = NDArray[np.float64]
Lines = dict[str, dict[str, list[str]]]  # label -> source -> lines


def train(
    folder: Path,
    path: Path,
    *,
    commercial: bool = False,
    seed: int = 7,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Train on the corpus in ``folder``, write the model to ``path`` and its manifest beside it, and return the manifest.

    ``commercial`` leaves out files whose licence forbids commercial use or derivatives.
    """
    progress("reading")
    counted, held_out = _read_texts(folder, find_restricted_files(folder) if commercial else ())
    lines = {
        label: select_lines(sources, CHARS_PER_LABEL, f"{label} {seed}") for label, sources in sorted(counted.items())
    }
    forms_by_label = {label: list_forms(label, label_lines) for label, label_lines in lines.items()}
    progress(f"counting {len(lines)} labels")
    markup = generate_markup(CHARS_PER_LABEL, seed)
    tables: dict[str, WeightTable] = {}
    for number, kind in enumerate(WORD_MASKS):
        own_labels = [label for label in lines if mask_number(label) == number]
        web_labels = [label for label in lines if label[:3] in web_powers()]
        probabilities = {
            label: _estimate_probabilities(lines[label], forms_by_label[label], kind)
            for label in dict.fromkeys([*web_labels, *own_labels])
        }
        web = _WebProbabilities({label: probabilities[label] for label in web_labels}, _count_words(markup, kind))
        for label in own_labels:
            table = WeightTable(number, _compute_weights(probabilities[label], web.without(label)), 0)
            tested = held_out.get(label) or lines[label]
            threshold = _compute_threshold(table, tested, forms_by_label[label], f"{label} {seed}")
            tables[label] = replace(table, threshold=threshold)
            progress(f"{label} {tables[label].threshold}")
    manifest = {
        "kind": "prefilter",
        "characters": {label: sum(map(len, label_lines)) for label, label_lines in lines.items()},
        "least": {label: tables[label].threshold for label in lines},
        "seed": seed,
        "commercial": commercial,
        "sources": _collect_licences(folder, counted),
    }
    _write_model(path, {label: tables[label] for label in lines}, manifest)
    return manifest


def _read_texts(folder: Path, without: Collection[SourceLabel]) -> tuple[Lines, dict[str, list[str]]]:
    """Return lines to count by label and source, and held-out lines by label, of real text where there is any."""
    model = load_text_model()
    known_labels = {label for label, tier in zip(model.labels, model.tiers, strict=True) if tier <= MAX_TIER}
    corpus = Corpus()
    for entry in iter_files(folder, without):
        label = FOLDED_LABELS.get(entry.label, entry.label)
        if label in known_labels and entry.label not in DROPPED_LABELS:
            lines = [line for line in map(str.strip, read_lines(entry.path)) if len(line) >= MIN_LINE_CHARS]
            step = max(1, sum(map(len, lines)) // CHARS_PER_FILE)
            chosen = [line for i, line in enumerate(lines) if i % step == 0 or is_held_out(line)]
            corpus.lines.setdefault((entry.source, label), []).extend(chosen)
    add_romanised(corpus)
    counted: Lines = {}
    held_out: dict[str, list[str]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        if training := [line for line in lines if not is_held_out(line)]:
            counted.setdefault(label, {})[source] = training
        if source not in SYNTHETIC - GENERATED:
            held_out.setdefault(label, []).extend(filter(is_held_out, lines))
    large_labels = {
        label: sources
        for label, sources in counted.items()
        if sum(len(line) for lines in sources.values() for line in lines) >= MIN_LABEL_CHARS
    }
    return large_labels, {
        label: lines for label, lines in held_out.items() if sum(map(len, lines)) >= MIN_HELD_OUT_CHARS
    }


def _estimate_probabilities(lines: Sequence[str], forms: Sequence[Form], kind: WordMask) -> Counts:
    """Return the probability of each word in text of a label, over all forms."""
    probabilities = np.zeros(1 << TABLE_BITS)
    for form in forms:
        form_lines = lines if form is forms[0] else lines[: len(lines) // OTHER_FORM_INTERVAL + 1]
        probabilities += form.share * _count_words(LINE_BREAK.join(filter(None, map(form.write, form_lines))), kind)
    return probabilities


def _count_words(text: bytes, kind: WordMask) -> Counts:
    """Return the probability of each word of four bytes at any position of the text."""
    bytes_ = np.frombuffer(text, np.uint8).astype(np.uint32)
    words = bytes_[:-3] | bytes_[1:-2] << 8 | bytes_[2:-1] << 16 | bytes_[3:] << 24
    counts = np.bincount(table_indices(words.astype(np.uint32), kind), minlength=1 << TABLE_BITS)
    return np.asarray(counts / max(counts.sum(), 1), np.float64)


class _WebProbabilities:
    """Probabilities of words on pages of the web: a mixture of languages and markup."""

    def __init__(self, probabilities: Mapping[str, Counts], markup: Counts) -> None:
        powers = web_powers()
        self._probabilities, self._markup = probabilities, markup
        self._shares = {label: 10 ** (SHARE_POWER * powers[label[:3]]) for label in probabilities}
        self._sum = sum(self._shares.values())
        self._total = np.sum([share * probabilities[label] for label, share in self._shares.items()], axis=0)

    def without(self, label: str) -> Counts:
        """Return the probabilities on pages in other labels."""
        share = self._shares.get(label, 0.0)
        rest = self._total - share * self._probabilities[label] if share else self._total
        others: Counts = np.maximum(rest, 0) / (self._sum - share)
        return MARKUP_SHARE * self._markup + (1 - MARKUP_SHARE) * others


def _compute_weights(probabilities: Counts, web_probabilities: Counts) -> NDArray[np.uint8]:
    """Return the quantised log-odds of each word."""
    log_odds = UNITS_PER_NAT * np.log(
        (np.where(probabilities > MIN_PROBABILITY, probabilities, 0) + UNSEEN_PROBABILITY)
        / (web_probabilities + UNSEEN_PROBABILITY)
    )
    bounds = [(low + high) / 2 for low, high in pairwise(WEIGHT_LEVELS)]
    return (np.array(WEIGHT_LEVELS)[np.searchsorted(bounds, log_odds)] - MIN_WEIGHT).astype(np.uint8)


def _compute_threshold(table: WeightTable, lines: Sequence[str], forms: Sequence[Form], seed: str) -> int:
    """Return the threshold that nearly all snippets of the label reach."""
    rng = random.Random(seed)
    sums: list[int] = []
    for form in rng.choices(forms, [form.share for form in forms], k=SNIPPETS_PER_LABEL):
        text = " ".join(rng.choice(lines) for _ in range(LINES_PER_SNIPPET))
        start = rng.randrange(max(len(text) - SNIPPET_CHARS, 1))
        raw = form.write(text[start : start + SNIPPET_CHARS])
        if raw:
            sums.append(
                table.max_sum(_hash_words(b"<p>" + b" " * rng.randrange(4) + raw + b"</p>", WORD_MASKS[table.mask]))
            )
    return int(min(max(THRESHOLD_FACTOR * float(np.quantile(sums, MISSED_QUANTILE)), 0), MAX_THRESHOLD)) if sums else 0


def _hash_words(text: bytes, kind: WordMask) -> NDArray[np.intp]:
    return table_indices(np.frombuffer(text, "<u4", len(text) // 4), kind)


def _collect_licences(folder: Path, counted: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    used = {source for sources in counted.values() for source in sources}
    return {source: terms for source, terms in read_licences(folder).items() if source in used}


def _write_model(path: Path, tables: Mapping[str, WeightTable], manifest: dict[str, Any]) -> None:
    levels = [
        np.searchsorted(WEIGHT_LEVELS, table.weights.astype(int) + MIN_WEIGHT).astype(np.uint8)
        for table in tables.values()
    ]
    packed = [zlib.compress((level[::2] | level[1::2] << 4).tobytes(), 9) for level in levels]
    parts = {
        "names": "\n".join(tables).encode(),
        "kinds": bytes(mask_number(label) for label in tables),
        "least": np.array([table.threshold for table in tables.values()], "<i2").tobytes(),
        "starts": np.cumsum([0, *map(len, packed)]).astype("<u4").tobytes(),
        "tables": b"".join(packed),
    }
    write_container(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the prefilter.")
    parser.add_argument("corpus", type=Path, help="a folder source/label.txt[.xz]")
    parser.add_argument("out", type=Path, help="the model file to write")
    parser.add_argument("--commercial", action="store_true", help="leave out sources with non-commercial terms")
    args = parser.parse_args()
    manifest = train(args.corpus, args.out, commercial=args.commercial, progress=lambda step: print(step, flush=True))
    print(f"{len(manifest['characters'])} labels, {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
