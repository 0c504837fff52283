"""Text for a simulated web: lines by label that nothing was trained on.

There are two kinds. *Untouched* lines are from dev/text: sib200_floresdev (sentences), lingua_sentences (for common languages) and
gatitos (words, for menus), which no training or calibration used. *Held-out* lines are those of the training corpus that
``lab/train/corpus/holdout.py`` reserves, so that neither the weights nor their calibration (on a fiftieth of the other lines) used
them; benchmarks of false positives did. They are from the same sources as the training text, so figures on them are too good.
Lines in another script than their label's, and lines with several labels, are dropped, as in training."""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from webtongue import _kernel, labels
from webtongue.lab.train.corpus.audit import MIN_SCRIPT_SHARE, PLACEHOLDERS, UNTRANSLATED_LABEL, make_line_key
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.pack import pack_lines, script_group
from webtongue.lab.train.corpus.read import DROPPED_LABELS, FOLDED_LABELS, iter_files, read_lines

MIN_LINE_CHARS, MAX_LINE_CHARS = 15, 600
MAX_LINES = 6000  # of a label; only English has more
MIN_UNTOUCHED_LINES = 40  # a rare label with fewer also uses held-out lines


@dataclass(frozen=True, slots=True)
class LabelText:
    """The text for pages of a label."""

    label: str
    untouched: tuple[str, ...]
    more: tuple[str, ...]  # untouched lines of 75 large languages, labelled less carefully
    held_out: tuple[str, ...]
    words: tuple[str, ...]  # for menus

    def lines(self, is_common: bool) -> tuple[str, ...]:
        """Return all lines for common languages, to find more false alarms; for others the untouched ones, if they suffice."""
        if is_common:
            return self.untouched + self.more + self.held_out
        return self.untouched if len(self.untouched) >= MIN_UNTOUCHED_LINES else self.untouched + self.held_out


def read_texts(data: Path, known: set[str], work: Path) -> dict[str, LabelText]:
    """Return the text of every label that has any; held-out lines are collected once and cached in ``work``."""
    cache_path = work / "held_out.json"
    if not cache_path.exists():
        work.mkdir(parents=True, exist_ok=True)
        cache_path.write_text(json.dumps(held_out_lines(data / "train"), ensure_ascii=False), "utf-8")
    held_out: dict[str, list[str]] = json.loads(cache_path.read_text("utf-8"))
    sentences = read_dev_set(data / "dev" / "text" / "sib200_floresdev.jsonl.xz")
    more = read_dev_set(data / "dev" / "text" / "lingua_sentences.jsonl.xz")
    words = read_dev_set(data / "dev" / "text" / "gatitos.jsonl.xz")
    texts = {}
    for label in sorted({*held_out, *sentences} & known):
        lines = tuple(held_out.get(label, ())[:MAX_LINES])
        texts[label] = LabelText(
            label, tuple(sentences.get(label, ())), tuple(more.get(label, ())), lines, tuple(words.get(label, ()))
        )
    return texts


def read_dev_set(path: Path) -> dict[str, list[str]]:
    """Return the texts of a set by our labels."""
    texts: dict[str, list[str]] = defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            texts[str(labels.fold(row["label"]))].append(row["text"])
    return texts


def held_out_lines(folder: Path) -> dict[str, list[str]]:
    """Return the clean held-out lines of the training corpus."""
    texts: dict[str, list[str]] = defaultdict(list)
    for file in iter_files(folder):
        if file.label not in DROPPED_LABELS:
            lines = [
                line.strip() for line in read_lines(file.path) if len(line) >= MIN_LINE_CHARS and is_held_out(line)
            ]
            texts[str(labels.fold(FOLDED_LABELS.get(file.label, file.label)))] += [
                line[:MAX_LINE_CHARS] for line in lines
            ]
    label_by_key: dict[int, str] = {}
    pairs_by_label = {label: list(zip(line_keys(lines), lines, strict=True)) for label, lines in texts.items()}
    for label, pairs in pairs_by_label.items():
        for key, _ in pairs:
            previous = label_by_key.setdefault(key, label)
            if previous != label:
                label_by_key[key] = UNTRANSLATED_LABEL if UNTRANSLATED_LABEL in (previous, label) else ""
    rng = np.random.default_rng(1)
    clean: dict[str, list[str]] = {}
    for label, pairs in sorted(pairs_by_label.items()):
        unique = {key: line for key, line in pairs if label_by_key[key] == label}
        lines = filter_script(label, list(unique.values()))
        clean[label] = [lines[i] for i in rng.permutation(len(lines))[:MAX_LINES].tolist()]
    return {label: lines for label, lines in clean.items() if lines}


def line_keys(lines: list[str]) -> list[int]:
    """Return a key for each line; lines with the same letters have the same key."""
    return [_kernel.hash_text(make_line_key(PLACEHOLDERS.sub(" ", line)).encode()) for line in lines]


def filter_script(label: str, lines: list[str]) -> list[str]:
    """Return the lines that are mostly in the script of the label."""
    blob, offsets = pack_lines([PLACEHOLDERS.sub(" ", line) for line in lines])
    groups, shares = np.zeros(len(lines), np.uint8), np.zeros(len(lines), np.uint8)
    _kernel.line_groups(blob, offsets, groups, shares)
    is_in_script = (groups == script_group(label)) & (shares >= MIN_SCRIPT_SHARE)
    return [line for line, is_kept in zip(lines, is_in_script.tolist(), strict=True) if is_kept]
