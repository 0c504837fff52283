"""An event simulation of tasks on a cluster that loses machines: duration and wasted time."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

TASK_ENDS, MACHINE_LOST, MACHINE_BACK, CHECK_LATE = range(4)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Machines and their failures. All values are assumptions."""

    cores: int = 1_000
    cores_per_machine: int = 8
    lost_per_hour: float = 0.05  # share of machines that a spot market takes back
    back_seconds: float = 180.0  # until a machine is replaced
    slow_machines: float = 0.02
    slow_factor: float = 2.0  # on slow machines, tasks take that much longer
    failure_share: float = 0.005  # of attempts, by errors of the store or the network
    attempts: int = 4  # of a failing task, as in Spark; a lost machine does not count
    copies: bool = True  # of late tasks, if no task is waiting (Spark's speculation)
    copy_after: float = 1.5  # times the median, as in Spark

    @property
    def machines(self) -> int:
        return max(1, self.cores // self.cores_per_machine)


@dataclass(slots=True)
class RunResult:
    """The result of a run; times are in seconds."""

    work: float  # of one core, if each task runs once, without failures, on a fast machine
    cores: int
    ends: list[float] = field(default_factory=list)  # of each task
    used: float = 0.0  # core seconds of all attempts
    wasted: float = 0.0  # core seconds of attempts that did not count
    failed: int = 0  # attempts
    lost: int = 0  # attempts on lost machines
    machines_lost: int = 0
    copies: int = 0
    given_up: int = 0  # tasks

    @property
    def span(self) -> float:
        return max(self.ends, default=0.0)

    @property
    def ideal_span(self) -> float:
        """The duration without failures and idle cores."""
        return self.work / self.cores

    def time_of_share(self, share: float) -> float:
        """Return when a share of the tasks was done."""
        return sorted(self.ends)[max(0, round(share * len(self.ends)) - 1)]

    @property
    def idle(self) -> float:
        """Core seconds that are paid for and not used, mostly at the end."""
        return self.cores * self.span - self.used


class Simulation:
    """One run. Tasks wait in a queue, retried ones at its front; a free core takes the first."""

    def __init__(self, seconds: Sequence[float], cluster: Cluster, seed: int) -> None:
        self.seconds, self.cluster = seconds, cluster
        self.rng = np.random.default_rng(seed)
        machines = cluster.machines
        self.slow = self.rng.random(machines) < cluster.slow_machines
        self.waiting = deque(range(len(seconds)))
        self.free = deque((m, c) for c in range(cluster.cores_per_machine) for m in range(machines))
        self.running: dict[int, tuple[int, tuple[int, int], float, float]] = {}  # attempt: task, core, begin, end
        self.attempts_by_machine: list[set[int]] = [set() for _ in range(machines)]
        self.attempts_by_task: dict[int, set[int]] = {}
        self.failures = np.zeros(len(seconds), int)
        self.events: list[tuple[float, int, int]] = []
        self.number = 0
        self.checked_begin = -1.0  # begin of the attempt that is checked again when it is late
        self.result = RunResult(float(np.sum(seconds)), machines * cluster.cores_per_machine)
        self.late_seconds = cluster.copy_after * float(np.median(seconds))
        for machine in range(machines):
            self._schedule_loss(machine, 0.0)

    def run(self) -> RunResult:
        remaining = len(self.seconds)
        now = 0.0
        while remaining:
            self._start_tasks(now)
            now, kind, subject = heapq.heappop(self.events)
            if kind == TASK_ENDS and subject in self.running:
                remaining -= self._end_attempt(subject, now)
            elif kind == MACHINE_LOST:
                self._lose_machine(subject, now)
            elif kind == MACHINE_BACK:
                self.free.extend((subject, core) for core in range(self.cluster.cores_per_machine))
                self._schedule_loss(subject, now)
        return self.result

    def _schedule_loss(self, machine: int, now: float) -> None:
        if self.cluster.lost_per_hour > 0:
            stays = self.rng.exponential(3600 / self.cluster.lost_per_hour)
            heapq.heappush(self.events, (now + stays, MACHINE_LOST, machine))

    def _start_tasks(self, now: float) -> None:
        while self.free and self.waiting:
            self._begin_attempt(self.waiting.popleft(), now)
        if self.free and self.cluster.copies and not self.waiting:
            self._copy_late_tasks(now)

    def _copy_late_tasks(self, now: float) -> None:
        """Start copies of late tasks. Attempts are in the order of their begin, so the first that is not late ends the search."""
        late = []
        for task, _, begin, _ in self.running.values():
            if now - begin < self.late_seconds:
                if self.checked_begin != begin:
                    self.checked_begin = begin
                    heapq.heappush(self.events, (begin + self.late_seconds + 1e-6, CHECK_LATE, task))
                break
            if len(self.attempts_by_task[task]) == 1:
                late.append(task)
        for task in late[: len(self.free)]:
            self.result.copies += 1
            self._begin_attempt(task, now)

    def _begin_attempt(self, task: int, now: float) -> None:
        core = self.free.popleft()
        whole = self.seconds[task] * (self.cluster.slow_factor if self.slow[core[0]] else 1.0)
        fails = self.rng.random() < self.cluster.failure_share
        ends = now + whole * (self.rng.random() if fails else 1.0)
        self.number += 1
        attempt = 2 * self.number + int(fails)  # odd ones fail
        self.running[attempt] = (task, core, now, ends)
        self.attempts_by_machine[core[0]].add(attempt)
        self.attempts_by_task.setdefault(task, set()).add(attempt)
        heapq.heappush(self.events, (ends, TASK_ENDS, attempt))

    def _stop_attempt(self, attempt: int, now: float, counts: bool) -> tuple[int, tuple[int, int]]:
        task, core, begin, _ = self.running.pop(attempt)
        self.attempts_by_machine[core[0]].discard(attempt)
        self.attempts_by_task[task].discard(attempt)
        self.result.used += now - begin
        self.result.wasted += 0.0 if counts else now - begin
        return task, core

    def _end_attempt(self, attempt: int, now: float) -> int:
        """End an attempt and return the number of finished tasks, 0 or 1."""
        fails = attempt % 2 == 1
        task, core = self._stop_attempt(attempt, now, not fails)
        self.free.append(core)
        if not fails:
            for other in list(self.attempts_by_task[task]):
                self.free.append(self._stop_attempt(other, now, False)[1])
            self.result.ends.append(now)
            return 1
        self.result.failed += 1
        self.failures[task] += 1
        if self.attempts_by_task[task]:
            return 0
        if self.failures[task] >= self.cluster.attempts:
            self.result.given_up += 1
            self.result.ends.append(now)
            return 1
        self.waiting.appendleft(task)
        return 0

    def _lose_machine(self, machine: int, now: float) -> None:
        self.result.machines_lost += 1
        for attempt in list(self.attempts_by_machine[machine]):
            task, _ = self._stop_attempt(attempt, now, False)
            self.result.lost += 1
            if not self.attempts_by_task[task]:
                self.waiting.appendleft(task)
        self.free = deque(core for core in self.free if core[0] != machine)
        self.slow[machine] = self.rng.random() < self.cluster.slow_machines
        heapq.heappush(self.events, (now + self.cluster.back_seconds, MACHINE_BACK, machine))


def simulate(seconds: Sequence[float], cluster: Cluster, seed: int = 1) -> RunResult:
    """Simulate all tasks."""
    return Simulation(seconds, cluster, seed).run()
