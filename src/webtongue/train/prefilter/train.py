"""The prefilter's model: a corpus in, a model file out, by ``train(folder, out)`` or ``python -m webtongue.train.prefilter.train``.

Words of four bytes are counted in text of every label, in all forms that pages have it; a weight is the log of how much likelier a
word is there than on the web's other pages. The sum that a stretch must have is taken from lines that were kept out of the counts.
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

from webtongue.hints.shares import web_powers
from webtongue.prefilter import (
    BITS,
    KINDS,
    LEVELS,
    LOWEST,
    MAGIC,
    SECTIONS,
    VERSION,
    Kind,
    Look,
    kind_of,
    places_of,
)
from webtongue.text.model import load as load_text_model
from webtongue.train.container import write
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, MADE, SYNTHETIC, Corpus, entries, read_lines
from webtongue.train.corpus.romanise import add_romanised
from webtongue.train.corpus.terms import Place, closed, licences
from webtongue.train.prefilter.texts import Form, forms, furniture, picked

__all__ = ["train"]

TEXT = 250_000  # characters of a label
FILE_TEXT = 100_000  # of them from one file, about
SHORTEST = 12  # characters of a line
LAST_TIER = 2  # of labels that are told: what the others look like outside of scripture nobody knows
LEAST_TEXT = 8_000  # characters of a label that is told at all
AROUND = 0.3  # share of what stands around text in what a page is compared with
SOFT = 0.5  # power of the web's shares by which languages are in it: a page that is let pass costs little
NOT_SEEN = 1e-5  # probability of a word that was not counted,
SELDOM = 8e-6  # or so seldom that it is chance
UNIT = 2.0  # weights in a nat

BREAK = b"</p>\n<p>"  # between two lines
PART = 3  # one line in so many is counted in forms other than the first
SNIPPETS = 600  # that the least sum of a label is taken from
SNIPPET = 240  # characters of each: three sentences, which a page in a language nearly always has somewhere
LEAST_KEPT = 4 * SNIPPET  # characters of lines that were kept out, below which those that were counted must do
MISSED = 0.01  # share of snippets below the sum,
CAUTION = 0.65  # of which so much is taken: pages are not sentences
MOST_LINES = 12  # that a snippet is cut from
MOST_LEAST = 60  # the sum that text of any form reaches, if it reaches more in most

Counts = NDArray[np.float64]
Lines = dict[str, dict[str, list[str]]]  # label -> source -> lines


def train(
    folder: Path,
    out: Path,
    *,
    commercial: bool = False,
    seed: int = 7,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Reads the corpus in ``folder``, counts, and writes the model to ``out`` and its manifest, which is returned, beside it.

    ``commercial`` leaves out sources whose terms forbid commercial use or derivatives.
    """
    progress("reading")
    counted, kept = _read(folder, closed(folder) if commercial else ())
    lines = {label: picked(sources, TEXT, f"{label} {seed}") for label, sources in sorted(counted.items())}
    written = {label: forms(label, some) for label, some in lines.items()}
    progress(f"counting {len(lines)} labels")
    around = furniture(TEXT, seed)
    looks: dict[str, Look] = {}
    for number, kind in enumerate(KINDS):
        own = [label for label in lines if kind_of(label) == number]
        others = [label for label in lines if label[:3] in web_powers()]
        chances = {label: _chances(lines[label], written[label], kind) for label in dict.fromkeys([*others, *own])}
        web = _Web({label: chances[label] for label in others}, _counted(around, kind))
        for label in own:
            look = Look(number, _weights(chances[label], web.without(label)), 0)
            looks[label] = replace(
                look, least=_least(look, kept.get(label) or lines[label], written[label], f"{label} {seed}")
            )
            progress(f"{label} {looks[label].least}")
    manifest = {
        "kind": "prefilter",
        "characters": {label: sum(map(len, some)) for label, some in lines.items()},
        "least": {label: looks[label].least for label in lines},
        "seed": seed,
        "commercial": commercial,
        "sources": _sources(folder, counted),
    }
    _write(out, {label: looks[label] for label in lines}, manifest)
    return manifest


