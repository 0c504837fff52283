"""Fit the text model: counts, layout and passes over snippets; then calibrate it and write the file."""

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
from webtongue.lab.train.corpus.debris import add_debris
from webtongue.lab.train.corpus.pack import pack_lines, script_group, script_name
from webtongue.lab.train.corpus.read import GENERATED, INTERFACE, SCRIPTURE, Corpus
from webtongue.lab.train.corpus.romanise import SOURCE as ROMANISED
from webtongue.lab.train.corpus.sample import (
    SampleConfig,
    compute_source_shares,
    count_bytes,
    draw_snippet,
    draw_snippets,
    draw_unmarked_lines,
)
from webtongue.lab.train.corpus.varieties import read_rules
from webtongue.lab.train.text import calibrate
from webtongue.lab.train.text.cluster import Layout, assign_slots
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.decisive import find_all_decisive
from webtongue.lab.train.text.file import INFO, Weights, write_model

Sources = Mapping[str, list[str]]
Progress = Callable[[str], None]


@dataclass(slots=True)
class Fitted:
    """A trained table and what is needed to write it: held-out lines by label, and training text by label and source."""

    labels: list[str]
    layout: Layout
    table: _kernel.Table
    held_out: dict[str, list[str]]
    texts: dict[str, dict[str, list[str]]]


def fit(corpus: Corpus, config: TrainConfig, progress: Progress) -> Fitted:
    """Return the table fitted by counting and by passes of training; held-out lines are kept for calibration."""
    texts, held_out = hold_out(corpus, config.held_out)
    labels = sorted(texts)
    groups = [script_group(label) for label in labels]
    counts = _kernel.Counts()
    for pass_number, label in enumerate(labels):
        if groups.count(groups[pass_number]) > 1:
            count_label(counts, pass_number, label, texts[label], config.sample)
    counts.sort()
    progress(f"counted {len(counts)} (n-gram, label) pairs")
    profiles = np.zeros((len(labels), 8192), np.float32)
    counts.profiles(profiles)
    layout = assign_slots(groups, profiles)
    label_weights = [weigh_label(texts[label]) for label in labels]
    table = _kernel.Table(
        counts,
        layout.slots.tolist(),
        label_weights,
        groups,
        config.rows,
        config.lines,
        config.dense,
        config.floor,
        config.keep,
    )
    table.prepare(config.damp)
    for pass_number in range(config.passes):
        loss = run_pass(table, texts, labels, groups, layout, config, pass_number)
        progress(f"pass {pass_number + 1}: loss {loss:.4f}")
    return Fitted(labels, layout, table, held_out, texts)


