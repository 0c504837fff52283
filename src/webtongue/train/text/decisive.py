"""Decisive features: which words, endings and characters settle what look-alike a text is in.

A feature has to hold in sources that it was not found in, so sources are counted and not lines: of the label that it speaks
for the best source is left out, of the other labels all count. What passes is weighed by logistic regression on presence,
every source alike, drawn towards what grammars say (`data/decisive/signs.tsv`) or towards nothing: features that say the
same share the weight, and one that lies has little.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines, script_name
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC
from webtongue.train.text.file import LookAlikes
from webtongue.train.text.look_alikes import ALL_KINDS, Group, read_groups, signs_of

__all__ = ["DecisiveConfig", "find_all", "find_decisive", "units"]

Texts = Mapping[str, Mapping[str, Sequence[str]]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DecisiveConfig:
    """Settings, compared by reading sources left out (experiments/studies/decisive.py)."""

    shortest: int = 80  # characters of a unit of text: short lines are joined, long ones cut
    longest: int = 200
    han: float = 0.35  # the same of a unit in Han
    most: int = 600  # units of a source
    fewest: int = 15  # units that a source must have
    prior: float = 50.0  # units that a label is thought to have seen with the group's common rate
    floor: float = 3e-4  # of a rate
    least: float = 1.0  # nats by which a rate must be higher than another label's
    candidates: int = 400  # features of each ordered pair of labels that are weighed
    decay: float = 3e-4  # what a weight's distance from its start costs
    steps: int = 120
    written: float = 2.0  # nats for and against that a written sign starts with
    least_weight: float = 0.05  # nats that a feature must move to be kept


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one label from one source."""

    label: int
    units: list[str]
    blob: bytes
    offsets: NDArray[np.uint64]


def find_all(texts: Texts, config: DecisiveConfig | None = None) -> list[LookAlikes]:
    """The decisive features of all groups, as far as their labels have text."""
    found = (find_decisive(texts, group, config or DecisiveConfig()) for group in read_groups())
    return [group for group in found if group is not None]


def find_decisive(texts: Texts, group: Group, config: DecisiveConfig) -> LookAlikes | None:
    """The features of one group and their weights; none where fewer than two of its labels have text."""
    known = tuple(label for label in group.labels if label in texts)
    group = Group(group.name, group.kinds, group.trust, known)
    sources = [
        source for number, label in enumerate(known) for source in sources_of(texts[label], number, label, config)
    ]
    if len({source.label for source in sources}) < 2:
        return None
    signs = signs_of(group)
    keys = np.union1d(candidates(sources, len(known), group.kinds, config), np.array(sorted(signs), np.uint64))
    start = np.zeros((len(keys), len(known)))
    for key, own in signs.items():
        start[np.searchsorted(keys, np.uint64(key))] = -config.written
        start[np.searchsorted(keys, np.uint64(key)), list(own)] = config.written
    start -= start.mean(axis=1, keepdims=True)
    weights = fit_presence(sources, keys, start, group.kinds, config)
    kept = np.abs(weights).max(axis=1, initial=0) >= config.least_weight
    return LookAlikes(known, keys[kept], weights[kept], group.trust)


def sources_of(texts: Mapping[str, Sequence[str]], number: int, label: str, config: DecisiveConfig) -> Iterator[Source]:
    """The sources that speak for a label: made text does not, scripture only where there is little else."""
    own = {source: lines for source, lines in texts.items() if source not in SYNTHETIC}
    modern = {source: lines for source, lines in own.items() if source not in SCRIPTURE}
    for source, lines in sorted((modern if len(modern) > 1 else own).items()):
        cut = units(lines, script_name(label) == "Hani", config)
        if len(cut) > config.most:
            cut = [cut[i] for i in sorted(random.Random(f"{source}/{label}").sample(range(len(cut)), config.most))]
        if len(cut) >= config.fewest:
            yield Source(number, cut, *pack_lines(cut))


def units(lines: Sequence[str], han: bool, config: DecisiveConfig) -> list[str]:
    """Text of about the same length from every source: how often a feature is present depends on it."""
    factor = config.han if han else 1.0
    shortest, longest = round(config.shortest * factor), round(config.longest * factor)
    out: list[str] = []
    joined = ""
    for line in lines:
        while len(line) > longest:
            space = line.rfind(" ", shortest, longest)
            out.append(line[: space if space > 0 else longest])
            line = line[space if space > 0 else longest :]
        joined = f"{joined} {line}" if joined else line
        if len(joined) >= shortest:
            out.append(joined)
            joined = ""
    return out


def candidates(sources: Sequence[Source], labels: int, kinds: int, config: DecisiveConfig) -> NDArray[np.uint64]:
    """Features whose presence is more usual in one label than in another, in sources that they were not found in."""
    counted = [
        (source, *_kernel.presence(source.blob, source.offsets, 1 if len(source.units) < 300 else 2, kinds))
        for source in sources
    ]
    keys = _repeated(counted, labels)
    if len(keys) == 0:
        return keys
    common, rates, lower = _rates(counted, keys, labels, config)
    chosen: set[int] = set()
    for a in range(labels):
        for b in range(labels):
            ahead = np.log(lower[a] + config.floor) - np.log(rates[b] + config.floor)
            value = np.where((ahead >= config.least) & (common > 0), lower[a] * ahead, 0)
            top = np.argsort(-value, kind="stable")[: config.candidates]
            chosen.update(top[value[top] > 0].tolist())
    return np.asarray(keys[sorted(chosen)], np.uint64)


