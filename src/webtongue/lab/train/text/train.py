"""Train the text model: a corpus in, a model file out, by ``train(folder, path)``.

audit -> hold lines out -> count n-grams -> assign slots -> choose the table -> fit it -> calibrate -> write.
Deterministic: the same folder and settings give the same bytes on any number of cores.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.lab.train.corpus.audit import AuditReport, audit
from webtongue.lab.train.corpus.licences import find_restricted_files, read_licences
from webtongue.lab.train.corpus.read import Corpus, explain_layout, read_corpus
from webtongue.lab.train.corpus.romanise import add_romanised
from webtongue.lab.train.corpus.varieties import add_varieties
from webtongue.lab.train.corpus.words import SOURCE as WORDS
from webtongue.lab.train.corpus.words import add_words, read_licence
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.fit import Progress, fit, write_calibrated

__all__ = ["read_texts", "train"]


def train(
    folder: Path,
    path: Path,
    config: TrainConfig | None = None,
    progress: Progress = print,
    words: Sequence[Path] = (),
    more_folders: Sequence[Path] = (),
) -> AuditReport:
    """Train on the corpus in ``folder`` and write the model to ``path``, its manifest and the audit's report beside it.

    ``words`` are folders of word lists (``corpus.words``), ``more_folders`` further corpora. Return the audit's report.
    """
    config = config or TrainConfig()
    progress("reading")
    clean, report = audit(read_texts([folder, *more_folders], words, config.commercial))
    if not clean.labels:
        reason = explain_layout(folder) or report.explain()
        raise UsageError(f"nothing to train on in {folder}: {reason}")
    progress(f"audit: {report.lines_after} of {report.lines_before} lines kept")
    add_varieties(clean)
    left_out = add_romanised(clean)
    if left_out:
        progress(f"not romanised, since a package is missing (pip install 'webtongue[lab]'): {', '.join(left_out)}")
    fitted = fit(clean, config, progress)
    manifest = {
        "settings": asdict(config),
        "sources": _count_source_bytes(clean),
        "licences": _collect_licences(
            [folder, *more_folders], words, {source for source, _ in clean.lines}, config.commercial
        ),
        "dropped": report.labels_dropped,
        "labels": len(fitted.labels),
    }
    write_calibrated(fitted, path, config, manifest, progress)
    Path(f"{path}.audit.json").write_text(json.dumps(report.rows(), ensure_ascii=False, indent=0), "utf-8")
    return report


def read_texts(folders: Sequence[Path], words: Sequence[Path], commercial: bool = False) -> Corpus:
    """Return the text of several folders and lines from word lists, before the audit.

    ``commercial`` leaves out files whose licence forbids commercial use or derivatives.
    """
    corpus = Corpus()
    for folder in folders:
        corpus.lines |= read_corpus(folder, find_restricted_files(folder) if commercial else ()).lines
    for lists in words:
        add_words(corpus, lists)
    return corpus


def _count_source_bytes(corpus: Corpus) -> dict[str, dict[str, int]]:
    by_source: dict[str, dict[str, int]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        by_source.setdefault(source, {})[label] = sum(len(line.encode()) for line in lines)
    return by_source


def _collect_licences(
    folders: Sequence[Path], words: Sequence[Path], sources: set[str], commercial: bool
) -> dict[str, list[str]]:
    licences = {
        source: terms
        for folder in folders
        for source, terms in read_licences(folder, find_restricted_files(folder) if commercial else ()).items()
        if source in sources
    }
    return licences | {WORDS: sorted(terms for lists in words for terms in read_licence(lists))}
