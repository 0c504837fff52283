"""Train the model of encodings: a corpus in, a model file out, by ``train(folder, path)``.

read text -> encode it in every encoding that can represent it -> fit byte n-grams -> count the costs of
characters -> fit byte contexts on other lines -> write.
The same folder and settings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import _kernel
from webtongue.charset.detection.byte_model import prior_offsets
from webtongue.errors import UsageError
from webtongue.lab.train.corpus.licences import find_restricted_files, read_licences
from webtongue.lab.train.corpus.read import explain_layout, iter_files
from webtongue.lab.train.encodings.classes import CLASSES, KINDS, RULE, build_code_tables
from webtongue.lab.train.encodings.context import build_letter_tables, fit_contexts
from webtongue.lab.train.encodings.costs import count_costs
from webtongue.lab.train.encodings.file import write_byte_model
from webtongue.lab.train.encodings.fit import FitConfig, fit_byte_model
from webtongue.lab.train.encodings.samples import MIN_LINES, Texts, generate_samples, read_texts

__all__ = ["train"]

CONTEXT_LINE_INTERVAL = 5  # every fifth line is reserved for byte contexts
CONTEXT_CHARS = (30, 8000)  # minimum and maximum of a sample


def train(
    folder: Path,
    path: Path,
    count: int = 1200,
    config: FitConfig = FitConfig(),  # noqa: B008  frozen
    commercial: bool = False,
    progress: Callable[[str], None] = lambda step: None,
) -> None:
    """Train on the corpus in ``folder``, with about ``count`` samples per encoding, and write the model to ``path``.

    ``commercial`` leaves out files whose licence forbids commercial use or derivatives.
    """
    progress("reading")
    texts = read_texts(folder, commercial=commercial)
    if not any(texts.used.values()):
        too_few = f"an encoding needs {MIN_LINES} lines of text in a language that used it"
        raise UsageError(f"nothing to train on in {folder}: {explain_layout(folder) or too_few}")
    progress(f"{len(texts.lines)} labels")
    weights = fit_byte_model(
        generate_samples(_split_lines(texts, False), count, config.seed), CLASSES, RULE, config, progress
    )
    tables = build_code_tables(CLASSES)
    letters, sorts = build_letter_tables(tables)
    kinds = [KINDS.get(name, 0) for name in CLASSES]
    weights = replace(weights, kinds=kinds, tables=tables, letters=letters, sorts=sorts)
    weights = replace(weights, costs=count_costs(texts, sorts))
    progress("costs of characters")
    write_byte_model(path, weights, {})
    model = _kernel.ByteModel(np.fromfile(path, np.uint8))
    context_samples = generate_samples(_split_lines(texts, True), count // 2, config.seed + 1, CONTEXT_CHARS)
    weights = replace(weights, contexts=fit_contexts(model, context_samples, prior_offsets(CLASSES), progress=progress))
    sources = sorted({e.source for e in iter_files(folder, find_restricted_files(folder) if commercial else ())})
    manifest: dict[str, Any] = {
        "kind": "encodings",
        "samples": count,
        "sources": {name: terms for name, terms in read_licences(folder).items() if name in sources},
        "commercial": commercial,
    }
    write_byte_model(path, weights, manifest)


def _split_lines(texts: Texts, contexts: bool) -> Texts:
    """Return the lines for n-grams, or those reserved for contexts: a model is overconfident on text that it was fitted on."""

    def part(lines: list[str]) -> list[str]:
        return [line for index, line in enumerate(lines) if (index % CONTEXT_LINE_INTERVAL == 0) == contexts]

    return replace(texts, lines={label: part(lines) for label, lines in texts.lines.items()})
