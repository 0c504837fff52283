"""Cai 2009, section 3.2.3.2: a profile for each encoding of a language, on real files in old encodings (dev/encoding)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from made_pages import language_of

import webtongue
from webtongue import Page, labels
from webtongue.encodings.names import resolve
from webtongue.evaluate.archives import archive
from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.methods.base import label_parts
from webtongue.methods.composite import Composite

UTF8 = "utf-8"
SEEN = "nltk_udhr_legacy.tar.xz"  # the text of it is in training
LEAST = 4  # files of an encoding for a row of its own


@dataclass(frozen=True, slots=True)
class File:
    """A text in an old encoding, and its language."""

    raw: bytes
    language: str
    encoding: str


def run(data: Path, model: Composite) -> Iterator[Table | Claim]:
    """All profiles against those of UTF-8 alone, without a border: what the profiles themselves can do."""
    free = model.with_settings({"border": 0.0})
    known = {language_of(label_parts(label)[0]) for label in model.labels}
    found = [file for file in files(data) if file.language in known]
    right = {
        "all": [said(free, file) == file.language for file in found],
        UTF8: [said(only(free, UTF8), file) == file.language for file in found],
        "webtongue": [
            language_of(verdict.label) == file.language
            for verdict, file in zip(webtongue.identify_many([Page(file.raw) for file in found]), found, strict=True)
        ],
    }
    counts = Counter(file.encoding for file in found)
    rows = [row(name, found, right, (name,)) for name, count in sorted(counts.items()) if count >= LEAST]
    rows.append(row("others", found, right, [name for name, count in counts.items() if count < LEAST]))
    rows.append(row("all", found, right, list(counts)))
    note = f"{len(found)} real and re-encoded files of dev/encoding in languages that have a profile; no file declares anything."
    columns = ("encoding", "files", "profiles of UTF-8", "a profile for each encoding", "webtongue")
    yield Table("encodings", "text in old encodings, % right (section 3.2.3.2)", tuple(rows), columns, note)
    alone, every = sum(right[UTF8]), sum(right["all"])
    figures = f"{alone} -> {every} of {len(found)} files"
    yield Claim("a profile for each encoding over one in UTF-8, on text in old encodings", every > alone, figures)


def files(data: Path) -> list[File]:
    """Labelled files that are not in Unicode, and whose text is not in training."""
    out = []
    for path in sorted(found for found in (data / "dev" / "encoding").glob("*.tar.xz") if found.name != SEEN):
        contents, rows = archive(path)
        for entry in rows:
            label = labels.parse(entry["label"]) if isinstance(entry.get("label"), str) else None
            encoding = resolve(str(entry["encoding"]))
            raw = contents.get(entry["path"])
            if raw is None or label is None or encoding is None or encoding.name.startswith("utf-") or raw.isascii():
                continue
            out.append(File(raw, language_of(str(labels.fold(label))), encoding.name))
    return out


def only(model: Composite, encoding: str) -> Composite:
    """The same model with its profiles of one encoding."""
    kept = np.array([label_parts(label)[1] == encoding for label in model.labels])
    chosen = tuple(label for label, keep in zip(model.labels, kept, strict=True) if keep)
    return replace(model, labels=chosen, profiles=model.profiles[kept], borders=model.borders[kept])


def said(model: Composite, file: File) -> str:
    """The language by text."""
    return language_of(model.by("text", file.raw).label)


def row(name: str, found: Sequence[File], right: dict[str, list[bool]], of: Sequence[str]) -> tuple[Cell, ...]:
    """Shares of the files in some encodings."""
    at = [i for i, file in enumerate(found) if file.encoding in of]
    shares = (100 * sum(right[one][i] for i in at) / len(at) if at else None for one in (UTF8, "all", "webtongue"))
    return (name, len(at), *shares)
