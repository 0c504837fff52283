"""What becomes of a language that is known from scripture alone: some well-known ones are cut down to it.

    python experiments/studies/scripture_only.py [--data DIR] [--work DIR]

Up to sixty labels (fixed seed) with 200 kB of scripture and 100 kB of other text lose the latter, and a model is trained on what is
left. Then their other text is read, with several allowances a feature for labels of the lowest tier: the shipped
value was chosen here, on training text, and its cost is what the other labels lose on lines held out of training.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import corpora
import numpy as np

from webtongue import _kernel
from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.pack import pack_lines
from webtongue.train.corpus.read import SCRIPTURE, Corpus
from webtongue.train.corpus.sample import SampleConfig, sizes, snippet
from webtongue.train.corpus.words import SOURCE as WORDS
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.file import INFO

SEED = 11
LABELS = 60
SCRIPTURE_BYTES, OTHER_BYTES = 200_000, 100_000
SNIPPETS = 40  # snippets of each label
ALLOWANCES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
SENTENCES = SampleConfig(shortest=60, longest=200)


def cut(corpus: Corpus) -> tuple[Corpus, dict[str, list[str]]]:
    """The corpus with some labels cut down, and the text they lost."""
    by_label = corpus.of_label()
    fit_for_it = []
    for label, sources in by_label.items():
        size = sizes(sources)
        scripture = sum(n for s, n in size.items() if s in SCRIPTURE)
        other = sum(n for s, n in size.items() if s not in SCRIPTURE and s not in ("udhr", WORDS))
        if scripture >= SCRIPTURE_BYTES and other >= OTHER_BYTES:
            fit_for_it.append(label)
    chosen = set(random.Random(SEED).sample(fit_for_it, min(LABELS, len(fit_for_it))))
    lost: dict[str, list[str]] = {label: [] for label in chosen}
    for (source, label), lines in corpus.lines.items():
        if label in chosen and source not in SCRIPTURE | {WORDS}:
            lost[label] += lines
    kept = {place: lines for place, lines in corpus.lines.items() if place[1] not in chosen or place[0] in SCRIPTURE}
    return Corpus(kept), lost


def with_allowance(raw: np.ndarray, allowance: float) -> np.ndarray:
    """The model file in memory, its lowest tier granted something else."""
    out = raw.copy()
    start, size = np.frombuffer(raw[32 + 2 * 16 : 32 + 3 * 16].tobytes(), "<u8")
    infos = np.frombuffer(out[int(start) : int(start) + int(size)].tobytes(), INFO).copy()
    infos["allowance"] = np.where(infos["tier"] == 3, round(16 * allowance), 0)
    out[int(start) : int(start) + int(size)] = np.frombuffer(infos.tobytes(), np.uint8)
    return out


def accuracy(model: _kernel.LanguageModel, items: list[tuple[str, str]]) -> float:
    """The share of texts whose label the model finds; NaN where there are none."""
    ids = model.rank_many(*pack_lines([text for text, _ in items]), 1)[0][:, 0]
    names = model.labels
    return float(np.mean([i >= 0 and names[i] == label for i, (_, label) in zip(ids.tolist(), items, strict=True)]))


def main() -> None:
    parser = corpora.parser("scripture_only", __doc__)
    parser.add_argument("--passes", default=corpora.QUICK, type=int)
    options = parser.parse_args()
    corpus, lost = cut(audit(corpora.read_all(options))[0])
    print(f"{len(lost)} labels cut down to scripture: {', '.join(sorted(lost))}", flush=True)
    out = options.work / "model.wtm"
    fitted = corpora.train(corpus, out, TrainConfig(passes=options.passes))
    rnd = random.Random(SEED)
    tiers = dict(zip(fitted.labels, _kernel.LanguageModel(np.fromfile(out, np.uint8)).tiers, strict=True))

    def draw(texts: Mapping[str, list[str]], count: int) -> list[tuple[str, str]]:
        return [(snippet(texts[label], rnd, SENTENCES), label) for label in sorted(texts) for _ in range(count)]

    held = {label: lines for label, lines in fitted.held.items() if lines}
    sets = [draw(lost, SNIPPETS), draw({label: held[label] for label in lost if label in held}, SNIPPETS)]
    sets += [draw({label: held[label] for label in held if tiers[label] == tier}, 8) for tier in (1, 2, 3)]
    raw = np.fromfile(out, np.uint8)
    print("allowance  other text  scripture  held out: tier 1  tier 2  tier 3")
    for allowance in ALLOWANCES:
        model = _kernel.LanguageModel(with_allowance(raw, allowance))
        row = [accuracy(model, items) for items in sets]
        print(f"{allowance:9} " + "  ".join(f"{value:10.4f}" for value in row), flush=True)


if __name__ == "__main__":
    main()
