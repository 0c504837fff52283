"""What each source of evidence is worth beside the text: `python tools/weights/fit_fuse.py --data ../shared/data [--folds DIR]`.

Writes ``src/webtongue/data/fuse.json``. Fitted on the labelled pages of ``dev/html``, whole and cut to their titles and to their first 25
and 50 characters: whole pages are nearly all right by their text, so that the cut ones say what hints are worth. With ``--folds``,
five more files are written, each fitted without one fifth of the sites: whoever measures on these pages takes the file of the fold that
a page's site is in (``bench/evidence.py``). The trust in hosts is that of ``tools/weights/fit_hosts.py``.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from webtongue import Identifier, coding, fuse, markup
from webtongue.evaluate.pages import CUTS, FOLDS, LabelledPage, cut, fold_of, is_right, labelled_pages, with_links
from webtongue.files import DATA
from webtongue.hints.claimed import DeclaredRates
from webtongue.hints.declared import LanguageClaim
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_share
from webtongue.pipeline import said_by
from webtongue.text.thresholds import NATS, THRESHOLDS

Floats = NDArray[np.float64]
SOURCES = ("declared", "encoding", "url", "links")  # that some page has
LETTERS = (25, 50, 100, 300)  # of the text: steps between amounts of it
ENGLISH = "eng_Latn"
# Nats that each source may say: one in 8,000, more than dev/html could show; of what speaks of a site (address,
# country, links, host, and all of these together) one in 400, a judgement: pages in English are about as frequent on other sites, and with
# 9 nats false addresses cost more.
MOST = {"declared": 9.0, "encoding": 9.0, "url": 6.0, "country": 6.0, "links": 6.0, "host": 6.0, "site": 6.0}
SILENT = 0.5  # nats of a hint that is left out
HEARD = 2.0  # nats below which nothing is borrowed for a hint, as in native/text/hinted.cpp
LEAST = 1e-4  # probability that the right label is given at least: one page says no more than that
PULL = 2.0  # of the logs of weights towards where they start, in nats for a factor of e
Z = 1.645  # of a bound of 95% on one side
NEVER = -60.0
# Of what the rest of a host says: beside the address, the URLs of url/train ask for 1 and more (fit_hosts.py), pages of the much
# translated sites of dev/html for 0.3. The middle.
HOST_WEIGHT = 0.65
HOST = {"web": 14.0, "top": 0.74, "domain": 0.54}  # trust, by tools/weights/fit_hosts.py
MOST_HINTED = 24  # labels that hints alone bring in: an address in Cyrillic letters speaks for a hundred
PREFERRED = 4.0  # nats for the language of title and headings: no page of dev/html that is level has both and hints
MEANT = 0.001  # of pages, those that declare their country's code: too few to measure


@dataclass(frozen=True)
class Example:
    """A page, whole or cut, as it was read and what was said of it."""

    how: str
    fold: int
    right: frozenset[int]
    guesses: dict[int, int]  # label to log-probability by the text
    letters: int
    listed: bool
    hints: list[Hint]
    claims: tuple[LanguageClaim, ...]
    shares: list[tuple[int, int]]
    preferred: int
    settled: bool  # by its text alone: it counts for rates, and for nothing else


class Reader:
    """Reads pages for their text and their hints, apart."""

    def __init__(self) -> None:
        self.ident = Identifier()
        self.stages, self.fusion = self.ident.stages, self.ident.stages.fusion
        self.names = self.ident.reader.model.labels

    def right(self, wanted: frozenset[str]) -> frozenset[int]:
        return frozenset(i for i, label in enumerate(self.names) if is_right(label, wanted))

    def read(self, item: LabelledPage, how: str) -> Example | None:
        page = item.page
        scanned = markup.read(page)
        if scanned.reason:
            return None
        said = said_by(page, scanned.scan, scanned.source, scanned.bom, scanned.transcoded, self.stages)
        scanned, decoding = coding.decode(scanned, self.ident.reader)
        hints = fuse.hear(page, said, decoding.encoding, self.fusion)
        sums = fuse.total(hints, self.fusion, 1.0)
        wanted = sorted((label for label, nats in sums.items() if nats > 1), key=lambda label: -sums[label])[:24]
        first = self.stages.flow.read(scanned.scan, -1, 0, [])
        missing = wanted and not {label for label, _ in first.guesses(64)} >= set(wanted)
        short = first.letters < THRESHOLDS.long_text
        read = self.stages.flow.read(scanned.scan, -1, 0, wanted) if missing and short else first
        if not hints or not read.guesses(1) or first.boilerplate:
            return None
        return Example(
            how, fold_of(item.site), self.right(item.wanted), dict(read.guesses(64)), first.letters,
            first.running_words < fuse.WORDS, hints, said.languages, list(first.shares), first.preferred,
            first.settled,
        )  # fmt: skip

    def examples(self, folder: Path) -> Iterator[Example]:
        pages = with_links(list(labelled_pages(folder)), Identifier(evidence=()))
        for item in pages:
            for how in ("whole", *CUTS):
                shown = item if how == "whole" else cut(item, how, self.ident.reader)
                if shown and (found := self.read(shown, how)):
                    yield found


def upper(k: int, n: int) -> float:
    """The upper 95% bound of a rate (Wilson)."""
    p = k / n
    middle = p + Z * Z / (2 * n)
    return (middle + Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))) / (1 + Z * Z / n)


def rates_of(examples: Sequence[Example], names: Sequence[str], agreeing: float, conflicting: float) -> DeclaredRates:
    """How often pages declare their own language, English, or another."""
    said = [e for e in examples if e.how == "whole" and e.claims]
    own = english = foreign = others = 0
    for e in said:
        right = {names[i][:3] for i in e.right}
        keys = {claim.key[:3] for claim in e.claims}
        own += bool(keys & right)
        foreign += "eng" not in right
        english += "eng" not in right and "eng" in keys
        others += bool(keys - right - {"eng"})
    return DeclaredRates(
        own / len(said), upper(english, foreign), upper(others, len(said)), MEANT, agreeing, conflicting
    )


@dataclass(frozen=True)
class Table:
    """Examples as arrays: a row a page, a column a label in question."""

    logs: Floats
    priors: Floats
    rest: Floats
    english: Floats  # log-likelihood of the text as English, and as the best
    best: Floats
    said: Floats  # page, source, label
    agreeing: Floats  # forms agree on this label; forms contradict each other on this page
    conflicting: Floats
    right: NDArray[np.bool_]
    amount: NDArray[np.intp]
    listed: Floats


def table_of(examples: Sequence[Example], reader: Reader, rates: DeclaredRates) -> Table:
    numbers, priors = reader.fusion.numbers, np.array(reader.ident.reader.log_priors) / NATS
    english, total = numbers[ENGLISH][0], math.log(np.exp(priors).sum())
    rows = []
    for e in examples:
        sums = fuse.total(e.hints, reader.fusion, 1.0)
        likely = sorted((label for label, nats in sums.items() if nats > SILENT), key=lambda i: -sums[i] - priors[i])
        rows.append(list(dict.fromkeys([*e.guesses, *likely[:MOST_HINTED]])))
    n, k = len(rows), max(map(len, rows))
    out = Table(
        np.full((n, k), NEVER), np.full((n, k), NEVER), np.zeros(n), np.full(n, NEVER), np.zeros(n),
        np.zeros((n, len(SOURCES), k)), np.zeros((n, k)), np.zeros(n), np.zeros((n, k), bool), np.zeros(n, np.intp), np.zeros(n),
    )  # fmt: skip
    for i, (e, ids) in enumerate(zip(examples, rows, strict=True)):
        at = {label: j for j, label in enumerate(ids)}
        out.logs[i, : len(e.guesses)] = np.array(list(e.guesses.values())) / NATS
        out.priors[i, : len(ids)] = priors[ids]
        out.rest[i] = math.log(max(1e-7, 1 - np.exp(out.logs[i]).sum()))
        best = max(e.guesses, key=lambda label: e.guesses[label])
        out.best[i] = e.guesses[best] / NATS - total
        if english in e.guesses:
            out.english[i] = e.guesses[english] / NATS - priors[english]
        forms: defaultdict[str, set[str]] = defaultdict(set)
        for claim in e.claims:
            forms[claim.key].add(claim.form)
        out.conflicting[i] = len({key[:3] for key in forms}) > 1
        for hint in e.hints:
            nats = _declared(forms, rates) if hint.source == "declared" else hint.nats
            for key, value in nats.items():
                for j in (at[label] for label in numbers.get(key, ()) if label in at):
                    if hint.source in SOURCES:
                        out.said[i, SOURCES.index(hint.source), j] += value
                    out.agreeing[i, j] += hint.source == "declared" and len(forms.get(key, ())) > 1
        out.right[i, : len(ids)] = [label in e.right for label in ids]
        out.amount[i] = sum(e.letters >= step for step in LETTERS)
        out.listed[i] = e.listed
    return out


def _declared(forms: dict[str, set[str]], rates: DeclaredRates) -> dict[str, float]:
    return {key: math.log(rates.own / rates.false(key[:3])) for key in forms}


AMOUNTS = len(LETTERS) + 1
FOREIGN = 2  # amounts of text, below 50 letters, that may be in any language on a page in another; more may be English
# Logs between which hints count by amount of text: not much more beside a long text than beside a short one, so that hints which lie
# cannot turn what is clear.
AMOUNT = (-1.5, 0.2)
WEIGHT = (-3.0, 0.0)  # logs of a source's weight: none is worth more than it says
# Logs that English and other languages are borrowed with at most, by amount of text. Software documentation, half of dev/html, has English
# titles more often than other pages; it alone would ask for twice as much.
ENGLISH_MOST = [(None, most) for most in (-2.0, -2.0, -3.5, -6.0)]
FOREIGN_MOST = (None, -4.0)
PARTS = [
    (-4.0, 0.0),
    (-2.0, 0.0),
]  # of one claim: what a second that agrees adds, what one is worth beside another that does not
START = np.concatenate([
    np.log([0.7, 0.3, 0.5, 0.7]), np.zeros(AMOUNTS), [0.2], np.array([-2.5, -2.5, -4.0, -6.5]), np.full(FOREIGN, -4.5), np.log([0.2, 0.7]),
])  # fmt: skip


@dataclass(frozen=True)
class Parameters:
    sources: Floats
    amounts: Floats
    listed: float
    english: Floats
    foreign: Floats
    agreeing: float
    conflicting: float

    @classmethod
    def of(cls, values: Floats) -> Parameters:
        cuts = np.split(values, np.cumsum([len(SOURCES), AMOUNTS, 1, AMOUNTS - 1, FOREIGN]))
        two = np.exp(cuts[5])
        return cls(
            np.exp(cuts[0]), np.exp(cuts[1]), float(np.exp(cuts[2][0])), cuts[3], cuts[4], float(two[0]), float(two[1])
        )


def posteriors(table: Table, by: Parameters) -> Floats:
    """The probability of each label in question, as fuse.py and the kernel work it out."""
    worth = by.amounts[table.amount] * np.where(table.listed > 0, by.listed, 1)
    said = table.said * (by.sources[None, :] * worth[:, None])[:, :, None]
    said[:, 0] *= (1 + by.agreeing * (table.agreeing > 0)) * np.where(table.conflicting > 0, by.conflicting, 1)[:, None]
    most = np.array([MOST[source] for source in SOURCES])[None, :, None]
    excess = np.maximum(said.max(2, keepdims=True) - most, 0)  # as native/bind/hints.cpp lowers what is too loud
    hints = np.where(said > 0, np.maximum(said - excess, 0), np.maximum(said, -most)).sum(1)
    never = np.array([NEVER])
    english = np.concatenate([by.english, never])[table.amount] + table.english
    foreign = np.concatenate([by.foreign, np.full(AMOUNTS - FOREIGN, NEVER)])[table.amount] + table.best
    whole = np.where(table.listed > 0, 0, fuse.SENTENCE)
    borrowed = np.minimum(0, (np.maximum(english, foreign) - whole)[:, None] + table.priors)
    logs = np.where(hints > HEARD, np.maximum(table.logs, borrowed), table.logs) + hints
    top = np.maximum(logs.max(1), table.rest)
    mass = np.exp(logs - top[:, None])
    chances: Floats = mass / (mass.sum(1) + np.exp(table.rest - top))[:, None]
    return chances


def fit(table: Table) -> Parameters:
    def loss(values: Floats) -> float:
        right = (posteriors(table, Parameters.of(values)) * table.right).sum(1)
        return float(-np.log(np.maximum(right, LEAST)).sum() + PULL * ((values - START) ** 2).sum())

    bounds = [WEIGHT] * len(SOURCES) + [AMOUNT] * AMOUNTS + [AMOUNT] + ENGLISH_MOST + [FOREIGN_MOST] * FOREIGN + PARTS
    found = minimize(loss, START, method="L-BFGS-B", bounds=bounds, options={"maxiter": 40})
    return Parameters.of(found.x)


def fit_shares(examples: Sequence[Example], reader: Reader, weights: fuse.Weights) -> tuple[float, float]:
    """What a language's share of the page counts against hints, and how much these may count, by how many pages get the right main
    language."""
    pages = [e for e in examples if e.how == "whole" and len(e.shares) > 1]
    best = (-1, 0.0, 0.0)
    for share in (5.0, 6.0, 8.0):  # less would let `en` on a page that is two fifths English turn it
        for turn in (5.0, 4.0, 3.0):
            by = replace(weights, share=share, turn=turn)
            right = 0
            for e in pages:
                amount = by.amounts[sum(e.letters >= step for step in LETTERS)] * (by.listed if e.listed else 1)
                sums = fuse.total(e.hints, replace(reader.fusion, by=by), amount)
                main = fuse.main_of(e.shares, e.preferred, sums, replace(reader.fusion, by=by))
                largest = e.shares[0][0] if main < 0 else main
                right += any(_alike(reader, largest, label) for label in e.right)
            best = max(best, (right, share / turn, share))  # of equals, what is least easily turned
    print(f"{len(pages)} pages in several languages: {best[0]} right with share {best[2]}, turn {best[2] / best[1]}")
    return best[2], best[2] / best[1]


def _alike(reader: Reader, one: int, other: int) -> bool:
    groups = reader.ident.reader.model.groups
    return one == other or (bool(groups[one]) and groups[one] == groups[other])


def report(table: Table, by: Parameters, examples: Sequence[Example]) -> None:
    chances = posteriors(table, by)
    for how in ("whole", *CUTS):
        some = np.array([e.how == how for e in examples])
        if some.any():
            fused = table.right[some, chances[some].argmax(1)].mean()
            alone = table.right[some, table.logs[some].argmax(1)].mean()
            print(
                f"  {how:14} {some.sum():5} pages with hints: text alone {1 - alone:.2%} wrong, fused {1 - fused:.2%}"
            )


def fitted(examples: Sequence[Example], test: Sequence[Example], reader: Reader) -> dict[str, object]:
    """Everything that fuse.json holds, from some examples; what it does on others is printed."""
    rates = rates_of(examples, reader.names, 0.0, 1.0)
    by = fit(table_of([e for e in examples if not e.settled], reader, rates))
    open_ones = [e for e in test if not e.settled]
    report(table_of(open_ones, reader, rates), by, open_ones)
    sources = dict(zip(SOURCES, by.sources.round(3).tolist(), strict=True))
    sources["country"] = min(1.0, sources["url"])  # no labelled page has an address: as an address of the other kind
    sources["host"] = HOST_WEIGHT
    found: dict[str, object] = {
        "sources": {name: sources[name] for name in fuse.SOURCES},
        "letters": list(LETTERS),
        "amounts": by.amounts.round(3).tolist(),
        "listed": round(by.listed, 3),
        "english": by.english.round(3).tolist(),
        "foreign": by.foreign.round(3).tolist(),
        "most": MOST,
        "declared": {
            "own": round(rates.own, 4), "english": round(rates.english, 4), "others": round(rates.others, 4), "meant": MEANT,
            "agreeing": round(by.agreeing, 3), "conflicting": round(by.conflicting, 3),
        },
        "host": HOST,
    }  # fmt: skip
    found["preferred"] = PREFERRED
    weights = fuse.weights_of({**found, "share": 1.0, "turn": 1.0})
    share, turn = fit_shares(examples, reader, weights)
    return {**found, "share": share, "turn": turn}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--folds", type=Path, help="a folder for the weights of each fold of sites")
    options = parser.parse_args()
    reader = Reader()
    examples = list(reader.examples(options.data / "dev" / "html"))
    print(f"{len(examples)} pages and parts of pages with hints; English is {web_share('eng'):.0%} of the web")
    made = {
        "by": "tools/weights/fit_fuse.py",
        "from": "dev/html, cross-fitted by site",
        "date": str(date.today()),
        "examples": len(examples),
    }
    if options.folds:
        options.folds.mkdir(parents=True, exist_ok=True)
        for fold in range(FOLDS):
            print(f"without fold {fold}, on it:")
            found = fitted([e for e in examples if e.fold != fold], [e for e in examples if e.fold == fold], reader)
            (options.folds / f"fuse.{fold}.json").write_text(
                json.dumps({"manifest": made | {"without fold": fold}, **found}, indent=1)
            )
    print("all, on themselves:")
    found = fitted(examples, examples, reader)
    (DATA / "fuse.json").write_text(json.dumps({"manifest": made, **found}, indent=1) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
