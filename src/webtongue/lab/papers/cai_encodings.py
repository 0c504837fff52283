"""Cai 2009, section 3.2.3.2: a profile for each encoding of a language, on real files in old encodings (dev/encoding)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import webtongue
from webtongue import Page
from webtongue.charset.names import resolve
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.composite import Composite
from webtongue.lab.papers.cai_claims import CHANCE
from webtongue.lab.papers.common import fold_language, read_labelled
from webtongue.lab.papers.significance import ALPHA, compare_paired, format_probability

UTF8 = "utf-8"
SEEN_SET = "nltk_udhr_legacy.tar.xz"  # its text is in training
MIN_FILES = 4  # encodings with fewer files share a row


@dataclass(frozen=True, slots=True)
class File:
    """A text in an old encoding, with its language."""

    raw: bytes
    language: str
    encoding: str


def run(data: Path, model: Composite) -> Iterator[Table | Claim]:
    """Yield the comparison of all profiles with those of UTF-8 only, without a border, to measure the profiles themselves."""
    borderless = model.with_settings({"border": 0.0})
    modelled = {fold_language(split_label(label)[0]) for label in model.labels}
    files = [file for file in read_files(data) if file.language in modelled]
    right = {
        "all": [answer_language(borderless, file) == file.language for file in files],
        UTF8: [answer_language(keep_encoding(borderless, UTF8), file) == file.language for file in files],
        "webtongue": [
            fold_language(verdict.label) == file.language
            for verdict, file in zip(webtongue.identify_many([Page(file.raw) for file in files]), files, strict=True)
        ],
    }
    counts = Counter(file.encoding for file in files)
    rows = [encoding_row(name, files, right, (name,)) for name, count in sorted(counts.items()) if count >= MIN_FILES]
    rows.append(encoding_row("others", files, right, [name for name, count in counts.items() if count < MIN_FILES]))
    rows.append(encoding_row("all", files, right, list(counts)))
    note = f"{len(files)} real and re-encoded files of dev/encoding in languages that have a profile; no file declares anything."
    columns = ("encoding", "files", "profiles of UTF-8", "a profile for each encoding", "webtongue")
    yield Table("encodings", "text in old encodings, % right (section 3.2.3.2)", tuple(rows), columns, note)
    holds, probability, _, _ = compare_paired(right["all"], right[UTF8])
    figures = f"{sum(right[UTF8])} -> {sum(right['all'])} of {len(files)} files, {format_probability(probability)}"
    text = "a profile for each encoding over one in UTF-8, on text in old encodings"
    yield Claim(text, holds, figures, CHANCE, f"more files that only the profiles of UTF-8 have right, p < {ALPHA}")


def read_files(data: Path) -> list[File]:
    """Return the labelled files that are not in Unicode and whose text is not in training."""
    files = []
    for path in sorted((data / "dev" / "encoding").glob("*.tar.xz")):
        for row, raw, label in read_labelled(path) if path.name != SEEN_SET else ():
            encoding = resolve(str(row["encoding"]))
            if encoding is not None and not encoding.name.startswith("utf-") and not raw.isascii():
                files.append(File(raw, fold_language(label), encoding.name))
    return files


def keep_encoding(model: Composite, encoding: str) -> Composite:
    """Return the model with its profiles of one encoding."""
    is_kept = np.array([split_label(label)[1] == encoding for label in model.labels])
    kept_labels = tuple(label for label, keep in zip(model.labels, is_kept, strict=True) if keep)
    return replace(model, labels=kept_labels, profiles=model.profiles[is_kept], borders=model.borders[is_kept])


def answer_language(model: Composite, file: File) -> str:
    """Return the language of a file by its text."""
    return fold_language(model.answer_by("text", file.raw).label)


def encoding_row(
    name: str, files: Sequence[File], right: dict[str, list[bool]], encodings: Sequence[str]
) -> tuple[Cell, ...]:
    """Return the accuracy on the files in some encodings."""
    indexes = [i for i, file in enumerate(files) if file.encoding in encodings]
    shares = (
        100 * sum(right[system][i] for i in indexes) / len(indexes) if indexes else None
        for system in (UTF8, "all", "webtongue")
    )
    return (name, len(indexes), *shares)
