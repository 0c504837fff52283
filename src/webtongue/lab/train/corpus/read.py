"""Read training text: a folder of `source/label.txt[.xz|.gz]`, one segment per line, UTF-8.

To add a language, add a file named after its label in a folder named after the source of the text. Licences are read from
`manifest.tsv` (source, label, ..., licence, origin) in the same folder, where it exists.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.lab.documents import SOURCE_FOLDERS, find_layout, parse_label
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.licences import SourceLabel

# One language that the web has under several codes: text of the left label is trained as the right one. Varieties that are
# written differently stay separate. `hbs` is the group of srp, hrv and bos, not a label with text.
FOLDED_LABELS = {
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

# Kinds of source: the register of scripture and of interface text differs more than languages do, so sampling and the audit
# treat them separately.
SCRIPTURE = frozenset({"ebible", "bible2", "quran", "fijian_hymns", "chuukese_bible", "samoan_faalupega"})
INTERFACE = frozenset({"mediawiki", "uistrings", "mozilla", "libreoffice", "webmenu"})
# Bags of words and transliterations by rule: n-grams inside words are right, word order and frequencies are not.
SYNTHETIC = frozenset({"langdata", "translit", "words", "varieties", "romanised"})
# Generated during training from word lists and from text of other labels: no evidence that a label has much text.
GENERATED = frozenset({"words", "varieties", "romanised"})
# Mislabelled files, found by classifying each with a model trained without it (train/text/sources.py).
DROPPED_FILES: dict[SourceLabel, str] = {
    ("covid_health", "sgd_Latn"): "every line reads as Cebuano",
    ("ted", "cnr_Latn"): "ijekavian: folded into Serbian it would remove the difference to Bosnian",
}


@dataclass(frozen=True, slots=True)
class DroppedSpan:
    """Mislabelled lines of a file: the digest of the first, the number of lines, and what they are."""

    first: str
    lines: int
    description: str


# Found by classifying every span of a file with a model trained without its source (train/text/foreign_spans.py).
DROPPED_SPANS: dict[SourceLabel, tuple[DroppedSpan, ...]] = {
    ("udhr", "fra_Latn"): (
        DroppedSpan("1ff2b84f679eee3d", 59, "another language of the Oïl family, before the French text"),
    ),
    ("udhr", "swa_Latn"): (
        DroppedSpan("dc711820d0e3dfd5", 49, "a language of the Somali coast, before the Swahili text"),
    ),
    ("mozilla", "oci_Latn"): (
        DroppedSpan("36c494d68c84cdef", 7, "French that was not translated"),
        DroppedSpan("dbb8fddc889db8ed", 23, "French that was not translated"),
    ),
    ("mozilla", "fry_Latn"): (
        DroppedSpan("c055eba3721446db", 23, "Dutch that was not translated"),
        DroppedSpan("fe182314e8169467", 18, "Dutch that was not translated"),
        DroppedSpan("fa3dedfe9b51773b", 20, "Dutch that was not translated"),
    ),
    ("mediawiki", "che_Cyrl"): (DroppedSpan("bef62f1a3d112a45", 6, "all pairs of letters"),),
    ("mediawiki", "est_Latn"): (DroppedSpan("3659fc77d391f5ad", 6, "all pairs of letters"),),
}


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """One file of the corpus."""

    source: str
    label: str
    path: Path


@dataclass(slots=True)
class Corpus:
    """Lines by (source, label), after folding of labels. Iteration is in sorted order, so that runs are repeatable."""

    lines: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        return sorted({label for _, label in self.lines})

    def group_by_label(self) -> dict[str, dict[str, list[str]]]:
        """Return the same lines as label -> source -> lines."""
        by_label: dict[str, dict[str, list[str]]] = {}
        for (source, label), lines in sorted(self.lines.items()):
            by_label.setdefault(label, {})[source] = lines
        return by_label


def iter_files(folder: Path, without: Collection[SourceLabel] = ()) -> Iterator[CorpusFile]:
    """Yield the files of a corpus in a fixed order, except those in ``without`` and DROPPED_FILES.

    A file may be named after a language only, as in `eng.txt` or `en.txt`: its label has the script, too.
    """
    for source in sorted(p for p in folder.iterdir() if p.is_dir()):
        for path in sorted(source.iterdir()):
            name = path.name.removesuffix(".xz").removesuffix(".gz")
            stem = name.removesuffix(".txt")
            entry = CorpusFile(source.name, stem if "_" in stem else parse_label(stem) or stem, path)
            key = (entry.source, entry.label)
            if name.endswith(".txt") and key not in DROPPED_FILES and key not in without:
                yield entry


def explain_layout(folder: Path) -> str:
    """Return how a corpus must be laid out if ``folder`` is not, and what to do with another layout; empty if it is."""
    needed = f"a corpus is a folder of {SOURCE_FOLDERS}[.xz], one segment per line"
    try:
        layout = find_layout(folder)
    except UsageError:
        return needed
    if layout == SOURCE_FOLDERS:
        return ""
    return (
        f"{needed}; this one has {layout}: give --method to train a published method, or join the texts of each label"
    )


def read_lines(path: Path) -> list[str]:
    """Return the lines of a plain, xz or gzip file; bytes that are not UTF-8 become U+FFFD, which no feature contains."""
    raw = path.read_bytes()
    if path.suffix == ".xz":
        raw = lzma.decompress(raw)
    elif path.suffix == ".gz":
        raw = gzip.decompress(raw)
    return raw.decode("utf-8", "replace").split("\n")


def read_corpus(
    folder: Path,
    without: Collection[SourceLabel] = (),
    only: frozenset[str] | None = None,
    labels: Iterable[str] | None = None,
    read: Callable[[Path], list[str]] = read_lines,
) -> Corpus:
    """Return all lines except those reserved for benchmarks (holdout.py), under folded labels.

    ``only`` restricts the sources, ``labels`` the labels; ``read`` returns the lines of a file.
    """
    corpus = Corpus()
    wanted_labels = None if labels is None else set(labels)
    for entry in iter_files(folder, without):
        label = FOLDED_LABELS.get(entry.label, entry.label)
        if entry.label in DROPPED_LABELS or (only is not None and entry.source not in only):
            continue
        if wanted_labels is not None and label not in wanted_labels:
            continue
        lines = [line.strip() for line in read(entry.path) if line.strip() and not is_held_out(line)]
        dropped = DROPPED_SPANS.get((entry.source, entry.label), ())
        corpus.lines.setdefault((entry.source, label), []).extend(drop_spans(lines, dropped))
    return corpus


def digest_line(line: str) -> str:
    """Return the digest by which DROPPED_SPANS names a line."""
    return hashlib.blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def drop_spans(lines: list[str], dropped: Collection[DroppedSpan]) -> list[str]:
    """Return the lines without the given spans. A span whose first line is missing is ignored: the file is another one."""
    if not dropped:
        return lines
    lengths = {stretch.first: stretch.lines for stretch in dropped}
    remaining, skip = [], 0
    for line in lines:
        skip = max(skip, lengths.get(digest_line(line), 0))
        if not skip:
            remaining.append(line)
        skip = max(0, skip - 1)
    return remaining
