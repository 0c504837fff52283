"""Write ``native/tables/single_language_scripts.inc``: typical text of the scripts that only one label uses.

    python tools/weights/make_single_language_scripts.py [--data ../shared/data]

Such labels have no weights, so that without this table no text in their scripts would be rejected. The table has for each script
the most common letter pairs (for Hangul syllables) that make up 99.7% of its text, as bits, and the share of them that 199 lines in
200 exceed, less a margin.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path

import numpy as np

from webtongue import Identifier, _kernel
from webtongue.lab.train.corpus.read import read_corpus

TARGET = Path(__file__).parents[2] / "native" / "tables" / "single_language_scripts.inc"
BITS = 4096
MAX_LINES = 30_000
COVERED_SHARE = 0.997
MIN_UNITS = 20  # shorter lines are not used
MARGIN = 0.05
MIN_SHARE = 0.55  # scripts below it are omitted, since their table is no evidence


def read_units(label: str, line: str) -> list[int]:
    return list(_kernel.script_units(label.partition("_")[2], line.encode()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path)
    model = Identifier().reader.model
    scripts = Counter(_kernel.script_group(label.partition("_")[2]) for label in model.labels)
    single_labels = [label for label in model.labels if scripts[_kernel.script_group(label.partition("_")[2])] == 1]
    corpus = read_corpus(parser.parse_args().data / "train", labels=single_labels).group_by_label()
    rows = []
    for label in sorted(set(single_labels) & corpus.keys()):
        lines = [line for text in corpus[label].values() for line in text]
        random.Random(label).shuffle(lines)
        lines = lines[:MAX_LINES]
        half = len(lines) // 2
        counts = Counter(unit for line in lines[:half] for unit in read_units(label, line))
        table = np.zeros(BITS, bool)
        remaining = COVERED_SHARE * counts.total()
        for unit, count in counts.most_common():
            if remaining <= 0:
                break
            table[unit % BITS] = True
            remaining -= count
        shares = [
            np.mean(table[np.array(units) % BITS])
            for line in lines[half:]
            if len(units := read_units(label, line)) >= MIN_UNITS
        ]
        threshold = float(np.quantile(shares, 0.005)) - MARGIN if len(shares) >= 200 else 0.0
        print(
            f"{label}: {len(counts)} units, {table.mean():.0%} of the table, {len(shares)} lines, low {threshold:.3f}"
        )
        if threshold >= MIN_SHARE and table.mean() < threshold - 0.2:
            words = np.packbits(table, bitorder="little").view("<u8")
            rows.append(
                f'    {{"{label[4:]}", {round(threshold * 1000)}, {{{", ".join(f"{word:#x}" for word in words.tolist())}}}}},'
            )
    text = (
        "// Written by tools/weights/make_single_language_scripts.py.\nconstexpr ScriptUnits SINGLE_LANGUAGE_SCRIPTS[] = {\n"
        + "\n".join(rows)
        + "\n};\n"
    )
    TARGET.write_text(text, "ascii")


if __name__ == "__main__":
    main()
