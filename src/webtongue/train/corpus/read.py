"""Training text: a folder `source/label.txt[.xz]`, one segment a line, UTF-8.

Anyone's folder will do: to add a language, add a file named by its label in a folder named by where the text is from.
A `manifest.tsv` beside the folders (source, label, ..., licence, origin) is used for licences where it exists.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.terms import Place

# One language on the web under several codes: the right-hand label carries both. Varieties that differ in writing
# stay apart. `hbs` is the group that srp, hrv, bos answer to, not a label with text of its own.
FOLDS = {
    "prs_Arab": "fas_Arab",
    "tzm_Tfng": "zgh_Tfng",
    "fuc_Latn": "ful_Latn",
    "fuv_Latn": "ful_Latn",
    "quy_Latn": "que_Latn",
    "kng_Latn": "kon_Latn",
    "kwy_Latn": "kon_Latn",
    "cnr_Latn": "srp_Latn",
    "cnr_Cyrl": "srp_Cyrl",
    "nor_Latn": "nob_Latn",
    "bos_Cyrl": "srp_Cyrl",
    "tmh_Latn": "taq_Latn",
}
DROPPED_LABELS = frozenset({"hbs_Latn", "hbs_Cyrl"})

# Kinds of source: the register of scripture and of interface text decides more than the language does, so sampling
# and the audit treat them apart (docs/model.md, "traps").
SCRIPTURE = frozenset({"ebible", "bible2", "quran", "fijian_hymns", "chuukese_bible", "samoan_faalupega"})
INTERFACE = frozenset({"mediawiki", "uistrings", "mozilla", "libreoffice"})
# Bags of words, rule-made transliterations: n-grams inside words are right, word order and frequencies are not.
SYNTHETIC = frozenset({"langdata", "translit", "words", "varieties", "romanised"})
# Made while training, from word lists and from other labels' text: no sign that a label is well known.
MADE = frozenset({"words", "varieties", "romanised"})
# Files that are not what they say, by reading each with a model trained without it (train/text/sources.py).
DROPPED_FILES: dict[Place, str] = {
    ("covid_health", "sgd_Latn"): "every line reads as Cebuano",
    ("ted", "cnr_Latn"): "ijekavian: folded into Serbian it would undo what tells Bosnian from it",
}


@dataclass(frozen=True, slots=True)
class DroppedStretch:
    """Lines of a file that are not what it says: so many from the one with this digest on; and what they are."""

    first: str
    lines: int
    what: str


# By reading every stretch of a file with a model trained without its source (train/text/stretches.py).
DROPPED_STRETCHES: dict[Place, tuple[DroppedStretch, ...]] = {
    ("udhr", "fra_Latn"): (
        DroppedStretch("1ff2b84f679eee3d", 59, "another language of the Oïl, before the French text"),
    ),
    ("udhr", "swa_Latn"): (
        DroppedStretch("dc711820d0e3dfd5", 49, "a language of the Somali coast, before the Swahili text"),
    ),
    ("mozilla", "oci_Latn"): (
        DroppedStretch("36c494d68c84cdef", 7, "French that was not translated"),
        DroppedStretch("dbb8fddc889db8ed", 23, "French that was not translated"),
    ),
    ("mozilla", "fry_Latn"): (
        DroppedStretch("c055eba3721446db", 23, "Dutch that was not translated"),
        DroppedStretch("fe182314e8169467", 18, "Dutch that was not translated"),
        DroppedStretch("fa3dedfe9b51773b", 20, "Dutch that was not translated"),
    ),
    ("mediawiki", "che_Cyrl"): (DroppedStretch("bef62f1a3d112a45", 6, "all pairs of letters"),),
    ("mediawiki", "est_Latn"): (DroppedStretch("3659fc77d391f5ad", 6, "all pairs of letters"),),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the corpus."""

    source: str
    label: str
    path: Path


@dataclass(slots=True)
class Corpus:
    """Lines by (source, label), after folding. Sources and labels are in sorted order, so runs are repeatable."""

    lines: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        return sorted({label for _, label in self.lines})

    def of_label(self) -> dict[str, dict[str, list[str]]]:
        """The same lines as label -> source -> lines."""
        out: dict[str, dict[str, list[str]]] = {}
        for (source, label), lines in sorted(self.lines.items()):
            out.setdefault(label, {})[source] = lines
        return out


def entries(folder: Path, without: Collection[Place] = ()) -> Iterator[Entry]:
    """The files of a corpus in a fixed order, those in `without` and DROPPED_FILES left out."""
    for source in sorted(p for p in folder.iterdir() if p.is_dir()):
        for path in sorted(source.iterdir()):
            name = path.name.removesuffix(".xz")
            entry = Entry(source.name, name.removesuffix(".txt"), path)
            place = (entry.source, entry.label)
            if name.endswith(".txt") and place not in DROPPED_FILES and place not in without:
                yield entry


def read_lines(path: Path) -> list[str]:
    """The lines of a plain or xz file; bytes that are not UTF-8 become U+FFFD, which no feature contains."""
    raw = path.read_bytes()
    if path.suffix == ".xz":
        raw = lzma.decompress(raw)
    return raw.decode("utf-8", "replace").split("\n")


def read_corpus(
    folder: Path,
    without: Collection[Place] = (),
    only: frozenset[str] | None = None,
    labels: Iterable[str] | None = None,
) -> Corpus:
    """All lines but those kept for measuring (holdout.py), labels folded; of some sources and labels only, if asked."""
    corpus = Corpus()
    wanted = None if labels is None else set(labels)
    for entry in entries(folder, without):
        label = FOLDS.get(entry.label, entry.label)
        if entry.label in DROPPED_LABELS or (only is not None and entry.source not in only):
            continue
        if wanted is not None and label not in wanted:
            continue
        lines = [line.strip() for line in read_lines(entry.path) if line.strip() and not held_out(line)]
        gone = DROPPED_STRETCHES.get((entry.source, entry.label), ())
        corpus.lines.setdefault((entry.source, label), []).extend(without_stretches(lines, gone))
    return corpus


def line_digest(line: str) -> str:
    """A line's name."""
    return hashlib.blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def without_stretches(lines: list[str], gone: Collection[DroppedStretch]) -> list[str]:
    """Lines but for some stretches; one whose first line is not there leaves nothing out: the file is another one."""
    if not gone:
        return lines
    length = {stretch.first: stretch.lines for stretch in gone}
    out, skip = [], 0
    for line in lines:
        skip = max(skip, length.get(line_digest(line), 0))
        if not skip:
            out.append(line)
        skip = max(0, skip - 1)
    return out
