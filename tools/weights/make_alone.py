"""Write ``native/tables/alone.inc``: what text looks like in the scripts that one label has to itself.

    python tools/weights/make_alone.py [--data ../shared/data]

Such labels need no weights, so that nothing would ever be refused in their scripts. For each script the commonest pairs of letters
(in Hangul the commonest syllables) that make up 99.7% of its text, as bits of a small table, and the share of them that all but one in two hundred
lines have, less a little.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path

import numpy as np

from webtongue import Identifier, _kernel
from webtongue.train.corpus.read import read_corpus

OUT = Path(__file__).parents[2] / "native" / "tables" / "alone.inc"
BITS = 4096
LINES = 30_000  # of a label
COVERED = 0.997  # of the text
LEAST = 20  # units of a line that is judged
SLACK = 0.05
LOWEST = 0.55  # below this a table tells nothing: such scripts are left out


def units_of(label: str, line: str) -> list[int]:
    return list(_kernel.alone_units(label.partition("_")[2], line.encode()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path)
    model = Identifier().reader.model
    scripts = Counter(_kernel.script_group(label.partition("_")[2]) for label in model.labels)
    alone = [label for label in model.labels if scripts[_kernel.script_group(label.partition("_")[2])] == 1]
    corpus = read_corpus(parser.parse_args().data / "train", labels=alone).of_label()
    rows = []
    for label in sorted(set(alone) & corpus.keys()):
        lines = [line for text in corpus[label].values() for line in text]
        random.Random(label).shuffle(lines)
        lines = lines[:LINES]
        half = len(lines) // 2
        counts = Counter(unit for line in lines[:half] for unit in units_of(label, line))
        table = np.zeros(BITS, bool)
        left = COVERED * counts.total()
        for unit, count in counts.most_common():
            if left <= 0:
                break
            table[unit % BITS] = True
            left -= count
        shares = [
            np.mean(table[np.array(u) % BITS]) for line in lines[half:] if len(u := units_of(label, line)) >= LEAST
        ]
        low = float(np.quantile(shares, 0.005)) - SLACK if len(shares) >= 200 else 0.0
        print(f"{label}: {len(counts)} units, {table.mean():.0%} of the table, {len(shares)} lines, low {low:.3f}")
        if low >= LOWEST and table.mean() < low - 0.2:
            words = np.packbits(table, bitorder="little").view("<u8")
            rows.append(
                f'    {{"{label[4:]}", {round(low * 1000)}, {{{", ".join(f"{word:#x}" for word in words.tolist())}}}}},'
            )
    text = "// Written by tools/weights/make_alone.py.\nconstexpr Alone ALONE[] = {\n" + "\n".join(rows) + "\n};\n"
    OUT.write_text(text, "ascii")


if __name__ == "__main__":
    main()
