"""Train the font model: a corpus in, a model file out, by ``train`` or ``python -m webtongue.lab.train.fonts.train``.

Text in font encodings, made by rule, against ordinary text, as pairs of bytes. Three tables: a linear gate (font-encoded or not)
for every page, log-probabilities of every pair in every font for pages that pass the gate, and for Burmese a linear table over
pairs of code points, Zawgyi or Unicode. The same folder gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webtongue.fonts.tables import all_fonts
from webtongue.lab.train.corpus.licences import find_restricted_files, read_licences
from webtongue.lab.train.fonts.file import FontWeights, encode_font_bytes, write_font_model
from webtongue.lab.train.fonts.fit import THRESHOLD, fit_burmese, fit_gate, fit_rows
from webtongue.lab.train.fonts.texts import make_font_text, make_ordinary_text, read_texts

__all__ = ["train"]

ZAWGYI = "zawgyi"  # the only font that uses code points of its own script
CHARS_PER_FONT = 600_000


def train(folder: Path, path: Path, *, commercial: bool = False, seed: int = 7) -> dict[str, Any]:
    """Train on the corpus in ``folder``, write the model to ``path`` and its manifest beside it, and return the manifest.

    ``commercial`` leaves out files whose licence forbids commercial use or derivatives.
    """
    corpus = read_texts(folder, find_restricted_files(folder) if commercial else frozenset())
    fonts = [font for name, font in all_fonts().items() if name != ZAWGYI]
    texts = {font.name: encode_font_bytes(make_font_text(font, corpus, CHARS_PER_FONT, seed)) for font in fonts}
    ordinary = encode_font_bytes(make_ordinary_text(corpus, seed))
    gate, measured = fit_gate(list(texts.values()), ordinary, seed)
    rows = fit_rows([ordinary, *texts.values()])
    burmese = fit_burmese(all_fonts()[ZAWGYI], corpus, seed)
    licences = read_licences(folder)
    sources = sorted({source for sources in corpus.values() for source in sources})
    manifest = {
        "characters": {"ordinary": len(ordinary)} | {name: len(text) for name, text in texts.items()},
        "gate": measured,
        "seed": seed,
        "sources": {source: licences.get(source, []) for source in sources},
    }
    names = ["ordinary", *texts, ZAWGYI]
    write_font_model(path, FontWeights(names, THRESHOLD, gate, rows, burmese), manifest)
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
