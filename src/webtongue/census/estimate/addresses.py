"""Phase 1: classify every address of an index, in batches, and write what the strata are formed from.

A row has a few bytes on disk (docs/estimate.md): the hash of the host, the answer of the URL model with its probability, the
language that the index itself names, and the position of the record.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import Identifier, labels
from webtongue.census.read.media import has_no_text, parse_media_type
from webtongue.evidence.charset import language_of_encoding
from webtongue.policy import LOG_SCALE

__all__ = ["Addresses", "write_addresses"]

OK = 200
ROW_GROUP_ROWS = 1 << 20
NO_NUMBER = -1


@dataclass(slots=True)
class Addresses:
    """The classified addresses: a Parquet file, and the labels and archives that its numbers stand for."""

    path: Path
    labels: list[str]
    filenames: list[str] = field(default_factory=list)
    captures: int = 0  # rows of the index
    pages: int = 0  # rows that may be pages


def write_addresses(batches: Iterable[Any], path: Path, ident: Identifier, on_rows: Any = None) -> Addresses:
    """Classify the addresses of an index and write them to a Parquet file."""
    import pyarrow.parquet as pq

    reader = ident.url_reader
    result = Addresses(path, list(reader.labels))
    lookups = _Lookups(result)
    with pq.ParquetWriter(path, _schema(), compression="zstd", compression_level=1, use_dictionary=["file"]) as writer:
        for batch in batches:
            result.captures += batch.num_rows
            rows = _classify(_keep_pages(batch), reader, lookups)
            result.pages += rows.num_rows
            writer.write_batch(rows, ROW_GROUP_ROWS)
            if on_rows is not None:
                on_rows(batch.num_rows)
    return result


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            ("host", pa.uint64()),
            ("label", pa.int16()),  # The index of the label that the URL model answers, or -1.
            ("probability", pa.float32()),
            ("declared", pa.int16()),  # by the index, -1 for none
            ("national", pa.bool_()),
            ("file", pa.int32()),
            ("offset", pa.int64()),
            ("length", pa.int64()),
        ]
    )


def _keep_pages(batch: Any) -> Any:
    """Return the rows that may be pages: status 200 or unknown, a type that may have text, and a position."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept = pc.and_(
        pc.fill_null(pc.equal(batch.column("status"), OK), True),
        pc.fill_null(pc.greater(batch.column("length"), 0), False),
    )
    mime = batch.column("mime")
    with_text = [not has_no_text(parse_media_type(name or "")) for name in mime.dictionary.to_pylist()]
    if not all(with_text):
        kept = pc.and_(kept, pc.fill_null(pa.array(with_text, pa.bool_()).take(mime.indices), True))
    kept = pc.and_(kept, pc.and_(batch.column("url").is_valid(), batch.column("filename").is_valid()))
    kept = pc.and_(kept, batch.column("offset").is_valid())
    return batch if pc.all(kept).as_py() in (True, None) else batch.filter(kept)


def _classify(batch: Any, reader: Any, lookups: _Lookups) -> Any:
    import pyarrow as pa

    starts, data = _text_buffers(batch.column("url"))
    ids, logs, hosts, national = reader.classify_column(data, starts)
    arrays = [
        pa.array(hosts), pa.array(ids), pa.array(np.where(ids >= 0, np.exp(logs / LOG_SCALE), 0.0).astype("f4")),
        pa.array(lookups.declared(batch)), pa.array(national.astype(bool)), pa.array(lookups.files(batch.column("filename"))),
        batch.column("offset"), batch.column("length"),
    ]  # fmt: skip
    return pa.RecordBatch.from_arrays(arrays, schema=_schema())


def _text_buffers(column: Any) -> tuple[Any, Any]:
    """Return the offsets and bytes of a column of large strings, without copying the text."""
    _, starts, data = column.buffers()
    offsets = np.frombuffer(starts, np.int64)[column.offset : column.offset + len(column) + 1]
    return offsets, np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)


class _Lookups:
    """Numbers of archives and of declared languages, each value looked up once."""

    def __init__(self, result: Addresses) -> None:
        self._result = result
        self._labels = {label: number for number, label in enumerate(result.labels)}
        self._files: dict[str, int] = {}
        self._languages: dict[str | None, int] = {None: NO_NUMBER}
        self._charsets: dict[str | None, int] = {None: NO_NUMBER}

    def files(self, column: Any) -> Any:
        """Return the number of the archive of each row."""
        numbers = np.array([self._file(name) for name in column.dictionary.to_pylist()], np.int32)
        return numbers[column.indices.to_numpy(zero_copy_only=False)] if len(column) else numbers[:0]

    def _file(self, name: str) -> int:
        if name not in self._files:
            self._files[name] = len(self._result.filenames)
            self._result.filenames.append(name)
        return self._files[name]

    def declared(self, batch: Any) -> Any:
        """Return the label that the index names for each row: by its languages, else by a charset of one language."""
        by_language = self._numbers(batch.column("languages"), self._languages, _first_label)
        by_charset = self._numbers(batch.column("charset"), self._charsets, language_of_encoding)
        return np.where(by_language >= 0, by_language, by_charset).astype(np.int16)

    def _numbers(self, column: Any, known: dict[str | None, int], label_of: Any) -> Any:
        if column.null_count == len(column):
            return np.full(len(column), NO_NUMBER)
        for name in column.dictionary.to_pylist():
            if name not in known:
                known[name] = self._label(label_of(name))
        numbers = np.array([known[name] for name in column.dictionary.to_pylist()])
        indices = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
        return np.where(column.is_valid().to_numpy(zero_copy_only=False), numbers[indices], NO_NUMBER)

    def _label(self, label: str) -> int:
        if not label:
            return NO_NUMBER
        if label not in self._labels:
            self._labels[label] = len(self._result.labels)
            self._result.labels.append(label)
        return self._labels[label]


def _first_label(codes: str) -> str:
    """Return the label of the first language of a list, as Common Crawl's index has it: "isl,eng"."""
    label = labels.parse(codes.partition(",")[0])
    return "" if label is None or label.language in labels.SPECIAL else str(labels.fold(label))
