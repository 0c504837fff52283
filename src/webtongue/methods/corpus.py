"""What methods are fitted on: documents by label, and their n-grams as a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra, UsageError
from webtongue.labels import fold, parse
from webtongue.methods.document import Document
from webtongue.methods.grams import Grams
from webtongue.train.corpus.read import read_corpus
from webtongue.train.corpus.terms import closed, licences
from webtongue.train.url.rows import read_rows

__all__ = ["Corpus", "Table", "chosen_sources", "described", "read", "read_urls", "table"]

Corpus = Mapping[str, Sequence[Document]]  # label -> documents

DOCUMENT = 500  # characters: a short web page; a declaration of human rights makes twenty of them
STRETCH = 200  # characters that are taken from one place where a file has more than is wanted


def read(
    folder: Path,
    sources: Iterable[str] | None = None,
    labels: Iterable[str] | None = None,
    size: int = 0,
    document: int = DOCUMENT,
) -> dict[str, list[Document]]:
    """The texts of a folder `source/label.txt[.xz]` as documents of some length: consecutive lines joined.

    ``sources`` and ``labels`` choose, ``size`` is the most characters of a label, the same from each source as far as
    they go and from all over its file; 0 takes all. Lines that are kept for measuring (train/corpus/holdout.py) are left out.
    """
    found = read_corpus(folder, only=None if sources is None else frozenset(sources), labels=labels).of_label()
    if not found:
        raise UsageError(f"no text in {folder}: a corpus is a folder of source/label.txt[.xz]")
    out: dict[str, list[Document]] = {}
    for label, by_source in found.items():
        share = size // len(by_source) if size else 0
        out[label] = [text for lines in by_source.values() for text in _documents(lines, document, share)]
    return {label: documents for label, documents in out.items() if documents}


def _documents(lines: Sequence[str], length: int, most: int) -> list[str]:
    """Lines joined up to a length; no more than ``most`` characters in all, 0 for no limit, from all over the file."""
    stretches = _joined(lines, min(length, STRETCH))
    whole = sum(map(len, stretches))
    if most and whole > most:
        wanted = max(1, most * len(stretches) // whole)
        stretches = [stretches[(2 * i + 1) * len(stretches) // (2 * wanted)] for i in range(wanted)]
    documents = _joined(stretches, length)
    out: list[str] = []
    taken = 0
    for document in documents:
        if most and taken >= most:
            break
        out.append(document[: most - taken] if most else document)
        taken += len(out[-1])
    return out


def _joined(parts: Sequence[str], length: int) -> list[str]:
    """Consecutive parts put together until they have so many characters."""
    out: list[str] = []
    held: list[str] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= length:
            out.append("\n".join(held))
            held, size = [], 0
    return [*out, "\n".join(held)] if held else out


@dataclass(frozen=True, slots=True)
class Table:
    """Counts of a corpus: a row a document, a column an n-gram; labels and columns in ascending order."""

    grams: Grams
    labels: tuple[str, ...]
    documents: list[Document]
    label_of: NDArray[np.int64]  # the number of each row's label
    totals: NDArray[np.int64]  # n-grams of each row, known columns or not
    matrix: Any  # scipy.sparse.csr_matrix of int64
    firsts: NDArray[np.int64]  # columns x (row, place in it) of the first occurrence

    def by_label(self) -> Any:
        """Counts added up by label: a sparse matrix of labels x columns."""
        sparse = _sparse()
        rows = len(self.label_of)
        chosen = sparse.csr_matrix(
            (np.ones(rows, np.int64), (self.label_of, np.arange(rows))), shape=(len(self.labels), rows)
        )
        return (chosen @ self.matrix).tocsr()

    def names(self, columns: NDArray[np.int64]) -> tuple[str, ...]:
        """The n-grams of some columns, to be read."""
        out = [""] * len(columns)
        rows = self.firsts[columns, 0]
        order = np.argsort(rows, kind="stable")
        texts: list[str] = []
        last = -1
        for i in order.tolist():
            if rows[i] != last:
                last = int(rows[i])
                texts = self.grams.names(self.documents[last])
            out[i] = texts[self.firsts[columns[i], 1]]
        return tuple(out)

    def top(self, most: int, least: int = 1) -> NDArray[np.int64]:
        """Columns of the commonest n-grams over all labels, each label weighing the same; ties by first occurrence."""
        counts = self.by_label()
        shares = np.asarray(counts.multiply(1 / np.maximum(counts.sum(1), 1)).sum(0)).ravel()
        enough = np.flatnonzero(np.asarray(counts.sum(0)).ravel() >= least)
        order = np.lexsort((self.firsts[enough, 1], self.firsts[enough, 0], -shares[enough]))
        return enough[order][: most or None]


def table(corpus: Corpus, grams: Grams) -> Table:
    """Count a corpus."""
    labels = tuple(sorted(label for label, documents in corpus.items() if documents))
    if not labels:
        raise UsageError("a corpus without documents teaches nothing")
    documents = [document for label in labels for document in corpus[label]]
    label_of = np.repeat(np.arange(len(labels)), [len(corpus[label]) for label in labels])
    counted = [grams.count(document) for document in documents]
    if not any(len(found.keys) for found in counted):
        raise UsageError("a corpus in whose documents there is nothing to count")
    rows = np.repeat(np.arange(len(documents)), [len(found.keys) for found in counted])
    places = np.concatenate([found.firsts for found in counted])
    _, firsts, columns = np.unique(
        np.concatenate([found.keys for found in counted]), return_index=True, return_inverse=True
    )
    counts = np.concatenate([found.counts for found in counted])
    matrix = _sparse().csr_matrix((counts, (rows, columns.ravel())), shape=(len(documents), len(firsts)))
    totals = np.array([found.total for found in counted])
    return Table(grams, labels, documents, label_of, totals, matrix, np.stack([rows[firsts], places[firsts]], 1))


def _sparse() -> Any:
    try:
        from scipy import sparse
    except ImportError as error:
        raise MissingExtra("scipy", "train") from error
    return sparse


def read_urls(path: Path) -> dict[str, list[Document]]:
    """URLs by label from a list as the URL model is trained on, for methods that read addresses."""
    if not path.is_file():
        raise UsageError(
            f"no such file: {path}; URLs are learnt from a .tsv.xz of url, language, quality, source, domain"
        )
    out: dict[str, list[Document]] = {}
    for row in read_rows(path):
        label = parse(row.language)
        if label is not None:
            out.setdefault(str(fold(label)), []).append(row.url)
    return out


def chosen_sources(folder: Path, wanted: Sequence[str] | None, commercial: bool) -> list[str]:
    """The sources of a corpus to be read: all or those wanted, without those whose terms forbid commercial use if asked."""
    there = sorted(path.name for path in folder.iterdir() if path.is_dir())
    missing = sorted(set(wanted or ()) - set(there))
    if missing:
        raise UsageError(f"no source {', '.join(missing)} in {folder}; there are {', '.join(there)}")
    unfit = {source for source, _ in closed(folder)} if commercial else set()
    return [name for name in there if (wanted is None or name in wanted) and name not in unfit]


def described(folder: Path, corpus: Corpus, sources: Sequence[str]) -> dict[str, Any]:
    """What a model was made from, for its manifest."""
    terms = licences(folder)
    return {
        "labels": len(corpus),
        "documents": sum(map(len, corpus.values())),
        "sources": {source: terms.get(source, []) for source in sources},
    }
