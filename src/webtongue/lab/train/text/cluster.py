"""Assign labels to slots of the table: similar labels share a cluster of 16, so that they share rows.

Only labels of one script group compete, so clusters never mix groups. Labels that are alone in their script group need no weights
and get the last slots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.text.file import LANES, MAX_SLOTS

MAX_SWAPS = 3000  # a thousand labels need a few hundred
MIN_GAIN = 1e-3


@dataclass(frozen=True, slots=True)
class Layout:
    """``slots[i]`` is the slot of label i, ``ranges`` the first cluster and one past the last of each script group."""

    slots: NDArray[np.uint32]
    ranges: dict[int, tuple[int, int]]


def assign_slots(groups: list[int], profiles: NDArray[np.float32]) -> Layout:
    """Return clusters by greedy growth and exchange: the free label with the nearest neighbours first, then the labels nearest to
    the cluster; then two labels change places as long as both clusters together become more alike. Growth alone leaves the
    last labels in clusters of strangers, where no rows are kept for them.

    The largest script comes first: its n-grams are those that very many clusters share (``file.SHARED_CLUSTERS``).
    """
    norms = np.linalg.norm(profiles, axis=1, keepdims=True)
    unit = profiles / np.maximum(norms, 1e-9)
    slots = np.zeros(len(groups), np.uint32)
    ranges: dict[int, tuple[int, int]] = {}
    cluster = 0
    members = {g: [i for i, other in enumerate(groups) if other == g] for g in sorted(set(groups))}
    for group, ids in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(ids) < 2:
            continue
        first = cluster
        likeness = unit[ids] @ unit[ids].T
        for chosen in _swap_members(_grow_clusters(likeness), likeness):
            for lane, member in enumerate(chosen):
                slots[ids[member]] = cluster * LANES + lane
            cluster += 1
        ranges[group] = (first, cluster)
    single_labels = [ids[0] for ids in members.values() if len(ids) == 1]
    slots[single_labels] = cluster * LANES + np.arange(len(single_labels), dtype=np.uint32)
    if len(groups) and int(slots.max()) >= MAX_SLOTS:
        raise ValueError(f"{len(groups)} labels do not fit into the {MAX_SLOTS} slots of the table")
    return Layout(slots, ranges)


def _grow_clusters(likeness: NDArray[np.float32]) -> list[list[int]]:
    np.fill_diagonal(likeness, -1)
    free = np.ones(len(likeness), bool)
    clusters = []
    while free.any():
        remaining = np.flatnonzero(free)
        near = min(LANES, len(remaining)) - 1
        tightness = np.sort(likeness[np.ix_(remaining, remaining)], axis=1)[:, len(remaining) - near :].sum(axis=1)
        chosen = [int(remaining[np.argmax(tightness)])]
        free[chosen[0]] = False
        attraction = likeness[chosen[0]].copy()
        while len(chosen) < LANES and free.any():
            best = int(np.argmax(np.where(free, attraction, -np.inf)))
            chosen.append(best)
            free[best] = False
            attraction += likeness[best]
        clusters.append(chosen)
    return clusters


def _swap_members(clusters: list[list[int]], likeness: NDArray[np.float32]) -> list[list[int]]:
    """Return the clusters after the exchanges that raise the likeness within clusters most, one after the other."""
    count = len(likeness)
    of = np.zeros(count, np.int64)
    for number, members in enumerate(clusters):
        of[members] = number
    similar = likeness.astype(np.float64)
    np.fill_diagonal(similar, 0)
    sums = np.stack(
        [similar[:, members].sum(axis=1) for members in clusters], axis=1
    )  # of each label with each cluster
    for _ in range(MAX_SWAPS):
        own = sums[np.arange(count), of]
        toward = sums[:, of]  # [i, j]: of label i with the cluster of label j
        gain = toward + toward.T - own[:, None] - own[None, :] - 2 * similar
        gain[of[:, None] == of[None, :]] = 0
        best = int(np.argmax(gain))
        one, other = divmod(best, count)
        if gain[one, other] <= MIN_GAIN:
            break
        sums[:, of[one]] += similar[:, other] - similar[:, one]
        sums[:, of[other]] += similar[:, one] - similar[:, other]
        of[one], of[other] = of[other], of[one]
    return [np.flatnonzero(of == number).tolist() for number in range(len(clusters))]
