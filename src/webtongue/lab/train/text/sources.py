"""Check whether the sources of a label agree: classify each with a model that was trained without it.

A file whose text is classified as another label is mislabelled, or the other files of its label are. Findings are reported for a
person to decide: nothing is dropped here, since the odd file of a small language may be its only modern text.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.fit import fit, write_calibrated

FOLDS = 4
MAX_LINES_PER_FILE = 60  # enough to tell 50% from 80%
MIN_LINE_CHARS = 20  # shorter lines are hard to identify


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """The share of a file that is recognised by the other sources of its label, and the label most often answered for the rest."""

    source: str
    label: str
    lines: int
    recognised: float
    runner_up: str
    runner_up_share: float


def check_sources(
    corpus: Corpus, config: TrainConfig | None = None, progress: Callable[[str], None] = print
) -> list[SourceFinding]:
    """Return findings of cross-validation over folds of sources, worst files first.

    Models are made of counts only, without passes of training, which takes about a minute per fold.
    """
    quick = replace(config or TrainConfig(), passes=0, decisive=False)
    sources = sorted({source for source, _ in corpus.lines})
    folds = min(FOLDS, len(sources))
    findings: list[SourceFinding] = []
    for number in range(folds):
        left_out = set(sources[number::folds])
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in left_out})
        trained_labels = set(rest.labels)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fold.wtm"
            write_calibrated(fit(rest, quick, progress), path, quick, {}, progress)
            model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
        for (source, label), lines in sorted(corpus.lines.items()):
            if source in left_out and label in trained_labels:
                findings.append(_check_file(model, source, label, lines))
    return sorted(findings, key=lambda finding: (finding.recognised, finding.source, finding.label))


def _check_file(model: _kernel.LanguageModel, source: str, label: str, lines: list[str]) -> SourceFinding:
    long_lines = [line for line in lines if len(line) >= MIN_LINE_CHARS] or lines
    chosen = long_lines[:: max(1, len(long_lines) // MAX_LINES_PER_FILE)][:MAX_LINES_PER_FILE]
    ids = model.rank_many(*pack_lines(chosen), 1)[0][:, 0]
    answers = Counter(model.labels[i] if i >= 0 else "und" for i in ids.tolist())
    recognised = answers.pop(label, 0)
    runner_up, runner_up_count = answers.most_common(1)[0] if answers else ("", 0)
    return SourceFinding(source, label, len(chosen), recognised / len(chosen), runner_up, runner_up_count / len(chosen))
