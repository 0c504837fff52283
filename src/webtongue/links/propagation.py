"""Languages passed on along the links of a whole graph (what Hayati 2004, section 7, left for the future).

A page is what its own text says and what the pages that link to it say, each with its votes:

    page = (own votes x own text + sum of votes x linking page) / (own votes + votes of links)

Each linking domain has one vote, shared by its hosts and by their pages; all links to a page together have ``most_votes``; a long
and sure text has many. A linking page's word counts by how often links keep their language (:mod:`webtongue.links.rates`) and by
how much that page knows itself. So every round passes on at most four fifths of what the one before did, and the sum of all
rounds ends, on cycles too. Only changes are passed on: each round is one product of sparse matrices, and touches fewer pages than
the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from webtongue.errors import MissingExtra, UsageError
from webtongue.links.graph import Config, Floats, Ints, Links, Pages, Propagated
from webtongue.links.rates import ANY, FOREIGN, OWN, rates

__all__ = ["propagate"]


@dataclass(frozen=True, slots=True)
class Edges:
    """Links that count: of two pages once, none to itself, in the order of target and source."""

    source: Ints
    target: Ints
    votes: Floats


def propagate(pages: Pages, links: Links, config: Config | None = None) -> Propagated:
    """Judge all pages of a graph again by their links. The same graph gives the same bytes, in whatever order its links come.

    Time and memory grow with links: 10 million between 1 million pages take about half a minute (``bench/links.py graph``).

    >>> pages = Pages.of([[("isl_Latn", 1.0)], []], letters=[2000, 0])
    >>> found = propagate(pages, Links([0, 0, 1], [1, 1, 0]))
    >>> list(found.row(1)), found.converged
    (['isl_Latn'], True)
    """
    config = config or Config()
    sparse = _scipy_sparse()
    shape = (len(pages), max(1, len(pages.names)))
    own = sparse.csr_array(
        (chances(pages), pages.labels, pages.starts), shape=shape, copy=True
    )  # it is sorted in place
    own.sum_duplicates()
    edges = voted(pages, distinct(len(pages), links), config)
    votes = text_votes(own, pages.letters, config)
    heard = sums_of(edges.target, edges.votes, len(pages))
    total = votes + heard
    kept = np.divide(votes, total, out=np.ones(len(pages)), where=heard > 0)
    passed = passing(pages, edges, votes, heard, config)
    starts = np.concatenate(([0], np.cumsum(np.bincount(edges.target, minlength=len(pages)))))
    matrix = sparse.csr_array((passed, edges.source, starts), shape=(len(pages), len(pages)))
    return _summed(pages, matrix, sparse.diags_array(kept).tocsr() @ own, config)


def _summed(pages: Pages, matrix: Any, own: Any, config: Config) -> Propagated:
    """Own words, and what of them is passed on in one, two, three ... steps."""
    total = wave = own
    rounds, residual = 0, float(wave.data.max(initial=0.0))
    while residual >= config.cut and rounds < config.most_rounds:
        wave = matrix @ wave
        rounds += 1
        residual = float(wave.data.max(initial=0.0))
        wave.data[wave.data < config.cut] = 0.0
        wave.eliminate_zeros()
        if wave.nnz:
            total = total + wave
    total.sort_indices()
    total.eliminate_zeros()
    return Propagated(
        pages.names,
        total.indptr.astype(np.int64),
        total.indices.astype(np.int64),
        np.minimum(total.data, 1.0),
        rounds,
        residual,
        residual < config.cut,
    )


def chances(pages: Pages) -> Floats:
    """Probabilities put right: nothing where they are not finite or negative, and no row sums to more than 1."""
    good = np.where(np.isfinite(pages.probabilities), pages.probabilities, 0.0).clip(0.0, 1.0)
    sums = np.add.reduceat(np.append(good, 0.0), pages.starts[:-1]) if len(pages) else np.zeros(0)
    sums = np.where(np.diff(pages.starts) > 0, sums, 0.0)
    out: Floats = good / np.repeat(np.maximum(sums, 1.0), np.diff(pages.starts))
    return out


def text_votes(own: Any, letters: Floats, config: Config) -> Floats:
    """Votes of pages' own texts: by the chance of the likeliest label, and by how much text there is."""
    many = np.where(np.isfinite(letters), letters, 0.0).clip(0.0)
    full = (many / (many + config.half_text)) ** 2
    best = own.max(axis=1).toarray().ravel() if own.nnz else np.zeros(own.shape[0])
    votes: Floats = config.text_votes * best * full
    return votes


def distinct(count: int, links: Links) -> Edges:
    """Links in the order of target and source, each pair once with its greatest weight; links of a page to itself left out."""
    for name, column in (("source", links.source), ("target", links.target)):
        if len(column) and not 0 <= column.min() <= column.max() < count:
            raise UsageError(f"{name}: numbers of pages, from 0 to {count - 1}")
    keep = links.source != links.target
    keys = links.target[keep] * count + links.source[keep]
    if links.weights is None:
        keys = np.unique(keys)
        return Edges(keys % count, keys // count, np.ones(len(keys)))
    weights = np.where(np.isfinite(links.weights), links.weights, 0.0).clip(0.0, 1.0)[keep]
    order = np.lexsort((-weights, keys))
    keys, weights = keys[order], weights[order]
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    some = first & (weights > 0)
    return Edges(keys[some] % count, keys[some] // count, weights[some])


def voted(pages: Pages, edges: Edges, config: Config) -> Edges:
    """Votes of links: a host's sum to one at most, then a domain's, then those of all to ``most_votes``."""
    votes = edges.votes
    for site in (pages.hosts, pages.domains):
        if site is not None and len(votes):
            _, group = np.unique(site, return_inverse=True)
            votes = _capped(votes, edges.target * (int(group.max()) + 1) + group[edges.source], 1.0)
    sums = sums_of(edges.target, votes, len(pages))
    scale = config.most_votes / np.maximum(sums, config.most_votes)
    return Edges(edges.source, edges.target, votes * scale[edges.target])


def sums_of(keys: Ints, values: Floats, count: int) -> Floats:
    """Values summed by key."""
    out: Floats = np.bincount(keys, values, count).astype(np.float64)
    return out


def _capped(votes: Floats, keys: Ints, most: float) -> Floats:
    """Votes made smaller where those of one key sum to more than ``most``."""
    order = np.argsort(keys, kind="stable")
    first = np.ones(len(keys), bool)
    first[1:] = keys[order][1:] != keys[order][:-1]
    group = np.empty(len(keys), np.int64)
    group[order] = np.cumsum(first) - 1
    sums = np.bincount(group, votes)
    out: Floats = votes * (most / np.maximum(sums, most))[group]
    return out


def passing(pages: Pages, edges: Edges, votes: Floats, heard: Floats, config: Config) -> Floats:
    """What each link passes on of its page's probabilities: its share of the target's votes, as far as links keep their
    language, and by how much the linking page knows."""
    measured = rates()
    inside, between = measured.of(ANY, OWN).keep, measured.of(ANY, FOREIGN).keep
    site = pages.domains if pages.domains is not None else pages.hosts
    keep: Any = between
    if site is not None:
        keep = np.where(site[edges.source] == site[edges.target], inside, between)
    total = votes + heard
    knows = total / (total + config.doubt)
    share: Floats = edges.votes / total[edges.target] * keep * knows[edges.source]
    return share


def _scipy_sparse() -> Any:
    """SciPy's sparse matrices, which only this needs."""
    try:
        import scipy.sparse
    except ImportError as error:
        raise MissingExtra("scipy", "links") from error
    return scipy.sparse
