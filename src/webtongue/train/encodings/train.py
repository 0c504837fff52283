"""The model of encodings: a corpus in, a model file out, by ``train(folder, out)``.

read text -> write it in every encoding that can hold it -> fit n-grams of bytes -> fit byte contexts on other lines -> write.
The same folder and settings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import _kernel
from webtongue.coding.model import common_offsets
from webtongue.train.corpus.read import entries
from webtongue.train.corpus.terms import closed, licences
from webtongue.train.encodings.classes import CLASSES, KINDS, RULE, code_tables
from webtongue.train.encodings.context import fit_contexts, read_as
from webtongue.train.encodings.file import write_byte_model
from webtongue.train.encodings.fit import FitConfig, fit_byte_model
from webtongue.train.encodings.samples import Texts, read_texts, samples

__all__ = ["train"]

CONTEXT_LINES = 5  # one line in this many is kept for fitting byte contexts
CONTEXT_LENGTHS = (30, 8000)  # characters of a text whose byte contexts are learnt


def train(
    folder: Path,
    out: Path,
    count: int = 1200,
    config: FitConfig = FitConfig(),  # noqa: B008  frozen
    commercial: bool = False,
    progress: Callable[[str], None] = lambda step: None,
) -> None:
    """Reads the corpus in ``folder``, makes ``count`` samples for an encoding, fits, and writes the model to ``out``.

    ``commercial`` leaves out sources whose terms forbid commercial use or derivatives.
    """
    progress("reading")
    texts = read_texts(folder, commercial=commercial)
    progress(f"{len(texts.lines)} labels")
    weights = fit_byte_model(samples(_part(texts, False), count, config.seed), CLASSES, RULE, config, progress)
    tables = code_tables(CLASSES)
    letters, sorts = read_as(tables)
    kinds = [KINDS.get(name, 0) for name in CLASSES]
    weights = replace(weights, kinds=kinds, tables=tables, letters=letters, sorts=sorts)
    write_byte_model(out, weights, {})
    model = _kernel.ByteModel(np.fromfile(out, np.uint8))
    unseen = samples(_part(texts, True), count // 2, config.seed + 1, CONTEXT_LENGTHS)
    weights = replace(weights, contexts=fit_contexts(model, unseen, common_offsets(CLASSES), progress=progress))
    sources = sorted({e.source for e in entries(folder, closed(folder) if commercial else ())})
    manifest: dict[str, Any] = {
        "kind": "encodings",
        "samples": count,
        "sources": {name: terms for name, terms in licences(folder).items() if name in sources},
        "commercial": commercial,
    }
    write_byte_model(out, weights, manifest)


def _part(texts: Texts, contexts: bool) -> Texts:
    """The lines that n-grams are fitted on, or those kept for contexts: on text that it has seen a model is too sure."""

    def part(lines: list[str]) -> list[str]:
        return [line for place, line in enumerate(lines) if (place % CONTEXT_LINES == 0) == contexts]

    return replace(texts, lines={label: part(lines) for label, lines in texts.lines.items()})
