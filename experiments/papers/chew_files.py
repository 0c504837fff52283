"""The text files of dev/encoding, whose encodings are known and which nobody here chose: with a model and without one."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from chew_rates import DECLARATIONS
from made_pages import language_of

import webtongue
from webtongue import labels
from webtongue.encodings.names import resolve
from webtongue.evaluate.archives import archive
from webtongue.evaluate.tables import Cell, Table
from webtongue.methods.base import label_parts
from webtongue.methods.suzuki import Suzuki

MODEL, NONE, WIDE = "a model of the language in it", "none", "UTF-16 and UTF-32, in which there are none"


def files_table(data: Path, model: Suzuki) -> Table:
    """Languages of the files, by whether the encoding has a model."""
    made = {(language_of(label), encoding) for label, encoding in map(label_parts, model.labels)}
    found: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for path in sorted((data / "dev" / "encoding").glob("*.tar.xz")):
        if path.name.startswith(DECLARATIONS):
            continue  # the text that models are made of
        files, rows = archive(path)
        for row in rows:
            label = labels.parse(row["label"]) if row.get("label") and "?" not in row["label"] else None
            encoding, raw = resolve(row["encoding"]), files.get(row["path"])
            if label is None or encoding is None or raw is None or raw.isascii():
                continue
            truth = language_of(str(labels.fold(label)))
            said, default = model.answer(raw).label, webtongue.identify(raw).label
            wide = encoding.name.startswith(("utf-16", "utf-32"))
            kind = WIDE if wide else MODEL if (truth, encoding.name) in made else NONE
            found[kind].append((language_of(said) == truth, language_of(default) == truth))
    rows_out: list[tuple[Cell, ...]] = []
    for kind in (MODEL, NONE, WIDE):
        pairs = found[kind]
        shares = (100 * sum(pair[part] for pair in pairs) / max(len(pairs), 1) for part in (0, 1))
        rows_out.append((kind, len(pairs), *shares))
    columns = ("files in an encoding that has", "files", "its method", "webtongue")
    note = (
        "Test files of encoding detectors, nearly all text of a few hundred bytes. An encoding without a model may write the "
        "language's letters as another does that has one, as ISO-8859-1 and windows-1252."
    )
    return Table(
        "encodings", "files of known encoding: what a model for it is worth, % right", tuple(rows_out), columns, note
    )
