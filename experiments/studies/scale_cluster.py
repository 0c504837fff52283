"""Tasks on a cluster of machines that are lost now and then, played event by event: how long it takes, and what is wasted."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

DONE, LOST, BACK, TRY = range(4)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Machines and what happens to them. Everything here is assumed, and named so where it is printed."""

    cores: int = 1_000
    cores_a_machine: int = 8
    lost_an_hour: float = 0.05  # of machines: what spot markets take back
    back_seconds: float = 180.0  # until another machine is there
    slow_machines: float = 0.02
    slow_times: float = 2.0  # as long on them
    failing: float = 0.005  # of attempts, by a store that refuses or a network that breaks
    attempts: int = 4  # of a task that fails by itself, as Spark counts; a lost machine does not count
    copies: bool = True  # of tasks that take long, once nothing waits (Spark's speculation)
    copy_after: float = 1.5  # times the median, as Spark has it

    @property
    def machines(self) -> int:
        return max(1, self.cores // self.cores_a_machine)


@dataclass(slots=True)
class Played:
    """What came of it; times in seconds."""

    work: float  # of one core, if each task ran once, undisturbed, on a machine that is not slow
    cores: int
    ends: list[float] = field(default_factory=list)  # when each task was done
    used: float = 0.0  # core seconds of all attempts
    wasted: float = 0.0  # of them, in attempts that did not count
    failed: int = 0  # attempts
    lost: int = 0  # attempts, with their machines
    machines_lost: int = 0
    copies: int = 0
    given_up: int = 0  # tasks

    @property
    def span(self) -> float:
        return max(self.ends, default=0.0)

    @property
    def straight(self) -> float:
        """What a line drawn by hand says."""
        return self.work / self.cores

    def at(self, share: float) -> float:
        """When such a share of tasks was done."""
        return sorted(self.ends)[max(0, round(share * len(self.ends)) - 1)]

    @property
    def idle(self) -> float:
        """Core seconds that are paid for and not used, most of them at the end."""
        return self.cores * self.span - self.used


class Play:
    """One run. Tasks wait in a line, those that came back at its front; a free core takes the first."""

    def __init__(self, seconds: Sequence[float], cluster: Cluster, seed: int) -> None:
        self.seconds, self.cluster = seconds, cluster
        self.rng = np.random.default_rng(seed)
        machines = cluster.machines
        self.slow = self.rng.random(machines) < cluster.slow_machines
        self.waiting = deque(range(len(seconds)))
        self.free = deque((m, c) for c in range(cluster.cores_a_machine) for m in range(machines))
        self.running: dict[int, tuple[int, tuple[int, int], float, float]] = {}  # attempt: task, core, begin, end
        self.on: list[set[int]] = [set() for _ in range(machines)]
        self.of_task: dict[int, set[int]] = {}
        self.tries = np.zeros(len(seconds), int)
        self.events: list[tuple[float, int, int]] = []
        self.number = 0
        self.look = -1.0  # when the attempt began that is looked at again once it is late
        self.out = Played(float(np.sum(seconds)), machines * cluster.cores_a_machine)
        self.limit = cluster.copy_after * float(np.median(seconds))
        for machine in range(machines):
            self._fate(machine, 0.0)

    def run(self) -> Played:
        left = len(self.seconds)
        now = 0.0
        while left:
            self._start(now)
            now, kind, which = heapq.heappop(self.events)
            if kind == DONE and which in self.running:
                left -= self._end(which, now)
            elif kind == LOST:
                self._lose(which, now)
            elif kind == BACK:
                self.free.extend((which, core) for core in range(self.cluster.cores_a_machine))
                self._fate(which, now)
        return self.out

    def _fate(self, machine: int, now: float) -> None:
        if self.cluster.lost_an_hour > 0:
            stays = self.rng.exponential(3600 / self.cluster.lost_an_hour)
            heapq.heappush(self.events, (now + stays, LOST, machine))

    def _start(self, now: float) -> None:
        while self.free and self.waiting:
            self._begin(self.waiting.popleft(), now)
        if self.free and self.cluster.copies and not self.waiting:
            self._copy(now)

    def _copy(self, now: float) -> None:
        """Begins late tasks once more. Attempts lie in the order they began, so the first that is not late ends the search."""
        late = []
        for task, _, begin, _ in self.running.values():
            if now - begin < self.limit:
                if self.look != begin:
                    self.look = begin
                    heapq.heappush(self.events, (begin + self.limit + 1e-6, TRY, task))
                break
            if len(self.of_task[task]) == 1:
                late.append(task)
        for task in late[: len(self.free)]:
            self.out.copies += 1
            self._begin(task, now)

    def _begin(self, task: int, now: float) -> None:
        core = self.free.popleft()
        whole = self.seconds[task] * (self.cluster.slow_times if self.slow[core[0]] else 1.0)
        fails = self.rng.random() < self.cluster.failing
        ends = now + whole * (self.rng.random() if fails else 1.0)
        self.number += 1
        attempt = 2 * self.number + int(fails)  # odd ones fail
        self.running[attempt] = (task, core, now, ends)
        self.on[core[0]].add(attempt)
        self.of_task.setdefault(task, set()).add(attempt)
        heapq.heappush(self.events, (ends, DONE, attempt))

    def _leave(self, attempt: int, now: float, counts: bool) -> tuple[int, tuple[int, int]]:
        task, core, begin, _ = self.running.pop(attempt)
        self.on[core[0]].discard(attempt)
        self.of_task[task].discard(attempt)
        self.out.used += now - begin
        self.out.wasted += 0.0 if counts else now - begin
        return task, core

    def _end(self, attempt: int, now: float) -> int:
        """How many tasks are over by it."""
        fails = attempt % 2 == 1
        task, core = self._leave(attempt, now, not fails)
        self.free.append(core)
        if not fails:
            for other in list(self.of_task[task]):
                self.free.append(self._leave(other, now, False)[1])
            self.out.ends.append(now)
            return 1
        self.out.failed += 1
        self.tries[task] += 1
        if self.of_task[task]:
            return 0
        if self.tries[task] >= self.cluster.attempts:
            self.out.given_up += 1
            self.out.ends.append(now)
            return 1
        self.waiting.appendleft(task)
        return 0

    def _lose(self, machine: int, now: float) -> None:
        self.out.machines_lost += 1
        for attempt in list(self.on[machine]):
            task, _ = self._leave(attempt, now, False)
            self.out.lost += 1
            if not self.of_task[task]:
                self.waiting.appendleft(task)
        self.free = deque(core for core in self.free if core[0] != machine)
        self.slow[machine] = self.rng.random() < self.cluster.slow_machines
        heapq.heappush(self.events, (now + self.cluster.back_seconds, BACK, machine))


def play(seconds: Sequence[float], cluster: Cluster, seed: int = 1) -> Played:
    """All tasks, to the end."""
    return Play(seconds, cluster, seed).run()
