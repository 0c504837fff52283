"""Identify the text files of dev/encoding, whose encodings are known, in encodings with and without a model."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import webtongue
from webtongue import Page
from webtongue.charset.names import resolve
from webtongue.lab.evaluate.tables import Cell, Table
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.chew_rates import DECLARATIONS
from webtongue.lab.papers.common import read_labelled

WITH_MODEL, WITHOUT_MODEL, UTF_16_OR_32 = (
    "a model of the language in it",
    "none",
    "UTF-16 or UTF-32, read as UTF-8",
)


def files_table(data: Path, model: Suzuki) -> Table:
    """Return the accuracy on the files, by whether their encoding has a model."""
    modelled = {(fold_language(label), encoding) for label, encoding in map(split_label, model.labels)}
    hits_by_kind: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for path in sorted((data / "dev" / "encoding").glob("*.tar.xz")):
        if path.name.startswith(DECLARATIONS):
            continue  # the models are trained on this text
        for row, raw, label in read_labelled(path):
            encoding = resolve(row["encoding"])
            if encoding is None or raw.isascii() or "?" in row["label"]:
                continue
            truth = fold_language(label)
            answer, default = model.answer(Page(raw)).label, webtongue.identify(raw).label
            is_wide = encoding.name.startswith(("utf-16", "utf-32"))
            kind = UTF_16_OR_32 if is_wide else WITH_MODEL if (truth, encoding.name) in modelled else WITHOUT_MODEL
            hits_by_kind[kind].append((fold_language(answer) == truth, fold_language(default) == truth))
    table_rows: list[tuple[Cell, ...]] = []
    for kind in (WITH_MODEL, WITHOUT_MODEL, UTF_16_OR_32):
        pairs = hits_by_kind[kind]
        shares = (100 * sum(pair[part] for pair in pairs) / max(len(pairs), 1) for part in (0, 1))
        table_rows.append((kind, len(pairs), *shares))
    columns = ("files in an encoding that has", "files", "its method", "webtongue")
    note = (
        "Test files of encoding detectors, nearly all text of a few hundred bytes. An encoding without a model may write the "
        "language's letters as another does that has one, as ISO-8859-1 and windows-1252."
    )
    return Table(
        "encodings",
        "files of known encoding, with and without a model for it, % right",
        tuple(table_rows),
        columns,
        note,
    )