Counted = Sequence[tuple[Source, NDArray[np.uint64], NDArray[np.uint32]]]


def _repeated(counted: Counted, labels: int) -> NDArray[np.uint64]:
    """Features that two sources of a label have, or its only one."""
    out = []
    for label in range(labels):
        own = [
            keys[lines >= max(2, 0.002 * len(source.units))] for source, keys, lines in counted if source.label == label
        ]
        if own:
            keys, seen = np.unique(np.concatenate(own), return_counts=True)
            out.append(keys[seen >= min(2, len(own))])
    return np.unique(np.concatenate(out)) if out else np.zeros(0, np.uint64)


def _rates(
    counted: Counted, keys: NDArray[np.uint64], labels: int, config: DecisiveConfig
) -> tuple[Floats, Floats, Floats]:
    """How often a feature is present: in the group, in each label, and in each label without the source that has it most."""
    raw = np.zeros((len(counted), len(keys)))
    for row, (_, own, lines) in enumerate(counted):
        at = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
        has = keys[at] == own
        raw[row, at[has]] = lines[has]
    size = np.array([len(source.units) for source, _, _ in counted], np.float64)
    of = np.array([source.label for source, _, _ in counted])
    worth = weight_of(size)
    means = [
        np.average(raw[of == label] / size[of == label, None], axis=0, weights=worth[of == label])
        for label in np.unique(of)
    ]
    common = np.mean(means, axis=0)
    rates, lower = np.tile(common, (labels, 1)), np.tile(common, (labels, 1))
    for label in np.unique(of):
        own = (raw[of == label] + config.prior * common) / (size[of == label, None] + config.prior)
        share = worth[of == label]
        rates[label] = np.average(own, axis=0, weights=share)
        best = own.argmax(axis=0)
        rest = share.sum() - share[best]
        total = share @ own - own[best, np.arange(own.shape[1])] * share[best]
        lower[label] = total / rest if len(own) > 1 else rates[label]
    return common, rates, lower


def weight_of(units: Floats) -> Floats:
    """How much a source counts for, by its units: sources alike, but for small ones."""
    return np.asarray(units / (units + 150))


def fit_presence(
    sources: Sequence[Source], keys: NDArray[np.uint64], start: Floats, kinds: int, config: DecisiveConfig
) -> Floats:
    """Weights of features by label: softmax regression on presence, by accelerated gradient steps (Nesterov 1983).

    The steps are bounded feature by feature, so that no line search is needed and every machine takes the same ones.
    """
    found = [present(source, keys, kinds) for source in sources]
    first = np.cumsum([0, *(len(source.units) for source in sources)])
    here = Present(
        np.concatenate([p.unit + at for p, at in zip(found, first, strict=False)]),
        np.concatenate([p.feature for p in found]),
    )
    label = np.concatenate([np.full(len(source.units), source.label) for source in sources])
    worth = np.concatenate([weight_of(np.full(len(s.units), float(len(s.units)))) / len(s.units) for s in sources])
    for number in np.unique(label):
        worth[label == number] /= worth[label == number].sum() * len(np.unique(label))
    truth = np.eye(start.shape[1])[label]
    many = np.bincount(here.unit, minlength=len(label))
    bound = 0.5 * np.bincount(here.feature, (worth * many)[here.unit], len(keys))[:, None] + config.decay
    weights, ahead = start.copy(), start.copy()
    for step in range(config.steps):
        logits = here.sums(ahead, len(label))
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = (odds / odds.sum(axis=1, keepdims=True) - truth) * worth[:, None]
        moved = ahead - (here.slopes(error, len(keys)) + config.decay * (ahead - start)) / bound
        ahead = moved + step / (step + 3) * (moved - weights)
        weights = moved
    return np.asarray(weights - weights.mean(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Present:
    """Which units have which features: a place for each feature of each unit."""

    unit: NDArray[np.int64]
    feature: NDArray[np.int64]

    def sums(self, weights: Floats, units: int) -> Floats:
        """What the features of each unit say, by label."""
        return np.stack([np.bincount(self.unit, column[self.feature], units) for column in weights.T], axis=1)

    def slopes(self, errors: Floats, features: int) -> Floats:
        """What each feature has to do with the errors, by label."""
        return np.stack([np.bincount(self.feature, column[self.unit], features) for column in errors.T], axis=1)


def present(source: Source, keys: NDArray[np.uint64], kinds: int) -> Present:
    """Which units have which of the features; `keys` are in order."""
    found, ends = _kernel.line_keys(source.blob, source.offsets, kinds)
    at = np.minimum(np.searchsorted(keys, found), max(len(keys) - 1, 0))
    has = keys[at] == found if len(keys) else np.zeros(len(found), bool)
    unit = np.searchsorted(ends, np.arange(len(found), dtype=np.uint64), side="right")
    return Present(unit[has], at[has])


def sums_of(group: LookAlikes, texts: Sequence[str]) -> Floats:
    """What the features of each text say for each label, in nats: the twin of what the kernel sums, for studies."""
    source = Source(0, list(texts), *pack_lines(texts))
    order = np.argsort(group.keys, kind="stable")
    return present(source, group.keys[order], ALL_KINDS).sums(group.weights[order], len(texts))
