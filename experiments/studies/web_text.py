"""Text for a simulated web: lines that nothing was trained on, by label, and where they are from.

Two kinds. *Untouched*: dev/text sib200_floresdev (sentences), lingua_sentences (for common languages) and gatitos (words, here for
menus), which no training or calibration ever read. *Left out*: lines of the training corpus that ``train/corpus/holdout.py`` keeps
from being read, so that neither the weights nor their calibration (which has a fiftieth of the other lines) saw them; benchmarks of
false positives did. Of the same sources as the training text, they flatter. Lines in another script than their label's, and lines
that are filed under several labels, are dropped, as training drops them.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from webtongue import _kernel, labels
from webtongue.train.corpus.audit import FALLBACK, PLACEHOLDERS, SCRIPT_SHARE, line_key
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.pack import pack_lines, script_group
from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, entries, read_lines

SHORTEST, LONGEST = 15, 600  # characters of a line
MOST_LINES = 6000  # of a label: English alone has more
ENOUGH = 40  # untouched lines from which a rare label needs no others


@dataclass(frozen=True, slots=True)
class Text:
    """What pages of a label are made of."""

    label: str
    untouched: tuple[str, ...]
    more: tuple[str, ...]  # untouched too, of 75 big languages, less carefully labelled
    left_out: tuple[str, ...]
    words: tuple[str, ...]  # for menus

    def lines(self, common: bool) -> tuple[str, ...]:
        """Common languages have all, since variety is what shows false alarms; others the untouched ones, if they are enough."""
        if common:
            return self.untouched + self.more + self.left_out
        return self.untouched if len(self.untouched) >= ENOUGH else self.untouched + self.left_out


def gather(data: Path, known: set[str], work: Path) -> dict[str, Text]:
    """The text of every label that has any; what is left out of training is found once and kept in ``work``."""
    kept = work / "left_out.json"
    if not kept.exists():
        work.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(left_out(data / "train"), ensure_ascii=False), "utf-8")
    ours: dict[str, list[str]] = json.loads(kept.read_text("utf-8"))
    sentences = dev_lines(data / "dev" / "text" / "sib200_floresdev.jsonl.xz")
    more = dev_lines(data / "dev" / "text" / "lingua_sentences.jsonl.xz")
    words = dev_lines(data / "dev" / "text" / "gatitos.jsonl.xz")
    found = {}
    for label in sorted({*ours, *sentences} & known):
        own = tuple(ours.get(label, ())[:MOST_LINES])
        found[label] = Text(
            label, tuple(sentences.get(label, ())), tuple(more.get(label, ())), own, tuple(words.get(label, ()))
        )
    return found


def dev_lines(path: Path) -> dict[str, list[str]]:
    """Texts of a set by our label."""
    found: dict[str, list[str]] = defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            found[str(labels.fold(row["label"]))].append(row["text"])
    return found


def left_out(folder: Path) -> dict[str, list[str]]:
    """Lines that training leaves out, clean ones only."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in entries(folder):
        if entry.label not in DROPPED_LABELS:
            lines = [line.strip() for line in read_lines(entry.path) if len(line) >= SHORTEST and held_out(line)]
            found[str(labels.fold(FOLDS.get(entry.label, entry.label)))] += [line[:LONGEST] for line in lines]
    owner: dict[int, str] = {}
    keyed = {label: list(zip(keys(lines), lines, strict=True)) for label, lines in found.items()}
    for label, pairs in keyed.items():
        for key, _ in pairs:
            before = owner.setdefault(key, label)
            if before != label:
                owner[key] = FALLBACK if FALLBACK in (before, label) else ""
    shuffle = np.random.default_rng(1)
    clean: dict[str, list[str]] = {}
    for label, pairs in sorted(keyed.items()):
        own = {key: line for key, line in pairs if owner[key] == label}
        lines = in_script(label, list(own.values()))
        clean[label] = [lines[i] for i in shuffle.permutation(len(lines))[:MOST_LINES].tolist()]
    return {label: lines for label, lines in clean.items() if lines}


def keys(lines: list[str]) -> list[int]:
    """Two lines are the same if their letters are."""
    return [_kernel.hash_text(line_key(PLACEHOLDERS.sub(" ", line)).encode()) for line in lines]


def in_script(label: str, lines: list[str]) -> list[str]:
    """Those that are mostly in the label's script."""
    blob, offsets = pack_lines([PLACEHOLDERS.sub(" ", line) for line in lines])
    groups, shares = np.zeros(len(lines), np.uint8), np.zeros(len(lines), np.uint8)
    _kernel.line_groups(blob, offsets, groups, shares)
    wanted = script_group(label)
    good = (groups == wanted) & (shares >= SCRIPT_SHARE)
    return [line for line, fine in zip(lines, good.tolist(), strict=True) if fine]
