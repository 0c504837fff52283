"""Find decisive features: words, endings and characters that distinguish look-alike labels.

A feature has to hold in sources that it was not found in, so sources are counted and not lines: for the label that it supports,
the source that has it most is left out; for other labels all sources count. The weights of the selected features are fitted by
logistic regression on presence, with equal weight for every source and regularised towards the signs of grammars
(`data/decisive/signs.tsv`) or towards zero: redundant features share the weight, and misleading ones get little.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines, script_name
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC
from webtongue.lab.train.text.file import LookAlikes
from webtongue.lab.train.text.look_alikes import ALL_KINDS, Group, map_sign_keys, read_groups

__all__ = ["DecisiveConfig", "find_all_decisive", "find_decisive", "split_units"]

Texts = Mapping[str, Mapping[str, Sequence[str]]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DecisiveConfig:
    """Settings, compared on sources left out of training (experiments/studies/decisive.py)."""

    min_unit_chars: int = 80  # short lines are joined into units of text, long ones are split
    max_unit_chars: int = 200
    han_factor: float = 0.35  # factor on both lengths for text in Han script
    max_units: int = 600  # per source
    min_units: int = 15  # per source
    prior_units: float = 50.0  # weight of the group's mean rate in the rate of a label
    rate_floor: float = 3e-4
    min_log_ratio: float = 1.0  # nats by which a rate must exceed that of another label
    candidates: int = 400  # features selected for each ordered pair of labels
    decay: float = 3e-4  # penalty on the squared distance of a weight from its initial value
    steps: int = 120
    sign_weight: float = 2.0  # initial weight in nats, for and against, of a sign from signs.tsv
    min_weight: float = 0.05  # nats that a feature must contribute to be kept


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one label from one source, as units of similar length."""

    label: int
    units: list[str]
    blob: bytes
    offsets: NDArray[np.uint64]


def find_all_decisive(texts: Texts, config: DecisiveConfig | None = None) -> list[LookAlikes]:
    """Return the decisive features of all groups, as far as their labels have text."""
    groups = (find_decisive(texts, group, config or DecisiveConfig()) for group in read_groups())
    return [group for group in groups if group is not None]


def find_decisive(texts: Texts, group: Group, config: DecisiveConfig) -> LookAlikes | None:
    """Return the features of one group and their weights, or None if fewer than two of its labels have text."""
    trained_labels = tuple(label for label in group.labels if label in texts)
    group = Group(group.name, group.kinds, group.trust, trained_labels)
    sources = [
        source
        for number, label in enumerate(trained_labels)
        for source in split_sources(texts[label], number, label, config)
    ]
    if len({source.label for source in sources}) < 2:
        return None
    signs = map_sign_keys(group)
    keys = np.union1d(
        select_candidates(sources, len(trained_labels), group.kinds, config), np.array(sorted(signs), np.uint64)
    )
    initial = np.zeros((len(keys), len(trained_labels)))
    for key, numbers in signs.items():
        initial[np.searchsorted(keys, np.uint64(key))] = -config.sign_weight
        initial[np.searchsorted(keys, np.uint64(key)), list(numbers)] = config.sign_weight
    initial -= initial.mean(axis=1, keepdims=True)
    weights = fit_presence(sources, keys, initial, group.kinds, config)
    is_kept = np.abs(weights).max(axis=1, initial=0) >= config.min_weight
    return LookAlikes(trained_labels, keys[is_kept], weights[is_kept], group.trust)


def split_sources(
    texts: Mapping[str, Sequence[str]], number: int, label: str, config: DecisiveConfig
) -> Iterator[Source]:
    """Yield the sources of a label: without synthetic text, and with scripture only where there is little else."""
    usable = {source: lines for source, lines in texts.items() if source not in SYNTHETIC}
    modern = {source: lines for source, lines in usable.items() if source not in SCRIPTURE}
    for source, lines in sorted((modern if len(modern) > 1 else usable).items()):
        chunks = split_units(lines, script_name(label) == "Hani", config)
        if len(chunks) > config.max_units:
            chunks = [
                chunks[i]
                for i in sorted(random.Random(f"{source}/{label}").sample(range(len(chunks)), config.max_units))
            ]
        if len(chunks) >= config.min_units:
            yield Source(number, chunks, *pack_lines(chunks))


