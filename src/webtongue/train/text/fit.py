"""Fitting the language model: counts, layout and passes over snippets; then calibration, and the file."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines, script_group, script_name
from webtongue.train.corpus.read import INTERFACE, MADE, SCRIPTURE, Corpus
from webtongue.train.corpus.romanise import SOURCE as ROMANISED
from webtongue.train.corpus.sample import SampleConfig, label_snippets, sizes, snippet, source_shares
from webtongue.train.corpus.varieties import read_rules
from webtongue.train.text import calibrate
from webtongue.train.text.cluster import Layout, lay_out
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.decisive import find_all
from webtongue.train.text.file import INFO, Weights, write_model

Sources = Mapping[str, list[str]]
Progress = Callable[[str], None]


@dataclass(slots=True)
class Fitted:
    """A trained table and all that is needed to write it."""

    labels: list[str]
    layout: Layout
    table: _kernel.Table
    held: dict[str, list[str]]
    texts: dict[str, dict[str, list[str]]]


def fit(corpus: Corpus, config: TrainConfig, progress: Progress) -> Fitted:
    """Counts, layout, table and passes; the held-out lines are kept for calibration."""
    texts, held = hold_out(corpus, config.held_out)
    labels = sorted(texts)
    groups = [script_group(label) for label in labels]
    counts = _kernel.Counts()
    for number, label in enumerate(labels):
        if groups.count(groups[number]) > 1:
            count_label(counts, number, groups[number], texts[label], config.sample)
    counts.sort()
    progress(f"counted {len(counts)} (n-gram, label) pairs")
    profiles = np.zeros((len(labels), 8192), np.float32)
    counts.profiles(profiles)
    layout = lay_out(groups, profiles)
    worth = [worth_of(texts[label]) for label in labels]
    table = _kernel.Table(
        counts, layout.slots.tolist(), worth, groups, config.rows, config.lines, config.dense, config.floor, config.keep
    )
    table.prepare(config.damp)
    for number in range(config.passes):
        loss = one_pass(table, texts, labels, groups, layout, config, number)
        progress(f"pass {number + 1}: loss {loss:.4f}")
    return Fitted(labels, layout, table, held, texts)


def hold_out(corpus: Corpus, one_in: int) -> tuple[dict[str, dict[str, list[str]]], dict[str, list[str]]]:
    """Takes lines out of every file that has enough of them, at most ten a file."""
    texts: dict[str, dict[str, list[str]]] = {}
    held: dict[str, list[str]] = {}
    for label, sources in corpus.of_label().items():
        for source, lines in sources.items():
            rnd = random.Random(f"{source}/{label}")
            out = set(rnd.sample(range(len(lines)), min(10, len(lines) // one_in)))
            texts.setdefault(label, {})[source] = [line for i, line in enumerate(lines) if i not in out]
            held.setdefault(label, []).extend(lines[i] for i in sorted(out))
    return texts, held


def count_label(counts: _kernel.Counts, number: int, group: int, sources: Sources, config: SampleConfig) -> None:
    """Counts a label's n-grams, each line weighted so that sources have their shares."""
    size = sizes(sources)
    total = sum(size.values())
    shares = source_shares(size, config)
    lines: list[str] = []
    weights: list[float] = []
    for source in sorted(size):
        lines += sources[source]
        weights += [shares[source] * total / size[source]] * len(sources[source])
    blob, offsets = pack_lines(lines)
    least = 2 if total > 40_000 else 1  # in a small text a single occurrence is all there is
    counts.add(number, group, blob, offsets, np.array(weights, np.float32), least)


def worth_of(sources: Sources) -> float:
    """How much of the table a label may claim: those with modern text are the ones met on the web."""
    modern = sum(size for source, size in sizes(sources).items() if source not in SCRIPTURE)
    return float(min(6.0, max(0.5, (modern / 150_000) ** 0.8)))


def one_pass(
    table: _kernel.Table,
    texts: Mapping[str, Sources],
    labels: list[str],
    groups: list[int],
    layout: Layout,
    config: TrainConfig,
    number: int,
) -> float:
    """One round of snippets. Script groups share no weight, so the largest runs beside all the others."""
    jobs = {group: [i for i, g in enumerate(groups) if g == group] for group in layout.ranges}
    largest = max(jobs, key=lambda group: len(jobs[group]), default=None)
    losses: dict[int, tuple[float, int]] = {}

    def work(chosen: list[int]) -> None:
        for group in chosen:
            losses[group] = _fit_group(table, texts, labels, jobs[group], layout, group, config, number)

    beside = threading.Thread(target=work, args=([g for g in jobs if g != largest],))
    beside.start()
    work([largest] if largest is not None else [])
    beside.join()
    total = sum(count for _, count in losses.values())
    return sum(loss * count for loss, count in losses.values()) / max(1, total)


