"""Drop faulty lines of a corpus before training, and report how many were dropped and why.

Four checks, from cheap to expensive: no letters; wrong script; repeated under one label; the same line under several labels
(untranslated interface text, Bible verses filed twice). Sources of a label that disagree with each other are reported by
train/text/sources.py, for a person to decide.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines, script_group
from webtongue.lab.train.corpus.read import Corpus

# URLs, e-mail addresses, entities, tags and placeholders of interface text are the same in every language.
PLACEHOLDERS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+|&\w+;|<[^>]*>|%\(?\w*\)?[sd]|\$\w+|\{\{?[^}]*\}?\}|__\w+__")
NOT_LETTERS = re.compile(r"[\W\d_]+")
# Minimum share, of 255, of a line's letters in the script of its label. Below it, other scripts dominate.
MIN_SCRIPT_SHARE = 150
# Untranslated lines are English: a line that also occurs under this label belongs to it alone.
UNTRANSLATED_LABEL = "eng_Latn"
# A model memorises the few lines of a smaller label and learns nothing general.
MIN_LABEL_BYTES = 4000
MAX_EXPLAINED = 3  # labels that a sentence names


@dataclass(slots=True)
class AuditReport:
    """Dropped lines by (reason, source, label), bytes of the labels that were dropped, and numbers of lines before and after."""

    dropped: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    labels_dropped: dict[str, int] = field(default_factory=dict)
    lines_before: int = 0
    lines_after: int = 0

    def rows(self) -> list[dict[str, str | int]]:
        """Return the rows of the report file: one for each reason and file, most lines first."""
        return [
            {"reason": reason, "source": source, "label": label, "lines": count}
            for (reason, source, label), count in sorted(self.dropped.items(), key=lambda item: (-item[1], item[0]))
        ]

    def explain(self) -> str:
        """Return what was dropped, as a sentence for a corpus of which nothing is left.

        >>> AuditReport(Counter({("repeated", "mine", "deu_Latn"): 7}), {"deu_Latn": 950}, lines_before=17).explain()
        'a label needs 4,000 bytes of text, and deu_Latn has 950; the audit dropped 7 of 17 lines (7 repeated)'
        """
        parts = []
        if self.labels_dropped:
            largest = sorted(self.labels_dropped.items(), key=lambda item: -item[1])
            sizes = ", ".join(f"{label} has {count:,}" for label, count in largest[:MAX_EXPLAINED])
            more = f", {len(largest) - MAX_EXPLAINED} others less" if len(largest) > MAX_EXPLAINED else ""
            parts.append(f"a label needs {MIN_LABEL_BYTES:,} bytes of text, and {sizes}{more}")
        if self.dropped:
            by_reason: Counter[str] = Counter()
            for (reason, _, _), count in self.dropped.items():
                by_reason[reason] += count
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in by_reason.most_common())
            parts.append(f"the audit dropped {by_reason.total():,} of {self.lines_before:,} lines ({reasons})")
        return "; ".join(parts) or "its files have no lines"


def make_line_key(line: str) -> str:
    """Return the lower-case letters of a line. Two lines with equal keys count as the same line.

    >>> make_line_key("Page 12: Edit!") == make_line_key("page edit")
    True
    """
    return NOT_LETTERS.sub("", line).lower()


def audit(corpus: Corpus) -> tuple[Corpus, AuditReport]:
    """Return the corpus without the lines that fail a check, and the report."""
    report = AuditReport(lines_before=sum(map(len, corpus.lines.values())))
    label_of_key: dict[int, str] = {}
    clean_lines: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        clean_lines[source, label] = list(_check_lines(source, label, lines, report))
        for _, key in clean_lines[source, label]:
            first_label = label_of_key.setdefault(key, label)
            if first_label != label:
                label_of_key[key] = UNTRANSLATED_LABEL if UNTRANSLATED_LABEL in (first_label, label) else ""
    clean = Corpus()
    for (source, label), keyed_lines in clean_lines.items():
        lines = [line for line, key in keyed_lines if label_of_key[key] == label]
        report.dropped["several labels", source, label] += len(keyed_lines) - len(lines)
        if lines:
            clean.lines[source, label] = lines
    _drop_small_labels(clean, report)
    report.dropped = +report.dropped
    report.lines_after = sum(map(len, clean.lines.values()))
    return clean, report


def _check_lines(source: str, label: str, lines: list[str], report: AuditReport) -> list[tuple[str, int]]:
    stripped = [PLACEHOLDERS.sub(" ", line) for line in lines]
    blob, offsets = pack_lines(stripped)
    groups, shares = np.zeros(len(lines), np.uint8), np.zeros(len(lines), np.uint8)
    _kernel.line_groups(blob, offsets, groups, shares)
    label_group = script_group(label)
    seen: set[int] = set()
    clean = []
    for line, group, share in zip(stripped, groups.tolist(), shares.tolist(), strict=True):
        key = _kernel.hash_text(make_line_key(line).encode())
        if share == 0:
            report.dropped["no letters", source, label] += 1
        elif group != label_group or share < MIN_SCRIPT_SHARE:
            report.dropped["wrong script", source, label] += 1
        elif key in seen:
            report.dropped["repeated", source, label] += 1
        else:
            seen.add(key)
            clean.append((line, key))
    return clean


def _drop_small_labels(corpus: Corpus, report: AuditReport) -> None:
    bytes_by_label: Counter[str] = Counter()
    for (_, label), lines in corpus.lines.items():
        bytes_by_label[label] += sum(len(line.encode()) for line in lines)
    report.labels_dropped = {label: count for label, count in sorted(bytes_by_label.items()) if count < MIN_LABEL_BYTES}
    for key in [key for key in corpus.lines if key[1] in report.labels_dropped]:
        del corpus.lines[key]