def split_units(lines: Sequence[str], han: bool, config: DecisiveConfig) -> list[str]:
    """Return units of text of similar length, since the presence of a feature depends on length."""
    factor = config.han_factor if han else 1.0
    shortest, longest = round(config.min_unit_chars * factor), round(config.max_unit_chars * factor)
    chunks: list[str] = []
    buffer = ""
    for line in lines:
        while len(line) > longest:
            space = line.rfind(" ", shortest, longest)
            chunks.append(line[: space if space > 0 else longest])
            line = line[space if space > 0 else longest :]
        buffer = f"{buffer} {line}" if buffer else line
        if len(buffer) >= shortest:
            chunks.append(buffer)
            buffer = ""
    return chunks


def select_candidates(sources: Sequence[Source], labels: int, kinds: int, config: DecisiveConfig) -> NDArray[np.uint64]:
    """Return the keys of features that are more frequent in one label than in another, also without their best source."""
    counted = [
        (source, *_kernel.presence(source.blob, source.offsets, 1 if len(source.units) < 300 else 2, kinds))
        for source in sources
    ]
    keys = _find_repeated_keys(counted, labels)
    if len(keys) == 0:
        return keys
    common, rates, lower = _compute_rates(counted, keys, labels, config)
    chosen: set[int] = set()
    for label in range(labels):
        for other in range(labels):
            log_ratio = np.log(lower[label] + config.rate_floor) - np.log(rates[other] + config.rate_floor)
            value = np.where((log_ratio >= config.min_log_ratio) & (common > 0), lower[label] * log_ratio, 0)
            top = np.argsort(-value, kind="stable")[: config.candidates]
            chosen.update(top[value[top] > 0].tolist())
    return np.asarray(keys[sorted(chosen)], np.uint64)


Counted = Sequence[tuple[Source, NDArray[np.uint64], NDArray[np.uint32]]]


def _find_repeated_keys(counted: Counted, labels: int) -> NDArray[np.uint64]:
    """Return the keys that occur in two sources of a label, or in its only one."""
    repeated = []
    for label in range(labels):
        frequent = [
            keys[lines >= max(2, 0.002 * len(source.units))] for source, keys, lines in counted if source.label == label
        ]
        if frequent:
            keys, source_counts = np.unique(np.concatenate(frequent), return_counts=True)
            repeated.append(keys[source_counts >= min(2, len(frequent))])
    return np.unique(np.concatenate(repeated)) if repeated else np.zeros(0, np.uint64)


def _compute_rates(
    counted: Counted, keys: NDArray[np.uint64], labels: int, config: DecisiveConfig
) -> tuple[Floats, Floats, Floats]:
    """Return rates of presence: in the group, in each label, and in each label without the source that has the feature most."""
    raw = np.zeros((len(counted), len(keys)))
    for row, (_, smoothed, lines) in enumerate(counted):
        position = np.minimum(np.searchsorted(keys, smoothed), len(keys) - 1)
        is_present = keys[position] == smoothed
        raw[row, position[is_present]] = lines[is_present]
    sizes = np.array([len(source.units) for source, _, _ in counted], np.float64)
    label_of = np.array([source.label for source, _, _ in counted])
    weights = weigh_source(sizes)
    means = [
        np.average(raw[label_of == label] / sizes[label_of == label, None], axis=0, weights=weights[label_of == label])
        for label in np.unique(label_of)
    ]
    common = np.mean(means, axis=0)
    rates, lower = np.tile(common, (labels, 1)), np.tile(common, (labels, 1))
    for label in np.unique(label_of):
        smoothed = (raw[label_of == label] + config.prior_units * common) / (
            sizes[label_of == label, None] + config.prior_units
        )
        shares = weights[label_of == label]
        rates[label] = np.average(smoothed, axis=0, weights=shares)
        best = smoothed.argmax(axis=0)
        other_weight = shares.sum() - shares[best]
        total = shares @ smoothed - smoothed[best, np.arange(smoothed.shape[1])] * shares[best]
        lower[label] = total / other_weight if len(smoothed) > 1 else rates[label]
    return common, rates, lower


