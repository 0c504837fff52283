"""How often text in a language that the model does not know is forced into one that it knows.

    python experiments/held_out_labels.py [--data DIR] [--work DIR]

Trains on the corpus without 100 labels and without all labels of 5 scripts (fixed seed), then reads their text. Close
relatives (labels of the same look-alike group, or whose name shares a word) are counted apart: a text in Kichwa that is
called Quechua is a near miss, not a failure.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
from collections import Counter
from pathlib import Path

from webtongue import Identifier, labels

SEED = 7
LABELS = 100
SCRIPTS = ("Cher", "Thaa", "Olck", "Cans", "Tibt")
LINES = 30
LEAST = 60  # characters


def choose(corpus: Path) -> set[str]:
    known = sorted({path.name.split(".")[0] for path in corpus.glob("*/*.txt.xz")})
    out = set(random.Random(SEED).sample([label for label in known if not label.endswith(SCRIPTS)], LABELS))
    return out | {label for label in known if label.endswith(SCRIPTS)}


def reduced(corpus: Path, work: Path, without: set[str]) -> Path:
    """The corpus without some labels, as a folder of links."""
    target = work / "corpus"
    for path in corpus.rglob("*"):
        if path.is_file() and path.name.split(".")[0] not in without:
            link = target / path.relative_to(corpus)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(path.resolve())
    return target


def lines_of(corpus: Path, label: str) -> list[str]:
    out: list[str] = []
    for path in sorted(corpus.glob(f"*/{label}.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            out += [line.strip() for line in file if len(line) >= LEAST]
    return random.Random(SEED).sample(out, min(LINES, len(out)))


def related(one: str, other: str) -> bool:
    if labels.group(one) and labels.group(one) == labels.group(other):
        return True
    words = [set(re.findall(r"\w{4,}", labels.name(label))) for label in (one, other)]
    return bool(words[0] & words[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="../shared/data", type=Path)
    parser.add_argument("--work", default="build/held_out_labels", type=Path)
    options = parser.parse_args()
    corpus, model = options.data / "train", options.work / "model.wtm"
    without = choose(corpus)
    if not model.exists():
        from webtongue.train.fit import train

        train(reduced(corpus, options.work, without), model)
    for priors in ("web", "uniform"):
        ident = Identifier(priors=priors, model=str(model))
        count: Counter[str] = Counter()
        forced: Counter[tuple[str, str]] = Counter()
        for label in sorted(without):
            for line in lines_of(corpus, label):
                got = ident.identify_text(line).label
                kind = "rejected" if got in ("und", "zxx") else "relative" if related(label, got) else "forced"
                count[kind] += 1
                forced[label, got] += kind == "forced"
        total = count.total()
        shares = ", ".join(f"{kind} {n / total:.1%}" for kind, n in count.most_common())
        print(f"{priors}: {total} texts of {len(without)} unknown labels: {shares}")
        print("  most often:", ", ".join(f"{label}->{got} {n}" for (label, got), n in forced.most_common(12)))


if __name__ == "__main__":
    main()
