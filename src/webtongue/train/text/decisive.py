"""Decisive features: which words, endings and characters settle what look-alike a text is in.

A feature has to hold in sources that it was not found in, so sources are counted and not lines: of the label that it speaks for the
best source is left out, of the other labels all count. What passes is weighed by logistic regression on presence, every source alike,
drawn towards what grammars say (`data/decisive/signs.tsv`) or towards nothing: features that say the same share the weight, and
one that lies has little.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from webtongue import _kernel
from webtongue.train.corpus.pack import pack_lines, script_name
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC
from webtongue.train.text.file import LookAlikes
from webtongue.train.text.look_alikes import Group, read_groups, signs_of

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
    written: float = 1.5  # nats for and against that a written sign starts with
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
    sources = [source for number, label in enumerate(known) for source in sources_of(texts[label], number, label, config)]
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
    counted = [(source, *_kernel.presence(source.blob, source.offsets, 1 if len(source.units) < 300 else 2, kinds)) for source in sources]
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
        own = [keys[lines >= max(2, 0.002 * len(source.units))] for source, keys, lines in counted if source.label == label]
        if own:
            keys, seen = np.unique(np.concatenate(own), return_counts=True)
            out.append(keys[seen >= min(2, len(own))])
    return np.unique(np.concatenate(out)) if out else np.zeros(0, np.uint64)


def _rates(counted: Counted, keys: NDArray[np.uint64], labels: int, config: DecisiveConfig) -> tuple[Floats, Floats, Floats]:
    """How often a feature is present: in the group, in each label, and in each label without the source that has it most."""
    raw = np.zeros((len(counted), len(keys)))
    for row, (source, own, lines) in enumerate(counted):
        at = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
        has = keys[at] == own
        raw[row, at[has]] = lines[has]
    size = np.array([len(source.units) for source, _, _ in counted], np.float64)
    of = np.array([source.label for source, _, _ in counted])
    worth = weight_of(size)
    means = [np.average(raw[of == label] / size[of == label, None], axis=0, weights=worth[of == label]) for label in np.unique(of)]
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


def fit_presence(sources: Sequence[Source], keys: NDArray[np.uint64], start: Floats, kinds: int, config: DecisiveConfig) -> Floats:
    """Weights of features by label: softmax regression on presence, by accelerated gradient steps (Nesterov 1983).

    The steps are bounded feature by feature, so that no line search is needed and every machine takes the same ones.
    """
    present = sparse.vstack([presence_matrix(source, keys, kinds) for source in sources]).tocsr()
    label = np.concatenate([np.full(len(source.units), source.label) for source in sources])
    worth = np.concatenate([np.full(len(s.units), weight_of(np.float64(len(s.units))) / len(s.units)) for s in sources])
    for number in np.unique(label):
        worth[label == number] /= worth[label == number].sum() * len(np.unique(label))
    back = present.T.tocsr()
    truth = np.eye(start.shape[1])[label]
    many = np.asarray(present.sum(axis=1)).ravel()
    bound = 0.5 * (back @ (worth * many))[:, None] + config.decay
    weights, ahead = start.copy(), start.copy()
    for step in range(config.steps):
        logits = present @ ahead
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        slope = back @ ((odds / odds.sum(axis=1, keepdims=True) - truth) * worth[:, None]) + config.decay * (ahead - start)
        moved = ahead - slope / bound
        ahead = moved + step / (step + 3) * (moved - weights)
        weights = moved
    return np.asarray(weights - weights.mean(axis=1, keepdims=True))


def presence_matrix(source: Source, keys: NDArray[np.uint64], kinds: int) -> sparse.csr_matrix:
    """Which units (rows) have which features (columns)."""
    found, ends = _kernel.line_keys(source.blob, source.offsets, kinds)
    at = np.minimum(np.searchsorted(keys, found), max(len(keys) - 1, 0))
    has = keys[at] == found if len(keys) else np.zeros(len(found), bool)
    starts = np.concatenate([[0], np.cumsum(has)])[np.concatenate([[0], ends.astype(np.int64)])]
    return sparse.csr_matrix((np.ones(int(has.sum())), at[has], starts), shape=(len(ends), len(keys)))


def sums_of(group: LookAlikes, texts: Sequence[str]) -> Floats:
    """What the features of each text say for each label, in nats: the twin of what the kernel sums, for studies."""
    source = Source(0, list(texts), *pack_lines(texts))
    order = np.argsort(group.keys, kind="stable")
    return np.asarray(presence_matrix(source, group.keys[order], 7) @ group.weights[order])


def by_label(lines: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, dict[str, Sequence[str]]]:
    """Lines by (source, label) as label -> source -> lines."""
    out: dict[str, dict[str, Sequence[str]]] = defaultdict(dict)
    for (source, label), own in lines.items():
        out[label][source] = own
    return out
