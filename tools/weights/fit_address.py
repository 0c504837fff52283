"""What an address says beyond the URL model: `python tools/weights/fit_address.py --data ../shared/data --held held.wtu`.

Writes ``src/webtongue/data/address.tsv``. All rates are counted over registered domains of ``url/train``, a language's own apart
from those of the model's languages together ("in general": each weighs by its share of the web, not by how many URLs of it the
list has). What is said for a language is the log of the one over the other. A rate in general stands at its upper bound of 95%.
``held.wtu`` is written by ``tools/weights/held_urls.py``: how far the model is to be believed is fitted on domains it has not seen.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from held_urls import UNSEEN

from webtongue import labels
from webtongue.files import DATA
from webtongue.hints.country import GENERIC_CODES, country_of_tld, languages_of
from webtongue.train.url.rows import UrlRow, few_of_a_domain, fold_of, read_rows
from webtongue.url.codes import FORMS, meanings, web_shares
from webtongue.url.model import NATS, load, reader
from webtongue.url.places import PLACES, places_of, scripts_in, tokens

Z = 1.645  # of a bound of 95% on one side
OUT = DATA / "address.tsv"
UNLISTED = 1e-8  # share of the web of a language that no count of it knows
KAPPA = 10.0  # domains of a language, or of a country, that count as much as what holds for all
RARE = 3  # domains of the model's languages: codes that fewer have are counted together
LEAST_TOUCHED = 5  # URLs on domains unseen by which a place and form is judged
MOST_OF_DOMAIN = 6  # URLs that the model's belief is fitted on
# Domains of regions: what they are for, as their registries say.
REGIONS = {
    "cat": "cat", "eus": "eus", "gal": "glg", "bzh": "bre", "cymru": "cym", "wales": "cym", "scot": "gla", "frl": "fry",
    "corsica": "cos", "krd": "kur", "tatar": "tat",
}  # fmt: skip
REGION_SHARE = 0.5  # of a region's sites in its own language, before any is counted
TOKENS = set(meanings())
# How the model's own languages are said, judged together.
GROUPS = {
    "codes of a host or first in a path": [(p, f) for p in ("label", "first") for f in ("code", "country")],
    "codes further down a path": [("later", "code")],
    "codes of countries further down": [("later", "country")],
    "names and long codes": [(p, f) for p in ("label", "first", "later", "ending") for f in ("name", "long")],
    "codes at the end of a file's name": [("ending", "code")],
    "languages asked for": [("asked", f) for f in FORMS],
}


@dataclass(frozen=True)
class Counts:
    """Distinct domains of each language, and of each language with each feature."""

    domains: Counter[str]
    having: dict[tuple[str, str], Counter[str]]  # feature (kind, value) to languages

    def known(self, known: dict[str, float], feature: tuple[str, str]) -> int:
        """How many domains of the model's languages have a feature."""
        return sum(n for one, n in self.having.get(feature, {}).items() if one in known)

    def general(self, known: dict[str, float], *features: tuple[str, str], but: str = "") -> float:
        """How often the model's languages, but for one, have one of some features: the upper bound."""
        rate = sum(
            known[one] * n / self.domains[one]
            for feature in features
            for one, n in self.having.get(feature, {}).items()
            if one in known and one != but
        )
        size = 1 / sum(share**2 / self.domains[one] for one, share in known.items())
        k = rate * size
        return (k + Z**2 / 2 + Z * math.sqrt(k + Z**2 / 4)) / size


def features(url: str) -> Iterable[tuple[str, str]]:
    places = places_of(url)
    yield "tld", places.top
    if country := country_of_tld(places.top):
        yield "country", country
    for place, token in tokens(places):
        code = token[:2] if len(token) == 5 and token[2] in "-_" else token
        if code in TOKENS:
            yield place, code
    for script in scripts_in(places):
        yield "script", script


