"""What is wrong with a corpus, found before every training: the lines it drops are counted and listed.

Four checks, from cheap to dear: no letters; wrong script; repeated under one label; the same line under several labels
(interface text that nobody translated, Bible verses filed twice). Disagreeing sources of a label are found by
leaving one out, in train/text/sources.py: these are for a person to judge.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines, script_group
from webtongue.train.corpus.read import Corpus

# URLs, addresses, entities, tags, placeholders of interface text: they read the same in every language.
PLACEHOLDERS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+|&\w+;|<[^>]*>|%\(?\w*\)?[sd]|\$\w+|\{\{?[^}]*\}?\}|__\w+__")
NOT_LETTERS = re.compile(r"[\W\d_]+")
# Share of a line's letters, of 255, that must be in the label's script: below it, the rest drowns the language.
SCRIPT_SHARE = 150
# Untranslated lines are English: a line also found under it is taken to be that.
FALLBACK = "eng_Latn"
# Labels with less than this, in bytes, learn their few lines by heart and nothing else.
LEAST_BYTES = 4000


@dataclass(slots=True)
class AuditReport:
    """Counts of dropped lines by reason and file, labels dropped whole, and bytes before and after."""

    dropped: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    labels_dropped: dict[str, int] = field(default_factory=dict)
    lines_before: int = 0
    lines_after: int = 0

    def rows(self) -> list[dict[str, str | int]]:
        """One row a reason and file, most lines first: what the report file holds."""
        return [
            {"reason": reason, "source": source, "label": label, "lines": count}
            for (reason, source, label), count in sorted(self.dropped.items(), key=lambda item: (-item[1], item[0]))
        ]


def line_key(line: str) -> str:
    """Two lines are the same if their letters are.

    >>> line_key("Page 12: Edit!") == line_key("page edit")
    True
    """
    return NOT_LETTERS.sub("", line).lower()


def audit(corpus: Corpus) -> tuple[Corpus, AuditReport]:
    """The corpus without what fails a check, and the report."""
    report = AuditReport(lines_before=sum(map(len, corpus.lines.values())))
    owner: dict[int, str] = {}
    kept: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for (source, label), lines in sorted(corpus.lines.items()):
        kept[source, label] = list(_own_lines(source, label, lines, report))
        for _, key in kept[source, label]:
            before = owner.setdefault(key, label)
            if before != label:
                owner[key] = FALLBACK if FALLBACK in (before, label) else ""
    clean = Corpus()
    for (source, label), pairs in kept.items():
        lines = [line for line, key in pairs if owner[key] == label]
        report.dropped["several labels", source, label] += len(pairs) - len(lines)
        if lines:
            clean.lines[source, label] = lines
    _drop_thin(clean, report)
    report.dropped = +report.dropped
    report.lines_after = sum(map(len, clean.lines.values()))
    return clean, report


def _own_lines(source: str, label: str, lines: list[str], report: AuditReport) -> list[tuple[str, int]]:
    stripped = [PLACEHOLDERS.sub(" ", line) for line in lines]
    blob, offsets = pack_lines(stripped)
    groups, shares = np.zeros(len(lines), np.uint8), np.zeros(len(lines), np.uint8)
    _kernel.line_groups(blob, offsets, groups, shares)
    wanted = script_group(label)
    seen: set[int] = set()
    out = []
    for line, group, share in zip(stripped, groups.tolist(), shares.tolist(), strict=True):
        key = _kernel.hash_text(line_key(line).encode())
        if share == 0:
            report.dropped["no letters", source, label] += 1
        elif group != wanted or share < SCRIPT_SHARE:
            report.dropped["wrong script", source, label] += 1
        elif key in seen:
            report.dropped["repeated", source, label] += 1
        else:
            seen.add(key)
            out.append((line, key))
    return out


def _drop_thin(corpus: Corpus, report: AuditReport) -> None:
    size: Counter[str] = Counter()
    for (_, label), lines in corpus.lines.items():
        size[label] += sum(len(line.encode()) for line in lines)
    report.labels_dropped = {label: count for label, count in sorted(size.items()) if count < LEAST_BYTES}
    for place in [place for place in corpus.lines if place[1] in report.labels_dropped]:
        del corpus.lines[place]
