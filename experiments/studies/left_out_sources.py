"""Accuracy of labels on sources that they were not trained on: one source of each label is held out.

    python experiments/studies/left_out_sources.py [--data DIR] [--work DIR] [--model FILE]

One source (fixed seed) of every label that has enough others is held out; a model is trained on the rest and classifies the
held-out text, with all labels allowed and equally likely. This prints accuracy by source and length, and the factor of the fitted
scales with the least loss and calibration error on such text: calibrate.TIER_FACTORS was chosen here, on training text."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import corpora
import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.corpus.read import SYNTHETIC, Corpus
from webtongue.lab.train.corpus.sample import SampleConfig, count_bytes, draw_snippet
from webtongue.lab.train.text import calibrate
from webtongue.lab.train.text.config import TrainConfig
from webtongue.policy import LOG_SCALE

SEED = 17
MIN_SOURCE_BYTES = 10_000  # smaller sources are not held out
MIN_REMAINING_BYTES = 60_000  # of a label, without the held-out source
LENGTHS = (20, 50, 100, 200)
SNIPPETS_PER_LABEL = 12  # for each length
FACTORS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)


def hold_out_sources(corpus: Corpus) -> tuple[Corpus, dict[str, tuple[str, list[str]]]]:
    """Return the corpus without one source of each label that has enough others, and the held-out text."""
    held_out: dict[str, tuple[str, list[str]]] = {}
    for label, sources in corpus.group_by_label().items():
        size = count_bytes(sources)
        spare = [
            s
            for s, n in size.items()
            if s not in SYNTHETIC and n >= MIN_SOURCE_BYTES and sum(size.values()) - n >= MIN_REMAINING_BYTES
        ]
        if spare:
            source = random.Random(f"{SEED}/{label}").choice(sorted(spare))
            held_out[label] = (source, sources[source])
    removed = {(source, label) for label, (source, _) in held_out.items()}
    return Corpus({place: lines for place, lines in corpus.lines.items() if place not in removed}), held_out


def probabilities(scores: NDArray[np.int32], scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of the candidates, best first."""
    logits = scores.astype(np.float64) * scales[:, None] / calibrate.UNITS
    logits[scores == np.iinfo(np.int32).min] = -np.inf
    odds = np.exp(logits - logits[:, :1])
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the calibration error over 15 bins of equal size."""
    bins = np.array_split(np.argsort(confidence, kind="stable"), 15)
    return float(sum(len(b) * abs(confidence[b].mean() - right[b].mean()) for b in bins) / len(confidence))


@dataclass(frozen=True, slots=True)
class RankedSnippets:
    """Snippets of one length: the model's candidates, best first, and the true labels."""

    sources: list[str]
    ids: NDArray[np.int32]
    scores: NDArray[np.int32]
    features: NDArray[np.uint32]
    gold: NDArray[np.int64]

    @property
    def right(self) -> NDArray[np.bool_]:
        return self.ids[:, 0] == self.gold


def rank_snippets(
    model: _kernel.LanguageModel, held_out: dict[str, tuple[str, list[str]]], length: int
) -> RankedSnippets:
    """Return ranked snippets of about this length of every label of the model."""
    config = SampleConfig(shortest=length, longest=length + 1)
    rng = random.Random(f"{SEED}/{length}")
    items = [
        (draw_snippet(lines, rng, config), label, source)
        for label, (source, lines) in sorted(held_out.items())
        for _ in range(SNIPPETS_PER_LABEL)
    ]
    names = model.labels
    items = [item for item in items if len(item[0]) >= length * 0.7 and item[1] in names]
    ids, _, scores, facts = model.rank_many(*pack_lines([text for text, _, _ in items]), 32)
    gold = np.array([names.index(label) for _, label, _ in items])
    return RankedSnippets([source for _, _, source in items], ids, scores, facts[:, 0], gold)


def report(snippets: RankedSnippets, scales: NDArray[np.float64], tiers: NDArray[np.int64]) -> None:
    """Print a line for each tier: accuracy, and calibration error and loss for each factor."""
    right, own_scales = snippets.right, scales[np.minimum(snippets.features, len(scales) - 1)]
    for tier in (1, 2, 3):
        mask = tiers[np.maximum(snippets.ids[:, 0], 0)] == tier
        if not mask.any():
            continue
        cells = []
        for factor in FACTORS:
            confidence = probabilities(snippets.scores[mask], own_scales[mask] * factor)
            truth = np.where(snippets.ids[mask] == snippets.gold[mask][:, None], confidence, 0).sum(axis=1)
            loss = -np.log(np.maximum(truth, 1e-6)).mean()
            cells.append(f"{factor}: {calibration_error(confidence[:, 0], right[mask]):.3f} {loss:.3f}")
        print(
            f"  answers of tier {tier}: {mask.sum()}, {right[mask].mean():.1%} right; factor: error loss  {'  '.join(cells)}"
        )


def main() -> None:
    parser = corpora.options_parser("left_out_sources", __doc__)
    parser.add_argument("--passes", default=corpora.QUICK_PASSES, type=int)
    parser.add_argument(
        "--model", type=Path, help="a model trained without these sources, such as that of held_out_labels.py"
    )
    options = parser.parse_args()
    corpus, held_out = hold_out_sources(audit(corpora.read_all(options))[0])
    path = options.model or options.work / "model.wtm"
    if options.model is None:
        corpora.train(corpus, path, TrainConfig(passes=options.passes))
    model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
    scales = np.array([model.scale(n, 1) for n in range(4096)]) / 65536 / LOG_SCALE * calibrate.UNITS
    by_source: dict[str, list[float]] = defaultdict(list)
    for length in LENGTHS:
        snippets = rank_snippets(model, held_out, length)
        print(f"{length} characters: {len(snippets.gold)} snippets, {snippets.right.mean():.1%} right")
        report(snippets, scales / calibrate.TIER_FACTORS[0], np.array(model.tiers))
        for source, is_right in zip(snippets.sources, snippets.right.tolist(), strict=True):
            by_source[source].append(is_right)
    for source, results in sorted(by_source.items(), key=lambda item: np.mean(item[1])):
        print(f"{source:16} {len(results):6} snippets  {np.mean(results):.1%}")


if __name__ == "__main__":
    main()