def hold_out(corpus: Corpus, one_in: int) -> tuple[dict[str, dict[str, list[str]]], dict[str, list[str]]]:
    """Return training text and held-out lines: at most ten of every file that has enough lines."""
    texts: dict[str, dict[str, list[str]]] = {}
    held_out: dict[str, list[str]] = {}
    for label, sources in corpus.group_by_label().items():
        for source, lines in sources.items():
            rng = random.Random(f"{source}/{label}")
            chosen = set(rng.sample(range(len(lines)), min(10, len(lines) // one_in)))
            texts.setdefault(label, {})[source] = [line for i, line in enumerate(lines) if i not in chosen]
            held_out.setdefault(label, []).extend(lines[i] for i in sorted(chosen))
    return texts, held_out


UNMARKED_ONE_IN = 4  # lines that are also counted without diacritics


def count_label(counts: _kernel.Counts, number: int, label: str, sources: Sources, config: SampleConfig) -> None:
    """Count the n-grams of a label, with lines weighted so that sources, and text without diacritics, have their shares."""
    bytes_by_source = count_bytes(sources)
    total = sum(bytes_by_source.values())
    shares = compute_source_shares(bytes_by_source, config)
    lines: list[str] = []
    weights: list[float] = []
    for source in sorted(bytes_by_source):
        lines += sources[source]
        weights += [shares[source] * total / bytes_by_source[source]] * len(sources[source])
    unmarked = draw_unmarked_lines(lines, label, UNMARKED_ONE_IN)
    weights += [weights[line] * UNMARKED_ONE_IN * config.plain for line, _ in unmarked]
    blob, offsets = pack_lines([*lines, *(text for _, text in unmarked)])
    min_count = 2 if total > 40_000 else 1  # a small text has most n-grams only once
    counts.add(number, script_group(label), blob, offsets, np.array(weights, np.float32), min_count)


def weigh_label(sources: Sources) -> float:
    """Return the weight of a label in the choice of rows: labels with modern text are the common ones on the web."""
    modern = sum(size for source, size in count_bytes(sources).items() if source not in SCRIPTURE)
    return float(min(6.0, max(0.5, (modern / 150_000) ** 0.8)))


def run_pass(
    table: _kernel.Table,
    texts: Mapping[str, Sources],
    labels: list[str],
    groups: list[int],
    layout: Layout,
    config: TrainConfig,
    number: int,
) -> float:
    """Run one pass of training and return the mean loss. Script groups share no weights, so two threads can fit them."""
    members_by_group = {group: [i for i, g in enumerate(groups) if g == group] for group in layout.ranges}
    largest = max(members_by_group, key=lambda group: len(members_by_group[group]), default=None)
    losses: dict[int, tuple[float, int]] = {}

    def work(chosen: list[int]) -> None:
        for group in chosen:
            losses[group] = _fit_group(table, texts, labels, members_by_group[group], layout, group, config, number)

    thread = threading.Thread(target=work, args=([g for g in members_by_group if g != largest],))
    thread.start()
    work([largest] if largest is not None else [])
    thread.join()
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
    pass_number: int,
) -> tuple[float, int]:
    examples: list[tuple[str, int]] = []
    look_alikes = {label for pair in read_rules() for label in pair}
    for i in members:
        count = config.snippets * (config.look_alikes if labels[i] in look_alikes else 1)
        snippets = draw_snippets(texts[labels[i]], labels[i], count, f"{labels[i]}/{pass_number}", config.sample)
        examples += [(text, int(layout.slots[i])) for text in snippets]
    random.Random(f"{group}/{pass_number}").shuffle(examples)
    blob, offsets = pack_lines([text for text, _ in examples])
    slots = np.array([slot for _, slot in examples], np.uint32)
    first, last = layout.ranges[group]
    loss = table.fit(
        blob,
        offsets,
        slots,
        first,
        last,
        config.rate,
        config.damp,
        config.scale,
        config.power,
        config.drop,
        pass_number + 1,
    )
    return loss, len(examples)


def write_calibrated(
    fitted: Fitted, path: Path, config: TrainConfig, manifest: dict[str, Any], progress: Progress
) -> None:
    """Write a first file, calibrate with it on the held-out lines, and write the final file."""
    keys, starts, clusters, rows, pair_keys, pair_slots, pair_weights = map(np.array, fitted.table.arrays())
    weights = Weights(keys, starts, clusters, rows, pair_keys, pair_slots, pair_weights, config.lines)
    scripts = sorted({script_name(label) for label in fitted.labels})
    infos = np.zeros(len(fitted.labels), INFO)
    infos["slot"] = fitted.layout.slots
    infos["script"] = [scripts.index(script_name(label)) for label in fitted.labels]
    infos["tier"] = [assign_tier(fitted.texts[label]) for label in fitted.labels]
    infos["allowance"] = [round(16 * config.allowances[tier - 1]) for tier in infos["tier"]]
    start = calibrate.make_initial_scales(config.scale, config.power)
    write_model(path, fitted.labels, infos, scripts, weights, start, manifest)
    model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
    snippets, truth, per_feature, unseen = measure_held_out(model, fitted, config)
    fallback = config.scale / calibrate.compute_bucket_sizes() ** config.power
    scales = calibrate.expand_by_tier(calibrate.fit_scales(snippets, fallback))
    infos["low_score"], infos["high_unseen"] = calibrate.compute_norms(truth, per_feature, unseen, len(fitted.labels))
    decisive = find_all_decisive(fitted.texts) if config.decisive else []
    progress(
        f"decisive features: {sum(len(group.keys) for group in decisive)} of {len(decisive)} groups of look-alikes"
    )
    write_model(path, fitted.labels, infos, scripts, weights, scales, manifest, decisive)
    progress(f"wrote {path}: {path.stat().st_size} bytes, {len(fitted.labels)} labels")


def measure_held_out(
    model: _kernel.LanguageModel, fitted: Fitted, config: TrainConfig
) -> tuple[calibrate.HeldOut, list[int], NDArray[np.float64], NDArray[np.float64]]:
    """Score 24 held-out snippets of each label, and some of them with what the web has between words.

    Return all of them; of those without additions the number of each one's label, its score per feature, and its share of unseen
    features.
    """
    texts: list[str] = []
    truth: list[int] = []
    for i, label in enumerate(fitted.labels):
        if fitted.held_out.get(label):
            rng = random.Random(f"measure/{label}")
            texts += [draw_snippet(fitted.held_out[label], rng, config.sample) for _ in range(24)]
            truth += [i] * 24
    rng = random.Random("debris")
    chosen = [i for i in range(len(texts)) if rng.random() < config.debris]
    blob, offsets = pack_lines([*texts, *(add_debris(texts[i], rng) for i in chosen)])
    ids, _, scores, counts = model.rank_many(blob, offsets, 32)
    is_truth = ids == np.array([*truth, *(truth[i] for i in chosen)]).reshape(-1, 1)
    rank = np.where(is_truth.any(axis=1), is_truth.argmax(axis=1), -1)
    features = counts[:, 0].astype(np.int64)
    own_scores = np.where(rank >= 0, scores[np.arange(len(rank)), np.maximum(rank, 0)], 0) if len(rank) else np.zeros(0)
    snippets = calibrate.HeldOut(scores, rank, features)
    clean = slice(len(texts))
    per_feature, unseen = own_scores / np.maximum(features, 1), counts[:, 1] / np.maximum(features, 1)
    return snippets, truth, per_feature[clean], unseen[clean]


def assign_tier(sources: Sources) -> int:
    """Return the tier of a label: 1 for enough modern text of several kinds, 3 for little beside scripture, 2 between.

    Interface text alone is of tier 2 at best: it teaches little about sentences. Text generated in another script from modern
    text counts as tier 2.
    """
    modern_bytes = {
        s: n for s, n in count_bytes(sources).items() if s not in SCRIPTURE and s != "udhr" and s not in GENERATED
    }
    total = sum(modern_bytes.values())
    is_enough = total >= 200_000 or (len(modern_bytes) >= 3 and total >= 100_000)
    if is_enough and not set(modern_bytes) <= INTERFACE:
        return 1
    return 2 if total >= 10_000 or ROMANISED in sources else 3