def weigh_source(split_units: Floats) -> Floats:
    """Return the weight of sources by their number of units: near 1, less for small ones."""
    return np.asarray(split_units / (split_units + 150))


def fit_presence(
    sources: Sequence[Source], keys: NDArray[np.uint64], initial: Floats, kinds: int, config: DecisiveConfig
) -> Floats:
    """Return weights of features by label: softmax regression on presence, by accelerated gradient steps (Nesterov 1983).

    Step sizes are bounded per feature, so that no line search is needed and every machine takes the same steps.
    """
    present_by_source = [find_present(source, keys, kinds) for source in sources]
    unit_offsets = np.cumsum([0, *(len(source.units) for source in sources)])
    presence = Present(
        np.concatenate([p.unit + at for p, at in zip(present_by_source, unit_offsets, strict=False)]),
        np.concatenate([p.feature for p in present_by_source]),
    )
    label_of = np.concatenate([np.full(len(source.units), source.label) for source in sources])
    weight_of_unit = np.concatenate(
        [weigh_source(np.full(len(s.units), float(len(s.units)))) / len(s.units) for s in sources]
    )
    for number in np.unique(label_of):
        weight_of_unit[label_of == number] /= weight_of_unit[label_of == number].sum() * len(np.unique(label_of))
    truth = np.eye(initial.shape[1])[label_of]
    features_per_unit = np.bincount(presence.unit, minlength=len(label_of))
    bound = (
        0.5 * np.bincount(presence.feature, (weight_of_unit * features_per_unit)[presence.unit], len(keys))[:, None]
        + config.decay
    )
    weights, extrapolated = initial.copy(), initial.copy()
    for step in range(config.steps):
        logits = presence.sums(extrapolated, len(label_of))
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = (exponentials / exponentials.sum(axis=1, keepdims=True) - truth) * weight_of_unit[:, None]
        stepped = (
            extrapolated - (presence.gradients(error, len(keys)) + config.decay * (extrapolated - initial)) / bound
        )
        extrapolated = stepped + step / (step + 3) * (stepped - weights)
        weights = stepped
    return np.asarray(weights - weights.mean(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Present:
    """Pairs of a unit and a feature that is present in it."""

    unit: NDArray[np.int64]
    feature: NDArray[np.int64]

    def sums(self, weights: Floats, split_units: int) -> Floats:
        """Return the sum of feature weights of each unit, by label."""
        return np.stack([np.bincount(self.unit, column[self.feature], split_units) for column in weights.T], axis=1)

    def gradients(self, errors: Floats, features: int) -> Floats:
        """Return the sum of errors over the units of each feature, by label."""
        return np.stack([np.bincount(self.feature, column[self.unit], features) for column in errors.T], axis=1)


def find_present(source: Source, keys: NDArray[np.uint64], kinds: int) -> Present:
    """Return which units of a source have which of the features; ``keys`` are sorted."""
    line_keys, ends = _kernel.line_keys(source.blob, source.offsets, kinds)
    position = np.minimum(np.searchsorted(keys, line_keys), max(len(keys) - 1, 0))
    is_present = keys[position] == line_keys if len(keys) else np.zeros(len(line_keys), bool)
    unit = np.searchsorted(ends, np.arange(len(line_keys), dtype=np.uint64), side="right")
    return Present(unit[is_present], position[is_present])


def sum_weights(group: LookAlikes, texts: Sequence[str]) -> Floats:
    """Return the sums of feature weights in nats, for each text and label: the kernel's sums in Python, for studies."""
    source = Source(0, list(texts), *pack_lines(texts))
    order = np.argsort(group.keys, kind="stable")
    return find_present(source, group.keys[order], ALL_KINDS).sums(group.weights[order], len(texts))
