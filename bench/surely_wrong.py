"""How often an answer is sure of a language where there is no sentence, by kind; and how often it is sure where there is one.

    python bench/surely_wrong.py [--data DIR] [--limit 0] [--only non-sentences,sentences] [--show 0]

Non-sentences are the quality set (tests/quality, made by rule). Sentences are those of fifty characters and more of two dev
sets, which nothing here is tuned on: the share that is answered reliably, of all and of those answered rightly.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter
from pathlib import Path

import sets

import webtongue
from webtongue import Verdict, labels

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.quality import SPECIAL, Sample, identify, is_surely_wrong, kinds, samples

BAR = 0.005
LONG = 50  # characters of a sentence
SETS = ("sib200_floresdev", "lingua_sentences")
PARTS = ("non-sentences", "sentences")


def non_sentences(show: int) -> None:
    """A line a kind."""
    print(f"{'kind':32} {'samples':>8} {'surely wrong':>13} {'fonts':>6} {'answered':>9}   most often")
    all_of = wrong_of = 0
    for kind in kinds():
        read: list[tuple[Sample, Verdict]] = [(sample, identify(sample)) for sample in samples(kind)]
        wrong = [(sample, v) for sample, v in read if is_surely_wrong(sample, v)]
        fonts = sum(v.encoding.startswith("x-font-") for _, v in read)
        answered = sum(v.label not in SPECIAL for _, v in read) / len(read)
        most = ", ".join(f"{label} {n}" for label, n in Counter(v.label for _, v in wrong).most_common(4))
        print(f"{kind:32} {len(read):8} {len(wrong) / len(read):13.1%} {fonts:6} {answered:9.1%}   {most}", flush=True)
        for sample, v in wrong[:show]:
            print(f"    {v.label} {v.confidence:.3f} {sample.content[:160]!r}")
        all_of += len(read)
        wrong_of += len(wrong)
    verdict = "holds" if wrong_of <= BAR * all_of else "MISSES"
    print(f"{'all':32} {all_of:8} {wrong_of / all_of:13.2%}: the bar of {BAR:.1%} {verdict}\n")


def sentences(data: Path, limit: int) -> None:
    """The share of real sentences that an answer is sure of."""
    for name in SETS:
        with lzma.open(data / "dev" / "text" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
            rows = [row for row in map(json.loads, file) if len(row["text"]) >= LONG]
        rows = rows[:: max(1, len(rows) // limit)] if limit else rows
        read = [(str(labels.fold(row["label"])), webtongue.identify_text(row["text"])) for row in rows]
        sure = sum(v.reliable for _, v in read)
        right = sum(v.label == label for label, v in read)
        sure_right = sum(v.label == label and v.reliable for label, v in read)
        print(
            f"{name}: {len(rows)} sentences of {LONG} characters and more: {sure / len(rows):.2%} reliable, "
            f"{sure_right / right:.2%} of the {right / len(rows):.2%} right ones; of the reliable {sure_right / sure:.2%} are right"
        )


def main() -> None:
    parser = sets.arguments(__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=0, help="sentences of a set (default all)")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, by comma")
    parser.add_argument("--show", type=int, default=0, help="samples of a kind that are surely wrong to print")
    args = parser.parse_args()
    if PARTS[0] in args.only.split(","):
        non_sentences(args.show)
    if PARTS[1] in args.only.split(","):
        sentences(sets.need(Path(args.data)), args.limit)


if __name__ == "__main__":
    main()
