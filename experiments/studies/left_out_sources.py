"""How well a label is known beyond the sources it was learnt from: one source of each is left out, then read.

    python experiments/studies/left_out_sources.py [--data DIR] [--work DIR] [--model FILE]

A source (fixed seed) of every label that has others left goes; a model is trained on the rest and reads the text left out,
all labels open and equally likely. Accuracy by source and length, and which factor on the fitted scales gives such text the most
likely probabilities and the least calibration error: calibrate.OUT_OF_SOURCE was chosen here, on training text.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
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
from webtongue.train.corpus.varieties import add_varieties
from webtongue.train.text import calibrate
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import fit, write

SEED = 17
LEAST, LEFT = 10_000, 60_000  # bytes of a source worth leaving out, and of what a label must have left
LENGTHS = (20, 50, 100, 200)
SNIPPETS = 12  # a label and length
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    corpora.add_arguments(parser, "left_out_sources")
    parser.add_argument("--passes", default=3, type=int)
    parser.add_argument(
        "--model", type=Path, help="trained before without these sources: that of held_out_labels.py will do"
    )
    options = parser.parse_args()
    corpus, taken = leave_out(audit(corpora.read_all(options))[0])
    out = options.model or options.work / "model.wtm"
    if options.model is None:
        options.work.mkdir(parents=True, exist_ok=True)
        add_varieties(corpus)
        config = TrainConfig(passes=options.passes)
        write(fit(corpus, config, lambda step: print(step, flush=True)), out, config, {}, print)
    model = _kernel.LanguageModel(np.fromfile(out, np.uint8))
    names = model.labels
    scales = np.array([model.scale(n, 1) for n in range(4096)]) / 65536 / NATS * calibrate.UNITS
    scales /= calibrate.OUT_OF_SOURCE[0]
    tiers = np.array(model.tiers)
    by_source: dict[str, list[float]] = defaultdict(list)
    for length in LENGTHS:
        shape = SampleConfig(shortest=length, longest=length + 1)
        rnd = random.Random(f"{SEED}/{length}")
        items = [
            (snippet(lines, rnd, shape), label, source)
            for label, (source, lines) in sorted(taken.items())
            for _ in range(SNIPPETS)
        ]
        items = [item for item in items if len(item[0]) >= length * 0.7 and item[1] in names]
        ids, _, scores, facts = model.rank_many(*pack_lines([text for text, _, _ in items]), 32)
        gold = np.array([names.index(label) for _, label, _ in items])
        right = ids[:, 0] == gold
        for (_, _, source), hit in zip(items, right.tolist(), strict=True):
            by_source[source].append(hit)
        own = scales[np.minimum(facts[:, 0], 4095)]
        print(f"{length} characters: {len(items)} snippets, {right.mean():.1%} right")
        for tier in (1, 2, 3):
            of = tiers[np.maximum(ids[:, 0], 0)] == tier
            line = []
            for factor in FACTORS:
                chance = probabilities(scores[of], own[of] * factor)
                truth = np.where(ids[of] == gold[of][:, None], chance, 0).sum(axis=1)
                line.append(
                    f"{factor}: {error(chance[:, 0], right[of]):.3f} {-np.log(np.maximum(truth, 1e-6)).mean():.3f}"
                )
            print(
                f"  answers of tier {tier}: {of.sum()}, {right[of].mean():.1%} right; factor: error loss  "
                + "  ".join(line)
            )
    for source, hits in sorted(by_source.items(), key=lambda item: np.mean(item[1])):
        print(f"{source:16} {len(hits):6} snippets  {np.mean(hits):.1%}")


if __name__ == "__main__":
    main()
