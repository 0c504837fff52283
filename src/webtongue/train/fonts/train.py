"""The font model: a corpus in, a model file out, by ``train(folder, out)`` or ``python -m webtongue.train.fonts.train``.

Text made font-coded by rule against ordinary text, as pairs of bytes. Three tables: a linear gate (font or not) that every page
pays for, log-probabilities of every pair in every font for pages that pass it, and for Burmese a linear one over pairs of code
points, Zawgyi or Unicode. The same folder gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webtongue.fonts.tables import named
from webtongue.train.corpus.terms import closed, licences
from webtongue.train.fonts.file import FontWeights, font_bytes, write_font_model
from webtongue.train.fonts.fit import THRESHOLD, fit_burmese, fit_gate, fit_rows
from webtongue.train.fonts.texts import coded, ordinary, read_texts

__all__ = ["train"]

ZAWGYI = "zawgyi"  # the one font that draws over letters of its own script
FONT_TEXT = 600_000  # characters of each font


def train(folder: Path, out: Path, *, commercial: bool = False, seed: int = 7) -> dict[str, Any]:
    """Reads the corpus in ``folder``, fits, writes the model to ``out`` and its manifest, which is returned, beside it.

    ``commercial`` leaves out sources whose terms forbid commercial use or derivatives.
    """
    corpus = read_texts(folder, closed(folder) if commercial else frozenset())
    fonts = [font for name, font in named().items() if name != ZAWGYI]
    texts = {font.name: font_bytes(coded(font, corpus, FONT_TEXT, seed)) for font in fonts}
    plain = font_bytes(ordinary(corpus, seed))
    gate, measured = fit_gate(list(texts.values()), plain, seed)
    rows = fit_rows([plain, *texts.values()])
    burmese = fit_burmese(named()[ZAWGYI], corpus, seed)
    terms = licences(folder)
    used = sorted({source for sources in corpus.values() for source in sources})
    manifest = {
        "characters": {"ordinary": len(plain)} | {name: len(text) for name, text in texts.items()},
        "gate": measured,
        "seed": seed,
        "sources": {source: terms.get(source, []) for source in used},
    }
    names = ["ordinary", *texts, ZAWGYI]
    write_font_model(out, FontWeights(names, THRESHOLD, gate, rows, burmese), manifest)
    return manifest


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the font model.")
    parser.add_argument("corpus", type=Path, help="a folder source/label.txt[.xz]")
    parser.add_argument("out", type=Path, help="the model file to write")
    parser.add_argument("--commercial", action="store_true", help="leave out sources with non-commercial terms")
    args = parser.parse_args()
    print(json.dumps(train(args.corpus, args.out, commercial=args.commercial)["gate"]))


if __name__ == "__main__":
    main()
