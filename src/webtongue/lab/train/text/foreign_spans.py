"""Find spans of a file in another language: classify each chunk of it with a model that was trained without its source.

A file may begin in another language: a declaration in two languages, a book with a foreign preface. Checking some lines
(sources.py) shows that most of the file is right; this shows where it is not. Findings are for a person to decide, who adds the
spans to be left out to DROPPED_SPANS (train/corpus/read.py).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.fit import fit, write_calibrated

__all__ = ["ForeignSpan", "find_foreign_spans", "find_spans_in_file"]

CHUNK_CHARS = 600  # enough to recognise a trained language reliably
MIN_RUN_CHUNKS = 3  # a single chunk may be a list of names
MIN_RECOGNISED_SHARE = 0.5  # if less of a file is recognised, the rest is not reported as spans


@dataclass(frozen=True, slots=True)
class ForeignSpan:
    """Lines ``begin`` to ``end`` (exclusive) of a file, and how a model trained without the file's source classifies them."""

    source: str
    label: str
    begin: int
    end: int
    answers: tuple[str, ...]
    recognised: float  # share of the file that is classified as its label


def find_foreign_spans(
    corpus: Corpus,
    folds: Sequence[Collection[str]],
    labels: Collection[str],
    progress: Callable[[str], None] = print,
) -> list[ForeignSpan]:
    """Return the foreign spans in files of the sources in ``folds``; the sources of a fold are left out of training together."""
    quick = replace(TrainConfig(), passes=0, decisive=False)
    spans: list[ForeignSpan] = []
    for left_out in folds:
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in left_out})
        trained_labels = set(rest.labels)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fold.wtm"
            write_calibrated(fit(rest, quick, progress), path, quick, {}, progress)
            model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
        for (source, label), lines in sorted(corpus.lines.items()):
            if source in left_out and label in trained_labels and label in labels:
                spans += find_spans_in_file(source, label, lines, lambda texts, model=model: _classify(model, texts))  # type: ignore[misc]
    return spans


def find_spans_in_file(
    source: str, label: str, lines: Sequence[str], classify: Callable[[list[str]], list[str]]
) -> list[ForeignSpan]:
    """Return runs of chunks that ``classify`` does not classify as the label; a file that is hardly recognised is one span."""
    bounds = _split_chunks(lines)
    answers = classify([" ".join(lines[begin:end]) for begin, end in bounds])
    share = answers.count(label) / len(answers) if answers else 1.0
    if share < MIN_RECOGNISED_SHARE:
        return [ForeignSpan(source, label, 0, len(lines), tuple(answers), share)]
    spans, run_length = [], 0
    for index, answer in enumerate([*answers, label]):
        if answer != label:
            run_length += 1
            continue
        if run_length >= MIN_RUN_CHUNKS:
            start = index - run_length
            spans.append(
                ForeignSpan(source, label, bounds[start][0], bounds[index - 1][1], tuple(answers[start:index]), share)
            )
        run_length = 0
    return spans


def _split_chunks(lines: Sequence[str]) -> list[tuple[int, int]]:
    bounds, start, chars = [], 0, 0
    for line_number, line in enumerate(lines, 1):
        chars += len(line)
        if chars >= CHUNK_CHARS:
            bounds.append((start, line_number))
            start, chars = line_number, 0
    if start < len(lines) and not bounds:
        bounds.append((start, len(lines)))
    return bounds


def _classify(model: _kernel.LanguageModel, texts: list[str]) -> list[str]:
    ids = model.rank_many(*pack_lines(texts), 1)[0][:, 0]
    return [model.labels[i] if i >= 0 else "und" for i in ids.tolist()]


def most_common(answers: Sequence[str]) -> str:
    """Return the most common answer.

    >>> most_common(["wln_Latn", "frp_Latn", "wln_Latn"])
    'wln_Latn'
    """
    return Counter(answers).most_common(1)[0][0]
