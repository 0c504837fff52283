"""Where each label lies in the table: look-alikes share a cluster of 16, so that they share rows.

Only labels of one script group compete, so clusters never mix groups, but for the scripts with a single label: these
need no weights at all and are laid together at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.train.text.file import LANES, MAX_SLOTS


@dataclass(frozen=True, slots=True)
class Layout:
    """slots[i]: place of label i. ranges: script group -> its clusters, first and one past the last."""

    slots: NDArray[np.uint32]
    ranges: dict[int, tuple[int, int]]


def lay_out(groups: list[int], profiles: NDArray[np.float32]) -> Layout:
    """Clusters by greedy growth: the tightest free label first, then its nearest free relatives.

    The largest script comes first: its n-grams are the ones that very many clusters share (``file.SHARED_CLUSTERS``).
    """
    norms = np.linalg.norm(profiles, axis=1, keepdims=True)
    unit = profiles / np.maximum(norms, 1e-9)
    slots = np.zeros(len(groups), np.uint32)
    ranges: dict[int, tuple[int, int]] = {}
    cluster = 0
    members = {g: [i for i, of in enumerate(groups) if of == g] for g in sorted(set(groups))}
    for group, ids in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(ids) < 2:
            continue
        first = cluster
        for chosen in _grow(unit[ids] @ unit[ids].T):
            for lane, member in enumerate(chosen):
                slots[ids[member]] = cluster * LANES + lane
            cluster += 1
        ranges[group] = (first, cluster)
    alone = [ids[0] for ids in members.values() if len(ids) == 1]
    slots[alone] = cluster * LANES + np.arange(len(alone), dtype=np.uint32)
    if len(groups) and int(slots.max()) >= MAX_SLOTS:
        raise ValueError(f"{len(groups)} labels do not fit into {MAX_SLOTS} places")
    return Layout(slots, ranges)


def _grow(likeness: NDArray[np.float32]) -> list[list[int]]:
    np.fill_diagonal(likeness, -1)
    free = np.ones(len(likeness), bool)
    clusters = []
    while free.any():
        left = np.flatnonzero(free)
        near = min(LANES, len(left)) - 1
        tight = np.sort(likeness[np.ix_(left, left)], axis=1)[:, len(left) - near :].sum(axis=1)
        chosen = [int(left[np.argmax(tight)])]
        free[chosen[0]] = False
        pull = likeness[chosen[0]].copy()
        while len(chosen) < LANES and free.any():
            best = int(np.argmax(np.where(free, pull, -np.inf)))
            chosen.append(best)
            free[best] = False
            pull += likeness[best]
        clusters.append(chosen)
    return clusters
