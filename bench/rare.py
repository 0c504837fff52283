"""Can rare answers be trusted? Text of every label under web priors: of answers in a rare label, how many are right.

    python bench/rare.py [--data DIR] [--lines 6]

The text are lines of the training corpus that training leaves out (train/corpus/holdout.py), a few of every label, so rare labels
make up most of it: the question is whether a confident answer is right when rare text is there, not how rare it is.
"""

from __future__ import annotations

import lzma
import random
from collections import Counter, defaultdict
from pathlib import Path

import sets

from webtongue import Identifier, labels
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, entries

SEED = 3
SHORTEST = 20
SURE = (0.5, 0.9, 0.99)


def texts(corpus: Path, lines: int) -> list[tuple[str, str]]:
    """(label, line), at most `lines` of a label."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in entries(corpus):
        if entry.label not in DROPPED_LABELS:
            with lzma.open(entry.path, "rt", encoding="utf-8") as file:
                kept = [line.strip() for line in file if len(line) > SHORTEST and held_out(line.strip("\n"))]
            found[FOLDS.get(entry.label, entry.label)] += kept
    rnd = random.Random(SEED)
    return [(label, line) for label, all_ in sorted(found.items()) for line in rnd.sample(all_, min(lines, len(all_)))]


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--lines", type=int, default=6)
    options = parser.parse_args()
    ident = Identifier()
    tier = dict(zip(ident.reader.model.labels, ident.reader.model.tiers, strict=True))
    said: Counter[tuple[int, float]] = Counter()
    right: Counter[tuple[int, float]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    items = texts(sets.need(Path(options.data) / "train"), options.lines)
    for gold, line in items:
        v = ident.identify_text(line)
        for least in SURE:
            if v.label in tier and v.confidence >= least:
                said[tier[v.label], least] += 1
                right[tier[v.label], least] += v.label == str(labels.fold(gold))
        if v.label in tier and tier[v.label] > 1 and v.confidence >= 0.9 and v.label != str(labels.fold(gold)):
            wrong[gold, v.label] += 1
    print(f"{len(items)} lines of {len({gold for gold, _ in items})} labels, web priors")
    for level in (1, 2, 3):
        row = "  ".join(
            f">= {least}: {right[level, least]}/{said[level, least]} = {right[level, least] / max(1, said[level, least]):.1%}"
            for least in SURE
        )
        print(f"answers of tier {level}  {row}")
    print("most frequent errors:", ", ".join(f"{gold}->{got} {n}" for (gold, got), n in wrong.most_common(12)))


if __name__ == "__main__":
    main()
