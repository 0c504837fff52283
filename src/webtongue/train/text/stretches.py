"""Does a file hold what its name says from end to end? Each stretch of it is read by a model that was trained without its source.

A file may begin with another language and go on in its own: a declaration in two of them, a book with a foreign preface. Reading
some lines of it (sources.py) says that most is well; this says where it is not. Findings are for a person to judge, who writes
what is to be left out into DROPPED_STRETCHES (train/corpus/read.py).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines
from webtongue.train.corpus.read import Corpus
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import fit, write

__all__ = ["Stretch", "foreign", "read_by_others"]

LENGTH = 600  # characters that are read at a time: a language that is known is not missed
LEAST = 3  # stretches of a row that are all taken for others: one may be a list of names
KNOWN = 0.5  # share of a file that must be recognised, for the rest to be called foreign to it


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a file, from ``begin`` to before ``end``, and what a model without the file's source takes them for."""

    source: str
    label: str
    begin: int
    end: int
    answers: tuple[str, ...]
    of_file: float  # share of the whole file that is recognised


def read_by_others(
    corpus: Corpus,
    folds: Sequence[Collection[str]],
    labels: Collection[str],
    progress: Callable[[str], None] = print,
) -> list[Stretch]:
    """Stretches that others would not call by the file's name, of the sources in ``folds``; each fold is left out together."""
    quick = replace(TrainConfig(), passes=0, decisive=False)
    out: list[Stretch] = []
    for left_out in folds:
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in left_out})
        known = set(rest.labels)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fold.wtm"
            write(fit(rest, quick, progress), path, quick, {}, progress)
            model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
        for (source, label), lines in sorted(corpus.lines.items()):
            if source in left_out and label in known and label in labels:
                out += foreign(source, label, lines, lambda texts, model=model: _answers(model, texts))  # type: ignore[misc]
    return out


def foreign(source: str, label: str, lines: Sequence[str], read: Callable[[list[str]], list[str]]) -> list[Stretch]:
    """Runs of stretches in a file that ``read`` does not call by its label; a file that is hardly recognised is one whole run."""
    bounds = _bounds(lines)
    answers = read([" ".join(lines[begin:end]) for begin, end in bounds])
    share = answers.count(label) / len(answers) if answers else 1.0
    if share < KNOWN:
        return [Stretch(source, label, 0, len(lines), tuple(answers), share)]
    out, run = [], 0
    for number, answer in enumerate([*answers, label]):
        if answer != label:
            run += 1
            continue
        if run >= LEAST:
            first = number - run
            out.append(
                Stretch(source, label, bounds[first][0], bounds[number - 1][1], tuple(answers[first:number]), share)
            )
        run = 0
    return out


def _bounds(lines: Sequence[str]) -> list[tuple[int, int]]:
    out, begin, size = [], 0, 0
    for number, line in enumerate(lines, 1):
        size += len(line)
        if size >= LENGTH:
            out.append((begin, number))
            begin, size = number, 0
    if begin < len(lines) and not out:
        out.append((begin, len(lines)))
    return out


def _answers(model: _kernel.LanguageModel, texts: list[str]) -> list[str]:
    ids = model.rank_many(*pack_lines(texts), 1)[0][:, 0]
    return [model.labels[i] if i >= 0 else "und" for i in ids.tolist()]


def commonest(answers: Sequence[str]) -> str:
    """What most of them say.

    >>> commonest(["wln_Latn", "frp_Latn", "wln_Latn"])
    'wln_Latn'
    """
    return Counter(answers).most_common(1)[0][0]
