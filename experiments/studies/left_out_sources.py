"""How well a label is known beyond the sources it was learnt from: one source of each is left out, then read.

    python experiments/studies/left_out_sources.py [--data DIR] [--work DIR] [--model FILE]

A source (fixed seed) of every label that has others left goes; a model is trained on the rest and reads the text left out,
all labels open and equally likely. Accuracy by source and length, and which factor on the fitted scales gives such text the most
likely probabilities and the least calibration error: calibrate.OUT_OF_SOURCE was chosen here, on training text.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import corpora
import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.train.container import NATS
from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.pack import pack_lines
from webtongue.train.corpus.read import SYNTHETIC, Corpus
from webtongue.train.corpus.sample import SampleConfig, sizes, snippet
from webtongue.train.text import calibrate
from webtongue.train.text.config import TrainConfig

SEED = 17
LEAST = 10_000  # bytes that a source must have to be left out
LEFT = 60_000  # bytes that a label must have without it
LENGTHS = (20, 50, 100, 200)
SNIPPETS = 12  # snippets of each label and length
FACTORS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)


def leave_out(corpus: Corpus) -> tuple[Corpus, dict[str, tuple[str, list[str]]]]:
    """The corpus without one source of each label that can spare one, and what was taken."""
    taken: dict[str, tuple[str, list[str]]] = {}
    for label, sources in corpus.of_label().items():
        size = sizes(sources)
        spare = [s for s, n in size.items() if s not in SYNTHETIC and n >= LEAST and sum(size.values()) - n >= LEFT]
        if spare:
            source = random.Random(f"{SEED}/{label}").choice(sorted(spare))
            taken[label] = (source, sources[source])
    gone = {(source, label) for label, (source, _) in taken.items()}
    return Corpus({place: lines for place, lines in corpus.lines.items() if place not in gone}), taken


def probabilities(scores: NDArray[np.int32], scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the candidates, best first."""
    logits = scores.astype(np.float64) * scales[:, None] / calibrate.UNITS
    logits[scores == np.iinfo(np.int32).min] = -np.inf
    odds = np.exp(logits - logits[:, :1])
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def error(chance: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Calibration error over 15 bins of equal mass."""
    bins = np.array_split(np.argsort(chance, kind="stable"), 15)
    return float(sum(len(b) * abs(chance[b].mean() - right[b].mean()) for b in bins) / len(chance))


@dataclass(frozen=True, slots=True)
class Read:
    """Snippets of one length as a model reads them: candidates best first, and what is true of each snippet."""

    sources: list[str]
    ids: NDArray[np.int32]
    scores: NDArray[np.int32]
    features: NDArray[np.int64]
    gold: NDArray[np.int64]

    @property
    def right(self) -> NDArray[np.bool_]:
        return self.ids[:, 0] == self.gold


def read(model: _kernel.LanguageModel, taken: dict[str, tuple[str, list[str]]], length: int) -> Read:
    """Snippets of about this length, of every label that the model has."""
    shape = SampleConfig(shortest=length, longest=length + 1)
    rnd = random.Random(f"{SEED}/{length}")
    items = [
        (snippet(lines, rnd, shape), label, source)
        for label, (source, lines) in sorted(taken.items())
        for _ in range(SNIPPETS)
    ]
    names = model.labels
    items = [item for item in items if len(item[0]) >= length * 0.7 and item[1] in names]
    ids, _, scores, facts = model.rank_many(*pack_lines([text for text, _, _ in items]), 32)
    gold = np.array([names.index(label) for _, label, _ in items])
    return Read([source for _, _, source in items], ids, scores, facts[:, 0], gold)


def report(found: Read, scales: NDArray[np.float64], tiers: NDArray[np.int64]) -> None:
    """A line a tier: how many are right, and calibration error and loss for each factor."""
    right, own = found.right, scales[np.minimum(found.features, len(scales) - 1)]
    for tier in (1, 2, 3):
        of = tiers[np.maximum(found.ids[:, 0], 0)] == tier
        if not of.any():
            continue
        cells = []
        for factor in FACTORS:
            chance = probabilities(found.scores[of], own[of] * factor)
            truth = np.where(found.ids[of] == found.gold[of][:, None], chance, 0).sum(axis=1)
            loss = -np.log(np.maximum(truth, 1e-6)).mean()
            cells.append(f"{factor}: {error(chance[:, 0], right[of]):.3f} {loss:.3f}")
        print(
            f"  answers of tier {tier}: {of.sum()}, {right[of].mean():.1%} right; factor: error loss  {'  '.join(cells)}"
        )


def main() -> None:
    parser = corpora.parser("left_out_sources", __doc__)
    parser.add_argument("--passes", default=corpora.QUICK, type=int)
    parser.add_argument(
        "--model", type=Path, help="trained before without these sources: that of held_out_labels.py will do"
    )
    options = parser.parse_args()
    corpus, taken = leave_out(audit(corpora.read_all(options))[0])
    out = options.model or options.work / "model.wtm"
    if options.model is None:
        corpora.train(corpus, out, TrainConfig(passes=options.passes))
    model = _kernel.LanguageModel(np.fromfile(out, np.uint8))
    scales = np.array([model.scale(n, 1) for n in range(4096)]) / 65536 / NATS * calibrate.UNITS
    by_source: dict[str, list[float]] = defaultdict(list)
    for length in LENGTHS:
        found = read(model, taken, length)
        print(f"{length} characters: {len(found.gold)} snippets, {found.right.mean():.1%} right")
        report(found, scales / calibrate.OUT_OF_SOURCE[0], np.array(model.tiers))
        for source, hit in zip(found.sources, found.right.tolist(), strict=True):
            by_source[source].append(hit)
    for source, hits in sorted(by_source.items(), key=lambda item: np.mean(item[1])):
        print(f"{source:16} {len(hits):6} snippets  {np.mean(hits):.1%}")


if __name__ == "__main__":
    main()
