"""Precision of answers in rare labels under web priors, on text of all labels.

    python bench/rare_labels.py [--data DIR] [--lines 6]

Texts are a few lines of each label of the training corpus that training leaves out (lab/train/corpus/holdout.py), so most of them
are in rare labels: this measures whether a confident answer is right if rare text is present, not how rare that text is.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import sets
from common import options_parser, percent

from webtongue import Identifier, labels
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.read import DROPPED_LABELS, FOLDED_LABELS, iter_files, read_lines

SEED = 3
MIN_LINE_CHARS = 20
CONFIDENCES = (0.5, 0.9, 0.99)
ERROR_CONFIDENCE = 0.9  # confidence from which an error is listed
TIERS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its label."""

    label: str
    text: str


def held_out_lines(corpus: Path, max_lines: int) -> list[Line]:
    """Return held-out lines, at most ``max_lines`` of a label."""
    texts: dict[str, list[str]] = defaultdict(list)
    for file in iter_files(corpus):
        if file.label not in DROPPED_LABELS:
            kept = [line.strip() for line in read_lines(file.path) if len(line) >= MIN_LINE_CHARS and is_held_out(line)]
            texts[FOLDED_LABELS.get(file.label, file.label)] += kept
    rng = random.Random(SEED)
    return [
        Line(label, text)
        for label, lines in sorted(texts.items())
        for text in rng.sample(lines, min(max_lines, len(lines)))
    ]


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--lines", type=int, default=6, help="lines of each label (default 6)")
    options = parser.parse_args()
    ident = Identifier()
    tiers = dict(zip(ident.reader.model.labels, ident.reader.model.tiers, strict=True))
    answered: Counter[tuple[int, float]] = Counter()
    right: Counter[tuple[int, float]] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    lines = held_out_lines(sets.require_folder(options.data / "train"), options.lines)
    for line in lines:
        verdict = ident.identify_text(line.text)
        if verdict.label not in tiers:
            continue
        tier, is_right = tiers[verdict.label], verdict.label == str(labels.fold(line.label))
        for confidence in CONFIDENCES:
            if verdict.confidence >= confidence:
                answered[tier, confidence] += 1
                right[tier, confidence] += is_right
        if tier > 1 and verdict.confidence >= ERROR_CONFIDENCE and not is_right:
            errors[line.label, verdict.label] += 1
    print(f"{len(lines)} lines of {len({line.label for line in lines})} labels, web priors")
    for tier in TIERS:
        cells = []
        for confidence in CONFIDENCES:
            count, total = right[tier, confidence], answered[tier, confidence]
            cells.append(f">= {confidence}: {count}/{total} = {percent(count, total)}")
        print(f"answers of tier {tier}  {'  '.join(cells)}")
    print("most frequent errors:", ", ".join(f"{gold}->{label} {n}" for (gold, label), n in errors.most_common(12)))


if __name__ == "__main__":
    main()