def _read(folder: Path, without: Collection[Place]) -> tuple[Lines, dict[str, list[str]]]:
    """Lines to count, by label and source; and lines that were kept out, by label, of real text where there is any."""
    model = load_text_model()
    known = {label for label, tier in zip(model.labels, model.tiers, strict=True) if tier <= LAST_TIER}
    corpus = Corpus()
    for entry in entries(folder, without):
        label = FOLDS.get(entry.label, entry.label)
        if label in known and entry.label not in DROPPED_LABELS:
            lines = [line for line in map(str.strip, read_lines(entry.path)) if len(line) >= SHORTEST]
            step = max(1, sum(map(len, lines)) // FILE_TEXT)
            some = [line for i, line in enumerate(lines) if i % step == 0 or held_out(line)]
            corpus.lines.setdefault((entry.source, label), []).extend(some)
    add_romanised(corpus)
    counted: Lines = {}
    kept: dict[str, list[str]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        if fresh := [line for line in lines if not held_out(line)]:
            counted.setdefault(label, {})[source] = fresh
        if source not in SYNTHETIC - MADE:
            kept.setdefault(label, []).extend(filter(held_out, lines))
    enough = {
        label: sources
        for label, sources in counted.items()
        if sum(len(line) for lines in sources.values() for line in lines) >= LEAST_TEXT
    }
    return enough, {label: lines for label, lines in kept.items() if sum(map(len, lines)) >= LEAST_KEPT}


def _chances(lines: Sequence[str], written: Sequence[Form], kind: Kind) -> Counts:
    """How likely each word is in text of a label, whatever its form."""
    out = np.zeros(1 << BITS)
    for form in written:
        some = lines if form is written[0] else lines[: len(lines) // PART + 1]
        out += form.share * _counted(BREAK.join(filter(None, map(form.write, some))), kind)
    return out


def _counted(text: bytes, kind: Kind) -> Counts:
    """How likely each word is in some bytes, wherever in them it begins."""
    codes = np.frombuffer(text, np.uint8).astype(np.uint32)
    words = codes[:-3] | codes[1:-2] << 8 | codes[2:-1] << 16 | codes[3:] << 24
    found = np.bincount(places_of(words.astype(np.uint32), kind), minlength=1 << BITS)
    return np.asarray(found / max(found.sum(), 1), np.float64)


class _Web:
    """How likely each word is on the web's pages, by its languages and what stands around text."""

    def __init__(self, chances: Mapping[str, Counts], around: Counts) -> None:
        powers = web_powers()
        self._chances, self._around = chances, around
        self._shares = {label: 10 ** (SOFT * powers[label[:3]]) for label in chances}
        self._sum = sum(self._shares.values())
        self._total = np.sum([share * chances[label] for label, share in self._shares.items()], axis=0)

    def without(self, label: str) -> Counts:
        """On those that are not in a label."""
        share = self._shares.get(label, 0.0)
        rest = self._total - share * self._chances[label] if share else self._total
        own: Counts = np.maximum(rest, 0) / (self._sum - share)
        return AROUND * self._around + (1 - AROUND) * own


def _weights(own: Counts, others: Counts) -> NDArray[np.uint8]:
    """The level next to the log of the odds, for each word."""
    found = UNIT * np.log((np.where(own > SELDOM, own, 0) + NOT_SEEN) / (others + NOT_SEEN))
    between = [(low + high) / 2 for low, high in pairwise(LEVELS)]
    return (np.array(LEVELS)[np.searchsorted(between, found)] - LOWEST).astype(np.uint8)


def _least(look: Look, lines: Sequence[str], written: Sequence[Form], seed: str) -> int:
    """The sum that a stretch must have, so that hardly any text of the label has none such."""
    chance = random.Random(seed)
    found: list[int] = []
    for form in chance.choices(written, [form.share for form in written], k=SNIPPETS):
        text = " ".join(chance.choice(lines) for _ in range(MOST_LINES))
        begin = chance.randrange(max(len(text) - SNIPPET, 1))
        raw = form.write(text[begin : begin + SNIPPET])
        if raw:
            found.append(look.highest(_places(b"<p>" + b" " * chance.randrange(4) + raw + b"</p>", KINDS[look.kind])))
    return int(min(max(CAUTION * float(np.quantile(found, MISSED)), 0), MOST_LEAST)) if found else 0


def _places(text: bytes, kind: Kind) -> NDArray[np.intp]:
    return places_of(np.frombuffer(text, "<u4", len(text) // 4), kind)


def _sources(folder: Path, counted: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    used = {source for sources in counted.values() for source in sources}
    return {source: terms for source, terms in licences(folder).items() if source in used}


def _write(out: Path, looks: Mapping[str, Look], manifest: dict[str, Any]) -> None:
    levels = [np.searchsorted(LEVELS, look.weights.astype(int) + LOWEST).astype(np.uint8) for look in looks.values()]
    tables = [zlib.compress((level[::2] | level[1::2] << 4).tobytes(), 9) for level in levels]
    parts = {
        "names": "\n".join(looks).encode(),
        "kinds": bytes(kind_of(label) for label in looks),
        "least": np.array([look.least for look in looks.values()], "<i2").tobytes(),
        "starts": np.cumsum([0, *map(len, tables)]).astype("<u4").tobytes(),
        "tables": b"".join(tables),
    }
    write(out, MAGIC, VERSION, SECTIONS, parts, manifest)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the prefilter.")
    parser.add_argument("corpus", type=Path, help="a folder source/label.txt[.xz]")
    parser.add_argument("out", type=Path, help="the model file to write")
    parser.add_argument("--commercial", action="store_true", help="leave out sources with non-commercial terms")
    args = parser.parse_args()
    found = train(args.corpus, args.out, commercial=args.commercial, progress=lambda step: print(step, flush=True))
    print(f"{len(found['characters'])} labels, {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