def count(rows: list[UrlRow]) -> Counts:
    domains: defaultdict[str, set[str]] = defaultdict(set)
    having: defaultdict[tuple[str, str], defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        domains[row.language].add(row.domain)
        for feature in features(row.url):
            having[feature][row.language].add(row.domain)
    counted = {f: Counter({one: len(found) for one, found in by.items()}) for f, by in having.items()}
    return Counts(Counter({one: len(found) for one, found in domains.items()}), counted)


def places_table(counts: Counts, known: dict[str, float]) -> Iterable[str]:
    """How often a domain of a language says it in each place and form, over all languages outside of the model."""
    outside = [one for one in counts.domains if one not in known and one in web_shares()]
    total = sum(counts.domains[one] for one in outside)
    for place in PLACES:
        for form in FORMS:
            said = sum(
                counts.having.get((place, token), Counter())[language]
                for token, found in meanings().items()
                for language, how in found
                if how == form and language in outside
            )
            yield f"say\t{place}\t{form}\t{max(said, 0.5) / total:.3g}"
        rare = [token for token in meanings() if counts.known(known, (place, token)) < RARE]
        yield f"unseen\t{place}\t\t{counts.general(known, *((place, token) for token in rare)) / len(rare):.3g}"
        for token in sorted(set(meanings()).difference(rare)):
            yield f"seen\t{place}\t{token}\t{counts.general(known, (place, token)):.3g}"


def said_of_known(counts: Counts, known: dict[str, float]) -> dict[tuple[str, str], dict[str, dict[str, float]]]:
    """Nats for the model's own languages by place and form, token and language: what they would be beside the model."""
    out: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for place in PLACES:
        for form in FORMS:
            pairs = [
                (token, one)
                for token, found in meanings().items()
                for one, how in found
                if how == form and one in known
            ]
            rates = defaultdict(float)
            for token, one in pairs:
                rates[one] += counts.having.get((place, token), Counter())[one] / counts.domains[one]
            rate = sum(rates.values()) / len(known) + 1e-6
            for token, one in pairs:
                nats = math.log(rate / counts.general(known, (place, token), but=one))
                if nats > 0:
                    out.setdefault((place, form), {}).setdefault(token, {})[one] = nats
    return out


def kept_of_known(
    unseen: Unseen, said: dict[tuple[str, str], dict[str, dict[str, float]]], known: dict[str, float]
) -> Iterable[str]:
    """Those places and forms of the model's own languages that lessen the loss on domains unseen, beside the model."""
    before = unseen.loss(unseen.said, known)
    read = [[(place, code) for place, code in features(row.url) if place in PLACES] for row in unseen.rows]
    for title, group in GROUPS.items():
        tables = [(place, said.get((place, form), {})) for place, form in group]
        moved = unseen.said.copy()
        for i, found in enumerate(read):
            for where, token in found:
                for one, nats in (
                    pair for place, table in tables if place == where for pair in table.get(token, {}).items()
                ):
                    k = unseen.names.index(one)
                    moved[i, k] = max(moved[i, k], nats)
        after = unseen.loss(moved, known)
        touched = int(np.sum(np.any(moved != unseen.said, axis=1)))
        kept = after < before and touched >= LEAST_TOUCHED
        print(f"  {title}: {touched} URLs, loss {before:.4f} -> {after:.4f}{', kept' if kept else ''}")
        if kept:
            for place, token, says in (
                (p, token, says) for p, table in tables for token, says in sorted(table.items())
            ):
                yield f"known\t{place}\t{token}\t" + " ".join(f"{one}:{nats:.2f}" for one, nats in sorted(says.items()))


def script_table(counts: Counts, known: dict[str, float]) -> Iterable[str]:
    """How often addresses have letters of a script, in general and of languages written in one of their own."""
    native = [one for one in counts.domains if (found := labels.parse(one)) and found.script not in ("Latn", "")]
    total = sum(counts.domains[one] for one in native)
    foreign = {"LATIN", "MICRO", "MASCULINE", "FEMININE", "MODIFIER", ""}
    scripts = {value for kind, value in counts.having if kind == "script"} - foreign
    with_any = sum(counts.having["script", script][one] for script in scripts for one in native)
    yield f"letters\tany\t\t{with_any / total:.3g}"
    own = {script for script in scripts if counts.known(known, ("script", script)) >= RARE}
    for script in sorted(own):
        yield f"letters\tseen\t{script}\t{counts.general(known, ('script', script)):.3g}"
    rare = [("script", script) for script in scripts - own]
    yield f"letters\tunseen\t\t{counts.general(known, *rare) / len(rare):.3g}"


def holds(counts: Counts, top: str, country: dict[str, float], known: dict[str, float]) -> tuple[float, float]:
    """How many domains a top level domain has in the list, and what share of it is the country's: one mixture, by EM."""
    seen = counts.having.get(("tld", top), Counter())
    weight = {one: web_shares().get(one, UNLISTED) * n / counts.domains[one] for one, n in seen.items()}
    total = sum(weight.values())
    m = 0.5
    for _ in range(30 if total else 0):
        own = {one: m * country.get(one, 0.0) for one in weight}
        m = (
            sum(w * own[one] / (own[one] + (1 - m) * web_shares().get(one, UNLISTED)) for one, w in weight.items())
            / total
        )
    return seen.total(), m


def country_shares(top: str) -> dict[str, float]:
    if top in REGIONS:
        return {REGIONS[top]: REGION_SHARE}
    shares: defaultdict[str, float] = defaultdict(float)
    for spoken in languages_of(country_of_tld(top)):
        shares[spoken.label.partition("_")[0]] += spoken.share
    total = max(1.0, sum(shares.values()))
    return {one: share / total for one, share in shares.items()}


def tld_table(counts: Counts, known: dict[str, float]) -> Iterable[str]:
    tops = {value for kind, value in counts.having if kind == "tld"} | set(REGIONS)
    tops |= {chr(a) + chr(b) for a in range(97, 123) for b in range(97, 123)}
    shares = {top: found for top in sorted(tops) if (found := country_shares(top))}
    held = {top: holds(counts, top, found, known) for top, found in shares.items()}
    for generic in (False, True):
        among = [(n, m) for top, (n, m) in held.items() if n and (top in GENERIC_CODES) == generic]
        mean = sum(m for _, m in among) / len(among)
        print(f"{'generic' if generic else 'other'} country codes: {mean:.2f} are the country's, {len(among)} codes")
        for top in shares:
            if (top in GENERIC_CODES) == generic:
                n, m = held[top]
                held[top] = n, (n * m + KAPPA * mean) / (n + KAPPA)
    home = at_home(counts, shares, known)
    print(f"{home:.2f} of the domains of the other languages are on a domain of their countries")
    for top, found in shares.items():
        says = sorted(
            top_says(counts, top, held[top][1], found, known, home).items(), key=lambda item: (-item[1], item[0])
        )
        if says:
            yield f"tld\t{top}\t{held[top][1]:.2f}\t" + " ".join(f"{one}:{nats:.2f}" for one, nats in says)


def at_home(counts: Counts, shares: dict[str, dict[str, float]], known: dict[str, float]) -> float:
    """The share of the domains of languages outside of the model's that are on a top level domain of theirs."""
    outside = [one for one in counts.domains if one not in known and one in web_shares()]
    here = sum(
        counts.having.get(("tld", top), Counter())[one] for top in shares for one in outside if one in shares[top]
    )
    return here / sum(counts.domains[one] for one in outside)


def top_says(
    counts: Counts, top: str, m: float, shares: dict[str, float], known: dict[str, float], home: float
) -> dict[str, float]:
    """Nats for languages outside of the model's, as odds against those: counted ones weigh by how many domains they have.

    People who speak a language need not write it on the web: no more of a language's pages are on a domain than are at home.
    """
    general = counts.general(known, ("tld", top))
    country = country_of_tld(top)
    whole = counts.general(known, ("country", country)) if country else general  # .ru and .рф are one home
    seen = counts.having.get(("tld", top), Counter())
    web = web_shares()
    outside = {
        one: m * share + (1 - m) * web.get(one, UNLISTED) for one, share in shares.items() if one and one not in known
    }
    among = max(1 - sum(outside.values()), 0.05)
    out = {}
    for one, chance in outside.items():
        by_share = min(math.log(chance / among / web.get(one, UNLISTED)), math.log(home / whole))
        n = counts.domains[one]
        counted = math.log((seen[one] + 0.5) / (n + 1) / general)
        nats = (n * counted + KAPPA * by_share) / (n + KAPPA)
        if nats > 0.1:
            out[one] = nats
    return out


@dataclass(frozen=True)
class Unseen:
    """URLs on domains that a model has not seen, and what it says of them, as it is to be believed."""

    rows: list[UrlRow]
    names: list[str]
    said: np.ndarray
    truth: np.ndarray
    temper: float
    doubt: float

    def loss(self, said: np.ndarray, known: dict[str, float]) -> float:
        """The log-loss as the web is, and that with all languages alike, together."""
        log_share = np.log([known[name] for name in self.names])
        even = 1 / np.bincount(self.truth, minlength=len(self.names))[self.truth]
        web = _loss(said + log_share, self.truth, np.exp(log_share)[self.truth] * even)
        return web + _loss(said, self.truth, even)


def belief(rows: list[UrlRow], held: Path, known: dict[str, float]) -> Unseen:
    """Temper and doubt: the model's log-ratio times the one; the other is how often the address says nothing."""
    unseen = fold_of([row.domain for row in rows], 10) == UNSEEN
    rows = few_of_a_domain(
        [row for row, out in zip(rows, unseen, strict=True) if out and row.language in known], MOST_OF_DOMAIN
    )
    found = reader(load(held), "web", None)
    names = [label.partition("_")[0] for label in found.labels]
    own = np.array(found.model.kernel.own_priors) / NATS
    ratios = np.full((len(rows), len(names)), -20.0)
    for i, row in enumerate(rows):
        _, ids, logs = found.rank(row.url, len(names))
        if not ids:
            ratios[i] = 0
        for k, log in zip(ids, logs, strict=True):
            ratios[i, k] = log / NATS - own[k]
    truth = np.array([names.index(row.language) for row in rows])
    log_share = np.log([known[name] for name in names])
    worth = np.exp(log_share)[truth] / np.bincount(truth, minlength=len(names))[truth]
    even = 1 / np.bincount(truth, minlength=len(names))[truth]
    best = (math.inf, 1.0, 0.01)
    for temper in (0.6, 0.8, 0.9, 1.0, 1.1, 1.2):
        for doubt in (0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2):
            said = np.log((1 - doubt) * np.exp(temper * ratios) + doubt)
            web = _loss(said + log_share, truth, worth)
            flat = _loss(said, truth, even)
            best = min(best, (web + flat, temper, doubt))
            if doubt in (0.003, 0.02, 0.05):
                print(
                    f"  temper {temper} doubt {doubt}: log-loss {web:.4f} as the web is, {flat:.4f} all languages alike"
                )
    print(f"{len(rows)} URLs on domains unseen: sum of both {best[0]:.4f} at temper {best[1]}, doubt {best[2]}")
    said = np.log((1 - best[2]) * np.exp(best[1] * ratios) + best[2])
    return Unseen(rows, names, said, truth, best[1], best[2])


def _loss(scores: np.ndarray, truth: np.ndarray, worth: np.ndarray) -> float:
    top = scores.max(1, keepdims=True)
    mass = np.log(np.exp(scores - top).sum(1)) + top[:, 0]
    return float(np.average(mass - scores[np.arange(len(truth)), truth], weights=worth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--held", type=Path, required=True)
    options = parser.parse_args()
    rows = read_rows(options.data / "url" / "train.tsv.xz")
    shares = {label.partition("_")[0]: web_shares().get(label.partition("_")[0], UNLISTED) for label in load().labels}
    known = {one: share / sum(shares.values()) for one, share in shares.items()}
    counts = count(rows)
    unseen = belief(rows, options.held, known)
    lines = [
        f"# what addresses say: written by tools/weights/fit_address.py on {date.today()} from url/train, {len(rows)} URLs,",
        f"# {counts.domains.total()} pairs of domain and language, {len(counts.domains)} languages; {len(known)} are the model's",
        f"believe\ttemper\t\t{unseen.temper}",
        f"believe\tdoubt\t\t{unseen.doubt}",
        *places_table(counts, known),
        *kept_of_known(unseen, said_of_known(counts, known), known),
        *script_table(counts, known),
        *tld_table(counts, known),
    ]
    OUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{OUT.name}: {len(lines)} lines, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
