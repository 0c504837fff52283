"""Do the sources of a label agree? Each is read by a model that was trained without it.

A file whose text goes to another label is mislabelled, or the label's other files are. Findings are reported for a person
to judge: nothing is dropped here, since a small language's one odd file may be its only modern text.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines
from webtongue.train.corpus.read import Corpus
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import fit, write

FOLDS = 4
LINES = 60  # lines read of a file: enough to tell 50% from 80%
SHORTEST = 20  # characters of a line: shorter ones tell little about who wrote them


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """How much of a file its label's other sources recognise, and what the rest is taken for."""

    source: str
    label: str
    lines: int
    recognised: float
    rival: str
    rival_share: float


def check_sources(
    corpus: Corpus, config: TrainConfig | None = None, progress: Callable[[str], None] = print
) -> list[SourceFinding]:
    """Leave-one-out over folds of sources, worst files first. Counts only, no passes: a minute a fold."""
    quick = replace(config or TrainConfig(), passes=0, decisive=False)
    sources = sorted({source for source, _ in corpus.lines})
    folds = min(FOLDS, len(sources))
    findings: list[SourceFinding] = []
    for number in range(folds):
        left_out = set(sources[number::folds])
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in left_out})
        known = set(rest.labels)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "fold.wtm"
            write(fit(rest, quick, progress), out, quick, {}, progress)
            model = _kernel.LanguageModel(np.fromfile(out, np.uint8))
        for (source, label), lines in sorted(corpus.lines.items()):
            if source in left_out and label in known:
                findings.append(_read_file(model, source, label, lines))
    return sorted(findings, key=lambda finding: (finding.recognised, finding.source, finding.label))


def _read_file(model: _kernel.LanguageModel, source: str, label: str, lines: list[str]) -> SourceFinding:
    long = [line for line in lines if len(line) >= SHORTEST] or lines
    chosen = long[:: max(1, len(long) // LINES)][:LINES]
    ids = model.rank_many(*pack_lines(chosen), 1)[0][:, 0]
    answers = Counter(model.labels[i] if i >= 0 else "und" for i in ids.tolist())
    own = answers.pop(label, 0)
    rival, most = answers.most_common(1)[0] if answers else ("", 0)
    return SourceFinding(source, label, len(chosen), own / len(chosen), rival, most / len(chosen))
