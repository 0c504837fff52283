"""Read the documents that methods are fitted on, and count their n-grams into a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra, UsageError
from webtongue.lab.documents import URL, Collection, read_collection
from webtongue.lab.methods.document import Document, read_text
from webtongue.lab.methods.grams import Grams
from webtongue.lab.train.corpus.licences import find_restricted_files, read_licences
from webtongue.lab.train.corpus.read import read_corpus, read_lines
from webtongue.page import Page

__all__ = [
    "Corpus",
    "CountTable",
    "count_corpus",
    "describe_corpus",
    "read_documents",
    "read_labelled_documents",
    "select_sources",
]

Corpus = Mapping[str, Sequence[Document]]  # label -> documents

DOCUMENT_CHARS = 500  # a short web page; the Declaration of Human Rights makes twenty of them
CHUNK_CHARS = 200  # taken from one place of a file that has more text than requested


def read_documents(
    folder: Path,
    sources: Iterable[str] | None = None,
    labels: Sequence[str] | None = None,
    label_chars: int = 0,
    document_chars: int = DOCUMENT_CHARS,
    read_lines: Callable[[Path], list[str]] = read_lines,
) -> dict[str, list[Document]]:
    """Return the texts of a folder `source/label.txt[.xz]` as documents of about ``document_chars``: consecutive lines joined.

    ``sources`` and ``labels`` restrict what is read. ``label_chars`` is the maximum of a label, divided equally among its sources
    and taken from all parts of a file; 0 reads everything. Lines reserved for benchmarks (train/corpus/holdout.py) are left out.
    ``read_lines`` reads a file.
    """
    only = None if sources is None else frozenset(sources)
    by_label = read_corpus(folder, only=only, labels=labels, read=read_lines).group_by_label()
    if not by_label:
        wanted = f" in {', '.join(labels)}" if labels else ""
        raise UsageError(f"no text{wanted} in {folder}: a corpus is a folder of source/label.txt[.xz]")
    documents: dict[str, list[Document]] = {}
    for label, by_source in by_label.items():
        source_chars = label_chars // len(by_source) if label_chars else 0
        documents[label] = [
            text for lines in by_source.values() for text in _make_documents(lines, document_chars, source_chars)
        ]
    return {label: documents for label, documents in documents.items() if documents}


def _make_documents(lines: Sequence[str], document_chars: int, max_chars: int) -> list[str]:
    """Return lines joined to documents; at most ``max_chars`` characters in all (0: no limit), from all parts of the file."""
    chunks = _join_parts(lines, min(document_chars, CHUNK_CHARS))
    total = sum(map(len, chunks))
    if max_chars and total > max_chars:
        chunk_count = max(1, max_chars * len(chunks) // total)
        chunks = [chunks[(2 * i + 1) * len(chunks) // (2 * chunk_count)] for i in range(chunk_count)]
    documents = _join_parts(chunks, document_chars)
    limited: list[str] = []
    chars = 0
    for document in documents:
        if max_chars and chars >= max_chars:
            break
        limited.append(document[: max_chars - chars] if max_chars else document)
        chars += len(limited[-1])
    return limited


def _join_parts(parts: Sequence[str], min_chars: int) -> list[str]:
    """Return consecutive parts joined until they have ``min_chars`` characters."""
    joined: list[str] = []
    buffer: list[str] = []
    chars = 0
    for part in parts:
        buffer.append(part)
        chars += len(part)
        if chars >= min_chars:
            joined.append("\n".join(buffer))
            buffer, chars = [], 0
    return [*joined, "\n".join(buffer)] if buffer else joined


@dataclass(frozen=True, slots=True)
class CountTable:
    """Counts of a corpus: one row per document, one column per n-gram; labels and columns in ascending order."""

    grams: Grams
    labels: tuple[str, ...]
    documents: list[Document]
    label_of: NDArray[np.int64]  # number of the label of each row
    totals: NDArray[np.int64]  # n-grams of each row
    matrix: Any  # scipy.sparse.csr_matrix of int64
    firsts: NDArray[np.int64]  # columns x (row, position in it) of the first occurrence

    def sum_by_label(self) -> Any:
        """Return counts summed by label: a sparse matrix of labels x columns."""
        sparse = _import_sparse()
        rows = len(self.label_of)
        chosen = sparse.csr_matrix(
            (np.ones(rows, np.int64), (self.label_of, np.arange(rows))), shape=(len(self.labels), rows)
        )
        return (chosen @ self.matrix).tocsr()

    def names(self, columns: NDArray[np.int64]) -> tuple[str, ...]:
        """Return the n-grams of some columns as text."""
        names = [""] * len(columns)
        rows = self.firsts[columns, 0]
        order = np.argsort(rows, kind="stable")
        texts: list[str] = []
        current = -1
        for i in order.tolist():
            if rows[i] != current:
                current = int(rows[i])
                texts = self.grams.names(self.documents[current])
            names[i] = texts[self.firsts[columns[i], 1]]
        return tuple(names)

    def top(self, max_columns: int, min_count: int = 1) -> NDArray[np.int64]:
        """Return the columns of the most common n-grams over all labels, each with equal weight; ties by first occurrence."""
        counts = self.sum_by_label()
        shares = np.asarray(counts.multiply(1 / np.maximum(counts.sum(1), 1)).sum(0)).ravel()
        frequent = np.flatnonzero(np.asarray(counts.sum(0)).ravel() >= min_count)
        order = np.lexsort((self.firsts[frequent, 1], self.firsts[frequent, 0], -shares[frequent]))
        return frequent[order][: max_columns or None]


def count_corpus(corpus: Corpus, grams: Grams) -> CountTable:
    """Return the n-gram counts of a corpus."""
    labels = tuple(sorted(label for label, documents in corpus.items() if documents))
    if not labels:
        raise UsageError("the corpus has no documents")
    documents = [document for label in labels for document in corpus[label]]
    label_of = np.repeat(np.arange(len(labels)), [len(corpus[label]) for label in labels])
    counts_by_document = [grams.count(document) for document in documents]
    if not any(len(counts.keys) for counts in counts_by_document):
        raise UsageError("the documents of the corpus have no n-grams")
    rows = np.repeat(np.arange(len(documents)), [len(counts.keys) for counts in counts_by_document])
    places = np.concatenate([counts.firsts for counts in counts_by_document])
    _, firsts, columns = np.unique(
        np.concatenate([counts.keys for counts in counts_by_document]), return_index=True, return_inverse=True
    )
    counts = np.concatenate([counts.counts for counts in counts_by_document])
    matrix = _import_sparse().csr_matrix((counts, (rows, columns.ravel())), shape=(len(documents), len(firsts)))
    totals = np.array([counts.total for counts in counts_by_document])
    return CountTable(grams, labels, documents, label_of, totals, matrix, np.stack([rows[firsts], places[firsts]], 1))


def _import_sparse() -> Any:
    try:
        from scipy import sparse
    except ImportError as error:
        raise MissingExtra("scipy", "lab") from error
    return sparse


def read_labelled_documents(
    path: Path, encoding: str = "", labels: Iterable[str] | None = None, label_chars: int = 0, *, of_urls: bool = False
) -> tuple[dict[str, list[Document]], Collection]:
    """Return the documents of a corpus by label, in any layout of documents.py, and the collection that they are from.

    ``of_urls`` is True for methods that read URLs: they need URLs, or pages that have one. Others need text: documents without a
    letter are dropped, and a label that has no others is an error.
    """
    collection = read_collection(path, encoding, is_decoded=True)
    wanted = None if labels is None else set(labels)
    blank: dict[str, str] = {}
    documents: dict[str, list[Document]] = {}
    chars: dict[str, int] = {}
    for item in collection.items:
        size = len(item.document.raw) if isinstance(item.document, Page) else len(item.document)
        is_full = bool(label_chars) and chars.get(item.label, 0) >= label_chars
        if is_full or (wanted is not None and item.label not in wanted):
            continue
        has_url = item.kind == URL or (isinstance(item.document, Page) and item.document.url)
        if of_urls and not has_url:
            raise UsageError(f"{path}: {item.id} has no URL, which this method reads: give a .tsv of URL and language")
        if item.kind == URL and not of_urls:
            raise UsageError(
                f"{path}: {item.id} has a URL and no text, which this method reads: give text, html or file"
            )
        if not of_urls and not read_text(item.document).strip():
            blank.setdefault(item.label, item.id)
            continue
        documents.setdefault(item.label, []).append(item.document)
        chars[item.label] = chars.get(item.label, 0) + size
    if not collection.items:
        raise UsageError(f"{path}: no document has a label that is a language")
    empty = sorted(set(blank) - set(documents))
    if empty:
        raise UsageError(f"{path}: {blank[empty[0]]} is empty, and {empty[0]} has no other text")
    return documents, collection


def select_sources(folder: Path, requested: Sequence[str] | None, commercial: bool) -> list[str]:
    """Return the names of the sources to read: all or those requested.

    ``commercial`` leaves out sources with files whose licence forbids commercial use.
    """
    available = sorted(path.name for path in folder.iterdir() if path.is_dir())
    missing = sorted(set(requested or ()) - set(available))
    if missing:
        raise UsageError(f"no source {', '.join(missing)} in {folder}; it has {', '.join(available)}")
    restricted = {source for source, _ in find_restricted_files(folder)} if commercial else set()
    return [name for name in available if (requested is None or name in requested) and name not in restricted]


def describe_corpus(folder: Path, corpus: Corpus, sources: Sequence[str]) -> dict[str, Any]:
    """Return the description of a corpus for the manifest of a model."""
    terms = read_licences(folder) if folder.is_dir() else {}
    return {
        "labels": len(corpus),
        "documents": sum(map(len, corpus.values())),
        "sources": {source: terms.get(source, []) for source in sources},
    }
