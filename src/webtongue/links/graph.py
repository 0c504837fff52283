"""A graph of pages as columns, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from webtongue.errors import UsageError
from webtongue.hints.domain import site_of

__all__ = ["Config", "Links", "Pages", "Propagated", "sites_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Config:
    """How much links weigh beside a page's own text. A vote is what one linking domain has."""

    text_votes: float = 64.0  # of a long text that is quite sure: sixteen times what all links together can have
    half_text: float = 150.0  # letters at which text has a quarter of that: Hayati's least length of a page to be heard
    most_votes: float = 4.0  # of all links to a page together, so that farms over many domains gain nothing
    doubt: float = 1.0  # votes of nobody: what a page passes on is less the less it knows itself
    cut: float = 1e-3  # changes of a probability below this are not passed on
    most_rounds: int = 100  # never reached: the default weights end within 31


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages by number: probabilities of labels, rows one after the other, letters of text, and numbers of hosts and domains.

    Row ``i`` holds entries ``starts[i]`` to ``starts[i + 1]`` of ``labels`` (numbers into ``names``) and ``probabilities``.
    Without hosts or domains each page is a site of its own, and only the bound on all links together holds.
    """

    names: tuple[str, ...]
    starts: Ints
    labels: Ints
    probabilities: Floats
    letters: Floats
    hosts: Ints | None = None
    domains: Ints | None = None

    def __post_init__(self) -> None:
        for name in ("starts", "labels"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.int64))
        for name in ("probabilities", "letters"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.float64))
        for name in ("hosts", "domains"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, np.ascontiguousarray(value, np.int64))
                if len(value) != len(self):
                    raise UsageError(f"{name}: one number for each of {len(self)} pages, not {len(value)}")
        ends = len(self.starts) and self.starts[0] == 0 and self.starts[-1] == len(self.labels)
        if not ends or np.any(np.diff(self.starts) < 0) or len(self.labels) != len(self.probabilities):
            raise UsageError("starts: where each page's labels begin, from 0 to the number of labels, never falling")
        if len(self.labels) and not 0 <= self.labels.min() <= self.labels.max() < len(self.names):
            raise UsageError(f"labels: numbers from 0 to {len(self.names) - 1}, as there are names")
        if len(self.letters) != len(self):
            raise UsageError(f"letters: one number for each of {len(self)} pages, not {len(self.letters)}")

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(
        cls,
        rows: Iterable[Sequence[tuple[str, float]]],
        letters: Sequence[float] | Floats,
        hosts: ArrayLike | None = None,
        domains: ArrayLike | None = None,
    ) -> Pages:
        """From a list of labels with probabilities for each page, such as a Verdict's ``guesses``.

        >>> Pages.of([[("isl_Latn", 0.9)], []], [120, 0]).names
        ('isl_Latn',)
        """
        kept = list(rows)
        names = tuple(sorted({label for row in kept for label, _ in row}))
        number = {name: i for i, name in enumerate(names)}
        return cls(
            names,
            np.cumsum([0, *map(len, kept)]),
            np.array([number[label] for row in kept for label, _ in row], np.int64),
            np.array([chance for row in kept for _, chance in row], np.float64),
            np.asarray(letters, np.float64),
            None if hosts is None else np.asarray(hosts, np.int64),
            None if domains is None else np.asarray(domains, np.int64),
        )


@dataclass(frozen=True, slots=True)
class Links:
    """Links as numbers of pages: from ``source`` to ``target``, with weights from 0 to 1 where some count less."""

    source: Ints
    target: Ints
    weights: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.int64))
        if self.source.shape != self.target.shape or self.source.ndim != 1:
            raise UsageError("source and target: two columns of one length")
        if self.weights is not None:
            object.__setattr__(self, "weights", np.ascontiguousarray(self.weights, np.float64))
            if self.weights.shape != self.source.shape:
                raise UsageError("weights: one for each link")


@dataclass(frozen=True, slots=True)
class Propagated:
    """Probabilities of labels after links were heard, in the form of :class:`Pages`, labels of a page by number.

    What a row lacks to 1 is doubt. ``rounds`` is how often changes were passed on, ``residual`` the largest change that was left,
    and ``converged`` whether that is below the cut.
    """

    names: tuple[str, ...]
    starts: Ints
    labels: Ints
    probabilities: Floats
    rounds: int
    residual: float
    converged: bool

    def best(self) -> tuple[Ints, Floats]:
        """The likeliest label of each page (a number, -1 where there is none) and its probability; of equals the first."""
        sizes = np.diff(self.starts)
        rows = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((self.labels, -self.probabilities, rows))
        labels, chances = np.full(len(sizes), -1, np.int64), np.zeros(len(sizes))
        some = sizes > 0
        first = order[self.starts[:-1][some]]
        labels[some], chances[some] = self.labels[first], self.probabilities[first]
        return labels, chances

    def row(self, page: int) -> dict[str, float]:
        """Labels of one page with their probabilities, the likeliest first."""
        part = slice(int(self.starts[page]), int(self.starts[page + 1]))
        found = zip(self.labels[part].tolist(), self.probabilities[part].tolist(), strict=True)
        return {self.names[i]: chance for i, chance in sorted(found, key=lambda item: (-item[1], item[0]))}


def sites_of(urls: Iterable[str]) -> tuple[Ints, Ints]:
    """Numbers of hosts and of registered domains for a column of addresses; each address without a host is a site of its own.

    >>> sites_of(["http://a.example.org/1", "http://b.example.org/2", "?"])[1].tolist()
    [0, 0, 1]
    """
    hosts: dict[str, int] = {}
    domains: dict[str, int] = {}
    columns: tuple[list[int], list[int]] = ([], [])
    for i, url in enumerate(urls):
        host, domain = site_of(url)
        host, domain = host or f"/{i}", domain or f"/{i}"  # no host has a slash
        columns[0].append(hosts.setdefault(host, len(hosts)))
        columns[1].append(domains.setdefault(domain, len(domains)))
    return np.array(columns[0], np.int64), np.array(columns[1], np.int64)