def _fit_group(
    table: _kernel.Table,
    texts: Mapping[str, Sources],
    labels: list[str],
    members: list[int],
    layout: Layout,
    group: int,
    config: TrainConfig,
    number: int,
) -> tuple[float, int]:
    examples: list[tuple[str, int]] = []
    hard = {label for pair in read_rules() for label in pair}
    for i in members:
        latin = labels[i].endswith("_Latn")
        count = config.snippets * (config.look_alikes if labels[i] in hard else 1)
        drawn = label_snippets(texts[labels[i]], latin, count, f"{labels[i]}/{number}", config.sample)
        examples += [(text, int(layout.slots[i])) for text in drawn]
    random.Random(f"{group}/{number}").shuffle(examples)
    blob, offsets = pack_lines([text for text, _ in examples])
    slots = np.array([slot for _, slot in examples], np.uint32)
    first, last = layout.ranges[group]
    loss = table.fit(
        blob, offsets, slots, first, last, config.rate, config.damp, config.scale, config.power, config.drop, number + 1
    )
    return loss, len(examples)


def write(fitted: Fitted, out: Path, config: TrainConfig, manifest: dict[str, Any], progress: Progress) -> None:
    """Writes a first file to measure with, calibrates on the held-out lines, writes the final one."""
    keys, starts, clusters, rows, pair_keys, pair_slots, pair_weights = map(np.array, fitted.table.arrays())
    weights = Weights(keys, starts, clusters, rows, pair_keys, pair_slots, pair_weights, config.lines)
    scripts = sorted({script_name(label) for label in fitted.labels})
    infos = np.zeros(len(fitted.labels), INFO)
    infos["slot"] = fitted.layout.slots
    infos["script"] = [scripts.index(script_name(label)) for label in fitted.labels]
    infos["tier"] = [tier_of(fitted.texts[label]) for label in fitted.labels]
    infos["allowance"] = [round(16 * config.allowances[tier - 1]) for tier in infos["tier"]]
    start = calibrate.start_scales(config.scale, config.power)
    write_model(out, fitted.labels, infos, scripts, weights, start, manifest)
    model = _kernel.LanguageModel(np.fromfile(out, np.uint8))
    held, truth, per_feature, unseen = measure(model, fitted, config)
    fallback = config.scale / calibrate.bucket_sizes() ** config.power
    scales = calibrate.by_tier(calibrate.fit_scales(held, fallback))
    infos["low_score"], infos["high_unseen"] = calibrate.norms_of(truth, per_feature, unseen, len(fitted.labels))
    decisive = find_all(fitted.texts) if config.decisive else []
    progress(
        f"decisive features: {sum(len(group.keys) for group in decisive)} of {len(decisive)} groups of look-alikes"
    )
    write_model(out, fitted.labels, infos, scripts, weights, scales, manifest, decisive)
    progress(f"wrote {out}: {out.stat().st_size} bytes, {len(fitted.labels)} labels")


def measure(
    model: _kernel.LanguageModel, fitted: Fitted, config: TrainConfig
) -> tuple[calibrate.HeldOut, list[int], NDArray[np.float64], NDArray[np.float64]]:
    """Scores held-out snippets of all lengths: 24 a label, from its own lines."""
    texts: list[str] = []
    truth: list[int] = []
    for i, label in enumerate(fitted.labels):
        if fitted.held.get(label):
            rnd = random.Random(f"measure/{label}")
            texts += [snippet(fitted.held[label], rnd, config.sample) for _ in range(24)]
            truth += [i] * 24
    blob, offsets = pack_lines(texts)
    ids, _, scores, facts = model.rank_many(blob, offsets, 32)
    match = ids == np.array(truth).reshape(-1, 1)
    rank = np.where(match.any(axis=1), match.argmax(axis=1), -1)
    features = facts[:, 0].astype(np.int64)
    own = np.where(rank >= 0, scores[np.arange(len(rank)), np.maximum(rank, 0)], 0) if len(rank) else np.zeros(0)
    held = calibrate.HeldOut(scores, rank, features)
    return held, truth, own / np.maximum(features, 1), facts[:, 1] / np.maximum(features, 1)


def tier_of(sources: Sources) -> int:
    """1: enough modern text of several kinds; 3: scripture or the declaration of human rights only; 2: between.

    Romanised text is made of modern text by rule, and no more than that.
    """
    modern = {s: n for s, n in sizes(sources).items() if s not in SCRIPTURE and s != "udhr" and s not in MADE}
    total = sum(modern.values())
    if total >= 200_000 or (len(modern) >= 3 and total >= 100_000 and not set(modern) <= INTERFACE):
        return 1
    return 2 if total >= 10_000 or ROMANISED in sources else 3
