"""Accuracy of languages that are trained on scripture only: some well-known ones lose their other text.

    python experiments/studies/scripture_only.py [--data DIR] [--work DIR]

Up to sixty labels (fixed seed) with 200 kB of scripture and 100 kB of other text lose the latter, and a model is trained on the
rest. Then it classifies their other text, with several allowances per feature for labels of the lowest tier. The shipped value was
chosen here, on training text; its cost is the loss of accuracy of other labels on lines held out of training."""

from __future__ import annotations

import random
from collections.abc import Mapping

import corpora
import numpy as np

from webtongue import _kernel
from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.corpus.read import SCRIPTURE, Corpus
from webtongue.lab.train.corpus.sample import SampleConfig, count_bytes, draw_snippet
from webtongue.lab.train.corpus.words import SOURCE as WORDS
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.file import INFO

SEED = 11
MAX_LABELS = 60
MIN_SCRIPTURE_BYTES, MIN_OTHER_BYTES = 200_000, 100_000
SNIPPETS_PER_LABEL = 40
ALLOWANCES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
SENTENCES = SampleConfig(shortest=60, longest=200)


def reduce_to_scripture(corpus: Corpus) -> tuple[Corpus, dict[str, list[str]]]:
    """Return the corpus with some labels reduced to scripture, and the removed text."""
    by_label = corpus.group_by_label()
    eligible = []
    for label, sources in by_label.items():
        size = count_bytes(sources)
        scripture = sum(n for s, n in size.items() if s in SCRIPTURE)
        other = sum(n for s, n in size.items() if s not in SCRIPTURE and s not in ("udhr", WORDS))
        if scripture >= MIN_SCRIPTURE_BYTES and other >= MIN_OTHER_BYTES:
            eligible.append(label)
    chosen = set(random.Random(SEED).sample(eligible, min(MAX_LABELS, len(eligible))))
    removed: dict[str, list[str]] = {label: [] for label in chosen}
    for (source, label), lines in corpus.lines.items():
        if label in chosen and source not in SCRIPTURE | {WORDS}:
            removed[label] += lines
    kept = {place: lines for place, lines in corpus.lines.items() if place[1] not in chosen or place[0] in SCRIPTURE}
    return Corpus(kept), removed


def with_allowance(raw: np.ndarray, allowance: float) -> np.ndarray:
    """Return the bytes of a model with another allowance for the lowest tier."""
    changed = raw.copy()
    start, size = np.frombuffer(raw[32 + 2 * 16 : 32 + 3 * 16].tobytes(), "<u8")
    infos = np.frombuffer(changed[int(start) : int(start) + int(size)].tobytes(), INFO).copy()
    infos["allowance"] = np.where(infos["tier"] == 3, round(16 * allowance), 0)
    changed[int(start) : int(start) + int(size)] = np.frombuffer(infos.tobytes(), np.uint8)
    return changed


def accuracy(model: _kernel.LanguageModel, items: list[tuple[str, str]]) -> float:
    """Return the share of texts with the right label, or NaN if there are none."""
    ids = model.rank_many(*pack_lines([text for text, _ in items]), 1)[0][:, 0]
    names = model.labels
    return float(np.mean([i >= 0 and names[i] == label for i, (_, label) in zip(ids.tolist(), items, strict=True)]))


def main() -> None:
    parser = corpora.options_parser("scripture_only", __doc__)
    parser.add_argument("--passes", default=corpora.QUICK_PASSES, type=int)
    options = parser.parse_args()
    corpus, removed = reduce_to_scripture(audit(corpora.read_all(options))[0])
    print(f"{len(removed)} labels cut down to scripture: {', '.join(sorted(removed))}", flush=True)
    path = options.work / "model.wtm"
    fitted = corpora.train(corpus, path, TrainConfig(passes=options.passes))
    rng = random.Random(SEED)
    tiers = dict(zip(fitted.labels, _kernel.LanguageModel(np.fromfile(path, np.uint8)).tiers, strict=True))

    def draw(texts: Mapping[str, list[str]], count: int) -> list[tuple[str, str]]:
        return [(draw_snippet(texts[label], rng, SENTENCES), label) for label in sorted(texts) for _ in range(count)]

    held_out = {label: lines for label, lines in fitted.held_out.items() if lines}
    sets = [
        draw(removed, SNIPPETS_PER_LABEL),
        draw({label: held_out[label] for label in removed if label in held_out}, SNIPPETS_PER_LABEL),
    ]
    sets += [draw({label: held_out[label] for label in held_out if tiers[label] == tier}, 8) for tier in (1, 2, 3)]
    raw = np.fromfile(path, np.uint8)
    print("allowance  other text  scripture  held out: tier 1  tier 2  tier 3")
    for allowance in ALLOWANCES:
        model = _kernel.LanguageModel(with_allowance(raw, allowance))
        row = [accuracy(model, items) for items in sets]
        print(f"{allowance:9} " + "  ".join(f"{value:10.4f}" for value in row), flush=True)


if __name__ == "__main__":
    main()
