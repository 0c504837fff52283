"""Fit the evidence combiner: `python tools/weights/fit_evidence.py --data ../shared/data [--folds DIR]`, about five minutes.

Writes ``src/webtongue/data/evidence_weights.json``: the same bytes for the same data and models. Weights, limits and the scale of hints
have the least log-loss on the examples of ``evidence_examples.py``; rates of declarations are counted on dev/html. Nothing stands on a
bound: there are none, only a pull towards the start. With ``--folds``, five more files are written, each fitted without one fifth of
the sites, for ``bench/evidence.py``. ``--compare`` prints the loss of other forms of the scale, and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from evidence_examples import Example, ExampleReader, iter_generated, iter_pages, iter_sentences, read_pages
from numpy.typing import NDArray
from scipy.optimize import minimize

from webtongue.evidence.declared import DeclaredRates
from webtongue.files import DATA
from webtongue.lab.evaluate.measures import compute_calibration_error
from webtongue.lab.evaluate.pages import FOLDS, LabelledPage, assign_fold

Floats = NDArray[np.float64]
SOURCES = ("declared", "encoding", "url", "country", "links", "host")
SITE = slice(2, 6)  # sources about the site
MAX_RUNNING_WORDS, MAX_CLARITY = 8, 7.0  # as in native/text/apply_hints.cpp
MAX_NATS_AGAINST = 1.0  # as in native/evidence/combine.cpp
MIN_PROBABILITY = 1e-4  # of the right label: no example counts more
NEVER = -60.0
SPECIAL = frozenset({"und", "zxx", "mul"})
Z = 1.645  # of a one-sided bound of 95%
PULL = 0.5  # of the logs of parameters towards where they start, in nats for a factor of e
ITERATIONS = 30
# Judgements. A declaration's own nats are measured rates, so that its weight is 1. LETTERS is where running text begins to be sure by
# itself: the examples alone ask for 1,000, since even their tenfold lies are rarer on long texts than true hints that confirm them.
DECLARED_WEIGHT, LIST_SHARE, LETTERS = 1.0, 0.4, 100.0
# No labelled page has an IP address, so that a country has the nats of its table. Lists of URLs ask for 1 and more for the rest of a
# host (fit_hosts.py), the much translated sites of dev/html for 0.3, and linked_html for 0.64 for links. Generated pages cannot tell:
# their countries, hosts and links are as true as they were made.
# Hardly any example is long and in a look-alike group: from 80 to 600 letters the loss of group_letters differs by 1.3 nats.
UNFITTED = {"country": 1.0, "host": 0.65, "links": 0.65, "group_letters": 300.0}
MEANT, AGREEING, CONFLICTING = 0.001, 0.2, 0.35  # of declarations: too few pages to fit them
HOST = {"web": 14.0, "top": 0.74, "domain": 0.54}  # by tools/weights/fit_hosts.py
START = {"encoding": 0.4, "url": 0.8, "max_declared": 5.0, "max_site": 6.0, "clear_letters": 400.0}
Parameters = dict[str, float]
Scales = Callable[["Table", Parameters], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True)
class Table:
    """Examples as arrays: a row for each example, a column for each label in question."""

    logs: Floats
    nats: Floats  # example, source, label
    highest: Floats  # example, source
    unassigned: Floats
    right: NDArray[np.bool_]
    alike: NDArray[np.bool_]  # labels of the look-alike group of the text's best label
    amount: Floats
    clarity: Floats


def make_table(examples: Sequence[Example], groups: Sequence[str]) -> Table:
    count, width = len(examples), max(len(e.logs) for e in examples)
    table = Table(
        np.full((count, width), NEVER), np.zeros((count, len(SOURCES), width)), np.zeros((count, len(SOURCES))), np.zeros(count),
        np.zeros((count, width), bool), np.zeros((count, width), bool), np.zeros(count), np.zeros(count),
    )  # fmt: skip
    for i, e in enumerate(examples):
        labels = list(e.logs)
        size = len(labels)
        table.logs[i, :size] = list(e.logs.values())
        for source, nats in e.hints.items():
            at = SOURCES.index(source)
            table.highest[i, at] = nats.highest
            table.nats[i, at, :size] = [nats.by_label.get(label, 0.0) for label in labels]
        table.right[i, :size] = [label in e.right for label in labels]
        group = groups[labels[0]]
        table.alike[i, :size] = [bool(group) and groups[label] == group for label in labels]
        table.unassigned[i] = math.log(max(1e-7, 1 - np.exp(table.logs[i]).sum()))
        table.amount[i] = e.letters * (LIST_SHARE + (1 - LIST_SHARE) * e.running_words / MAX_RUNNING_WORDS)
        table.clarity[i] = _clarity(table, i, size)
    return table


def _clarity(table: Table, i: int, size: int) -> float:
    own = table.alike[i, :size].copy()
    own[0] = True
    logs = table.logs[i, :size]
    other = max([table.unassigned[i], *logs[~own]])
    return float(np.clip(np.logaddexp.reduce(logs[own]) - other, 0, MAX_CLARITY))


def by_letters_and_clarity(table: Table, p: Parameters) -> tuple[Floats, Floats]:
    """The form that ships: native/evidence/combine.cpp."""
    clear = table.amount * table.clarity**2 / p["clear_letters"]
    return 1 / (1 + (table.amount / LETTERS) ** 2 + clear), _inside(table, p)


def by_letters(table: Table, p: Parameters) -> tuple[Floats, Floats]:
    """The amount of text alone."""
    return 1 / (1 + (table.amount / p["clear_letters"]) ** 2), _inside(table, p)


def by_clarity(table: Table, p: Parameters) -> tuple[Floats, Floats]:
    """The clarity of the text alone, whatever its amount; at 25 letters as the form that ships."""
    return 1 / (1 + 25 * table.clarity**2 / p["clear_letters"]), _inside(table, p)


def by_product(table: Table, p: Parameters) -> tuple[Floats, Floats]:
    """Amount and clarity as two factors."""
    letters, clear = by_letters(table, p | {"clear_letters": LETTERS})[0], by_clarity(table, p)[0]
    return letters * clear, _inside(table, p)


def _inside(table: Table, p: Parameters) -> Floats:
    inside: Floats = 1 / (1 + (table.amount / p["group_letters"]) ** 2)
    return inside


def sum_hints(table: Table, p: Parameters) -> Floats:
    """Return all hints with their weights and limits, as native/evidence/combine.cpp does."""
    weights = np.array([DECLARED_WEIGHT, *(p[source] for source in SOURCES[1:])])
    limits = np.array([p["max_declared"]] * 2 + [p["max_site"]] * 4)
    values = table.nats * weights[None, :, None]
    excess = np.maximum(0, table.highest * weights - limits)[:, :, None]
    values = np.where(values > 0, np.maximum(0, values - excess), np.maximum(values, -MAX_NATS_AGAINST))
    site = values[:, SITE].sum(1)
    scale = np.minimum(1, p["max_site"] / np.maximum(site.max(1), 1e-9))
    hints: Floats = values[:, 0] + values[:, 1] + site * scale[:, None]
    return hints


def posteriors(table: Table, p: Parameters, scales: Scales = by_letters_and_clarity) -> Floats:
    """Return the probability of each label in question, as native/text/apply_hints.cpp computes it."""
    outside, inside = scales(table, p)
    scale = np.where(table.alike, np.maximum(outside, inside)[:, None], outside[:, None])
    logs = table.logs + scale * sum_hints(table, p)
    top = np.maximum(logs.max(1), table.unassigned)
    masses = np.exp(logs - top[:, None])
    probabilities: Floats = masses / (masses.sum(1) + np.exp(table.unassigned - top))[:, None]
    return probabilities


def fit(table: Table, scales: Scales = by_letters_and_clarity) -> tuple[Parameters, float]:
    """Return the parameters with the least loss, and the loss."""
    names, start = list(START), np.log(list(START.values()))
    is_answerable = table.right.any(1)

    def loss(values: Floats) -> float:
        p = UNFITTED | dict(zip(names, np.exp(values), strict=True))
        right = (posteriors(table, p, scales) * table.right).sum(1)
        logs = np.log(np.maximum(right[is_answerable], MIN_PROBABILITY))
        return float(PULL * ((values - start) ** 2).sum() - logs.sum())

    best = minimize(loss, start, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return UNFITTED | dict(zip(names, np.exp(best.x).round(3).tolist(), strict=True)), float(best.fun)


def declared_rates(pages: Sequence[LabelledPage], reader: ExampleReader) -> DeclaredRates:
    """Return how often pages declare their own language, English, or another; of the false ones the upper bounds."""
    own = english = foreign = others = total = 0
    for item in pages:
        declared, right = reader.declared_languages(item.page), {label[:3] for label in item.wanted}
        if not declared or right <= SPECIAL:
            continue
        total += 1
        own += bool(declared & right)
        foreign += "eng" not in right
        english += "eng" not in right and "eng" in declared
        others += bool(declared - right - {"eng"})
    print(f"{total} pages declare: own {own}, English {english} of {foreign} others, another {others}")
    return DeclaredRates(
        own=round(own / total, 4),
        english=round(_upper(english, foreign), 4),
        others=round(_upper(others, total), 4),
        meant=MEANT,
        agreeing=AGREEING,
        conflicting=CONFLICTING,
    )


def _upper(k: int, n: int) -> float:
    """Return the upper 95% bound of a rate (Wilson)."""
    p = k / n
    return (p + Z * Z / (2 * n) + Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))) / (1 + Z * Z / n)


def report(examples: Sequence[Example], probabilities: Floats, table: Table) -> None:
    """Print text alone and fused by kind of example."""
    rows = np.arange(len(examples))
    fused, text = table.right[rows, probabilities.argmax(1)], table.right[rows, table.logs.argmax(1)]
    kinds = np.array([e.kind for e in examples])
    for kind in sorted(set(kinds)):
        some = kinds == kind
        ece = compute_calibration_error(probabilities.max(1)[some].tolist(), fused[some].tolist())
        print(
            f"  {kind:24} {some.sum():5} not settled: text {text[some].mean():7.2%}, fused {fused[some].mean():7.2%}, "
            f"fixed {(fused & ~text)[some].sum()}, broken {(text & ~fused)[some].sum()}, ECE {ece:.3f}"
        )


def to_weights(p: Parameters, rates: DeclaredRates) -> dict[str, object]:
    """Return everything that the file of weights holds."""
    return {
        "weights": {"declared": DECLARED_WEIGHT} | {source: p[source] for source in SOURCES[1:]},
        "max_nats": {"declared": p["max_declared"], "encoding": p["max_declared"]},
        "max_site_nats": p["max_site"],
        "scaling": {
            "list_share": LIST_SHARE, "letters": LETTERS, "clear_letters": p["clear_letters"],
            "group_letters": p["group_letters"],
        },
        "declared": asdict(rates),
        "host": HOST,
    }  # fmt: skip


def write(path: Path, weights: dict[str, object], examples: int, **more: object) -> None:
    manifest = {
        "by": "tools/weights/fit_evidence.py",
        "from": "dev/html, dev/web/paracrawl_sent, generated pages",
        "examples": examples,
    }
    path.write_text(json.dumps({"manifest": manifest | more, **weights}, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--folds", type=Path, help="a folder for the weights of each fold of sites")
    parser.add_argument("--compare", action="store_true", help="print the loss of other forms")
    options = parser.parse_args()
    reader = ExampleReader()
    groups = reader.ident.reader.model.groups
    pages = read_pages(options.data)
    rates = declared_rates(pages, reader)
    reader.use_rates(rates)
    examples = [
        *iter_pages(pages, reader),
        *iter_sentences(options.data, reader),
        *iter_generated(options.data, reader),
    ]
    examples = [e for e in examples if e.hints and not e.is_settled]
    table = make_table(examples, groups)
    if options.compare:
        for scales in (by_letters_and_clarity, by_letters, by_clarity, by_product):
            print(f"{scales.__name__}: loss {fit(table, scales)[1]:.1f}")
        return
    if options.folds:
        options.folds.mkdir(parents=True, exist_ok=True)
        probabilities = np.zeros_like(table.logs)
        for fold in range(FOLDS):
            inside = np.array([e.fold == fold for e in examples])
            p, _ = fit(make_table([e for e in examples if e.fold != fold], groups))
            probabilities[inside] = posteriors(table, p)[inside]
            fold_rates = declared_rates([item for item in pages if assign_fold(item.site) != fold], reader)
            path = options.folds / f"evidence_weights.{fold}.json"
            write(path, to_weights(p, fold_rates), len(examples), without_fold=fold)
        print("out of fold:")
        report(examples, probabilities, table)
    p, loss = fit(table)
    print(f"loss {loss:.1f}: {p}\nin fold:")
    report(examples, posteriors(table, p), table)
    write(DATA / "evidence_weights.json", to_weights(p, rates), len(examples))


if __name__ == "__main__":
    main()
