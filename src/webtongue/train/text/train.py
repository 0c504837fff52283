"""The language model: a corpus in, a model file out, by ``train(folder, out)``.

audit -> hold lines out -> count n-grams -> lay labels out -> choose the table -> fit it -> calibrate -> write.
Deterministic: the same folder and settings give the same bytes on any number of cores.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.train.corpus.audit import AuditReport, audit
from webtongue.train.corpus.read import Corpus, read_corpus
from webtongue.train.corpus.romanise import add_romanised
from webtongue.train.corpus.terms import closed, licences
from webtongue.train.corpus.varieties import add_varieties
from webtongue.train.corpus.words import SOURCE as WORDS
from webtongue.train.corpus.words import add_words, terms
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import Progress, fit, write

__all__ = ["gather", "train"]


def train(
    folder: Path,
    out: Path,
    config: TrainConfig | None = None,
    progress: Progress = print,
    words: Sequence[Path] = (),
    also: Sequence[Path] = (),
) -> AuditReport:
    """Reads the corpus in ``folder``, fits, and writes the model to ``out``, its manifest and the audit's report beside it.

    ``also`` are further corpora, ``words`` folders of word lists (``corpus.words``). Returned is what the audit left out.
    """
    config = config or TrainConfig()
    progress("reading")
    clean, report = audit(gather([folder, *also], words, config.commercial))
    if not clean.labels:
        raise UsageError(
            f"nothing to train on in {folder}: a corpus is a folder of source/label.txt[.xz], a segment a line"
        )
    progress(f"audit: {report.lines_after} of {report.lines_before} lines kept")
    add_varieties(clean)
    left_out = add_romanised(clean)
    if left_out:
        progress(f"not romanised, for want of a package that reads their script: {', '.join(left_out)}")
    fitted = fit(clean, config, progress)
    manifest = {
        "settings": asdict(config),
        "sources": _source_bytes(clean),
        "licences": _terms_of([folder, *also], words, {source for source, _ in clean.lines}),
        "dropped": report.labels_dropped,
        "labels": len(fitted.labels),
    }
    write(fitted, out, config, manifest, progress)
    Path(f"{out}.audit.json").write_text(json.dumps(report.rows(), ensure_ascii=False, indent=0), "utf-8")
    return report


def gather(folders: Sequence[Path], words: Sequence[Path], commercial: bool = False) -> Corpus:
    """The text of several folders, of open terms only if asked, and lines made of word lists, as they are before the audit."""
    corpus = Corpus()
    for folder in folders:
        corpus.lines |= read_corpus(folder, closed(folder) if commercial else ()).lines
    for lists in words:
        add_words(corpus, lists)
    return corpus


def _source_bytes(corpus: Corpus) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        out.setdefault(source, {})[label] = sum(len(line.encode()) for line in lines)
    return out


def _terms_of(folders: Sequence[Path], words: Sequence[Path], sources: set[str]) -> dict[str, list[str]]:
    stated = {source: found for folder in folders for source, found in licences(folder).items() if source in sources}
    return stated | {WORDS: sorted(found for lists in words for found in terms(lists))}
