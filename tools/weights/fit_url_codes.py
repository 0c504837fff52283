"""Write ``src/webtongue/data/url_codes.tsv``: `python tools/weights/fit_url_codes.py --data ../shared/data`.

The table says how often a code or name of a language is right in each place of a URL, and what the top level domains and scripts of
countries say for languages outside the URL model. All is counted over pairs of registered domain and language in ``url/train``.

A reliability is that of the token where the list has it, shrunk to what holds for its place, its form and how common its language
is (a logistic regression): ``/de/`` is right in 96% of 271 pairs, ``/id/`` in 55% of 15, and ``/gd/`` is the code of a rare language
like others. ``--skip-fold N`` leaves a tenth of the domains out, as the URL model's own training does.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from url_regions import count_domains, region_rows

from webtongue import _kernel, labels
from webtongue.files import DATA, read_rows
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.rows import UrlRow, assign_folds, list_languages
from webtongue.lab.train.url.rows import read_rows as read_urls
from webtongue.reference.countries import COUNTRY_LANGUAGE, is_country, languages_of
from webtongue.reference.domains import SUFFIXES
from webtongue.text.model import load as load_text_model
from webtongue.url.codes import PLACES, web_share

OUT = DATA / "url_codes.tsv"
NAMES = Path(__file__).parents[1] / "tables" / "address_names.tsv"
FORMS = {"code": "code", "long": "long", "native": "name", "english": "name", "country": "country"}
OLD_COUNTRIES = frozenset({"su", "tp", "yu", "zr"})  # what remains of their codes in addresses are words
MIN_NAME_LETTERS = 4  # shorter names are codes, or words
REGIONS = ("eu", "int", "intl", "ww", "global", "row", "latam", "mea", "apac", "emea", "419", "001", "150")
MIN_SPOKEN = 0.01  # share of a country's people who speak a language that goes with it in a code
COMMON_SHARE = 1e-3  # of a language for which the intercepts of the regression hold
MIN_SHARE = 1e-5  # rarer languages count as rare as this
KAPPA = 10.0  # pairs of domain and language that count as much as what holds for the place and form
MAX_PAIRS = 30  # pairs of one token that count in the regression: a few codes have most of them
RIDGE = 0.5  # of the parameters of places and forms; their interactions have the double, their slopes the tenfold
MIN_RELIABILITY, MAX_RELIABILITY = 0.1, 0.98  # smaller ones are left out; of all meanings of a token together
FOLDS = 10


@dataclass(frozen=True, slots=True)
class Meaning:
    """A row of the table before its values are known."""

    token: str
    form: str  # code, long, name, country or locale
    label: str


def list_meanings(main_labels: Mapping[str, str]) -> list[Meaning]:
    """Return all codes and names of the languages in ``main_labels``, sorted by token."""
    folded = labels.folded_codes()
    meanings: dict[Meaning, None] = {}

    def add(token: str, form: str, language: str) -> None:
        label = main_labels.get(folded.get(language, language))
        if label and not any((token, label) == (m.token, m.label) for m in by_token[token]):
            by_token[token].append(Meaning(token, form, label))
            meanings[by_token[token][-1]] = None

    by_token: defaultdict[str, list[Meaning]] = defaultdict(list)
    for code, short, _, name in read_rows("labels.tsv"):
        if len(short) == 2:
            add(short, "code", code)
            add(f"{short}-*", "locale", code)
        add(code, "long", code)
        if web_share(folded[code]) > MIN_SHARE and name.isalpha() and len(name) >= MIN_NAME_LETTERS:
            add(name.lower(), "name", code)
    for token, code, kind in read_rows(NAMES):
        if token not in OLD_COUNTRIES:
            add(token, FORMS[kind], code)
        if kind == "code":
            add(f"{token}-*", "locale", code)
    for code, language in COUNTRY_LANGUAGE.items():
        if len(code) == 2 and code not in OLD_COUNTRIES:
            add(code, "country", language)
    for pair, language in reversed_pairs(folded):
        add(pair, "locale", language)
    return sorted(meanings, key=lambda meaning: meaning.token)


def reversed_pairs(folded: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of codes in which the second one is the language though the first might be: ``ch-de``, ``ca-fr``.

    The language must be official in the country or in a region of it: ``de-it`` is German in Italy, not Italian in Germany.
    """
    codes = {short: folded[code] for code, short, _, _ in read_rows("labels.tsv") if len(short) == 2}
    for first, language in codes.items():
        for second, other in codes.items():
            are_countries = first != second and is_country(first) and is_country(second)
            if not are_countries or not _is_official(other, first):
                continue
            if _spoken(other, first) > _spoken(language, second) >= MIN_SPOKEN:
                yield f"{first}-{second}", other


def _is_official(language: str, country: str) -> bool:
    return any(s.official and s.label.startswith(language) for s in languages_of(country.upper()))


def _spoken(language: str, country: str) -> float:
    """Return how many people of a country speak a language; an official one counts as that of three in ten at least."""
    if language == "eng":
        return 0.5
    spoken = [s for s in languages_of(country.upper()) if s.label.startswith(language)]
    return max((max(s.share, 0.3) if s.official else s.share for s in spoken), default=0.0)


def main_labels() -> dict[str, str]:
    """Return the label of each language of the text model, in its usual script."""
    found: dict[str, str] = {}
    scripts = {code: script for code, _, script, _ in read_rows("labels.tsv")}
    for label in load_text_model().labels:
        language, _, script = label.partition("_")
        if language not in found or scripts.get(language) == script:
            found[language] = label
    return found | {"zho": "zho_Hans", "srp": "srp_Cyrl"}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many pairs of domain and language have a meaning in a place, and for how many it is right."""

    right: NDArray[np.float64]  # places x meanings
    total: NDArray[np.float64]


def count_mentions(rows: Sequence[UrlRow], meanings: Sequence[Meaning], extra: Iterable[str]) -> Counts:
    """Return the counts of all meanings; those of a language with any region are counted together."""
    names = sorted({meaning.label for meaning in meanings})
    table = [f"{m.token}\t{m.form}\t{m.label}" + "\t500" * len(PLACES) for m in meanings]
    tables = _kernel.UrlTables(SUFFIXES.read_bytes(), "\n".join([*table, *extra]).encode(), names)
    right, total = np.zeros((len(PLACES), len(meanings))), np.zeros((len(PLACES), len(meanings)))
    seen = set()
    for row in rows:
        for place, number, label in _kernel.url_mentions(tables, row.url.encode("utf-8", "replace")):
            if (pair := (place, number, row.domain, row.language)) not in seen:
                seen.add(pair)
                total[place, number] += 1
                right[place, number] += names[label][:3] == row.language
    return Counts(right, total)


def fit_reliabilities(counts: Counts, meanings: Sequence[Meaning], progress=print) -> NDArray[np.float64]:
    """Return the reliability of each meaning in each place."""
    forms = sorted({meaning.form for meaning in meanings})
    form_of = np.array([forms.index(meaning.form) for meaning in meanings])
    commonness = np.log(np.maximum([web_share(m.label[:3]) for m in meanings], MIN_SHARE) / COMMON_SHARE)
    weight = np.minimum(1.0, MAX_PAIRS / np.maximum(counts.total, 1))
    expected = _regress(counts.right * weight, counts.total * weight, form_of, commonness, len(forms))
    for place, name in enumerate(PLACES):
        for form, kind in enumerate(forms):
            among = form_of == form
            right, total = counts.right[place, among].sum(), counts.total[place, among].sum()
            progress(
                f"{name:12} {kind:8} {right:5.0f} of {total:5.0f} right, by the fit {expected[place, among].mean():.2f}"
            )
    return (counts.right + KAPPA * expected) / (counts.total + KAPPA)


def _regress(
    right: NDArray[np.float64],
    total: NDArray[np.float64],
    form_of: NDArray[np.int64],
    commonness: NDArray[np.float64],
    forms: int,
) -> NDArray[np.float64]:
    """Return fitted reliabilities: a logistic model of place, form, both together, and the commonness of the language by place."""
    places, meanings = total.shape
    groups = np.zeros((places, meanings, places + forms))
    both = np.zeros((places, meanings, places * forms))
    for place in range(places):
        groups[place, :, place] = 1
        groups[place, np.arange(meanings), places + form_of] = 1
        both[place, np.arange(meanings), place * forms + form_of] = 1
    common = np.broadcast_to(commonness[None, :, None], (places, meanings, 1))
    design = np.concatenate([np.ones_like(common), common, groups, common * groups[:, :, :places], both], axis=2)
    ridge = np.repeat([1e-3, RIDGE, 10 * RIDGE, 2 * RIDGE], [2, places + forms, places, places * forms])
    used = total > 0
    rows, rights, totals = design[used], right[used], total[used]
    weights = np.zeros(design.shape[2])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-rows @ weights))
        gradient = rows.T @ (rights - totals * chance) - ridge * weights
        hessian = (rows * (totals * chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        weights += np.linalg.solve(hessian, gradient)
    slopes = weights[1] + weights[2 + places + forms : 2 + 2 * places + forms]
    print("nats for a language ten times as common, by place:", np.round(slopes * math.log(10), 2))
    fitted: NDArray[np.float64] = 1 / (1 + np.exp(-(design @ weights)))
    return fitted


def code_rows(meanings: Sequence[Meaning], reliabilities: NDArray[np.float64]) -> Iterator[str]:
    """Yield the rows of codes and names, in thousandths by place."""
    together: Counter[tuple[int, str]] = Counter()
    for number, meaning in enumerate(meanings):
        for place in range(len(PLACES)):
            together[place, meaning.token] += reliabilities[place, number]
    for number, meaning in enumerate(meanings):
        values = []
        for place in range(len(PLACES)):
            share = min(1.0, MAX_RELIABILITY / together[place, meaning.token])
            value = share * reliabilities[place, number]
            values.append(str(round(1000 * value)) if value >= MIN_RELIABILITY else "")
        if any(values):
            yield "\t".join([meaning.token, meaning.form, meaning.label, *values])


def list_regions() -> Iterator[str]:
    """Yield the rows of what may stand for a region beside the code of a language, with the codes of a country's languages."""
    for region in REGIONS:
        yield f"{region}\tregion\t"
    folded = labels.folded_codes()
    short = {folded[code]: two for code, two, _, _ in reversed(read_rows("labels.tsv")) if len(two) == 2}
    pairs = [chr(a) + chr(b) for a in range(97, 123) for b in range(97, 123)]
    for code in [pair for pair in pairs if is_country(pair)] + ["uk"]:
        languages = languages_of("gb" if code == "uk" else code)
        spoken = dict.fromkeys(s.label[:3] for s in languages if s.share >= MIN_SPOKEN or s.official)
        yield f"{code}\tregion\t{' '.join(sorted({short[language] for language in spoken if language in short})) or 'en'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with url/")
    parser.add_argument("--skip-fold", type=int, default=-1, help="leave this tenth of the domains out")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    rows = read_urls(options.data / "url" / "train.tsv.xz")
    model_languages = list_languages(rows, UrlConfig().least_urls, UrlConfig().language_domains)
    folds = assign_folds([row.domain for row in rows], FOLDS)
    rows = [row for row, fold in zip(rows, folds, strict=True) if fold != options.skip_fold]
    by_language = main_labels()
    meanings = list_meanings(by_language)
    regions = list(list_regions())
    counts = count_mentions(rows, meanings, regions)
    body = [*code_rows(meanings, fit_reliabilities(counts, meanings)), *regions]
    body += region_rows(count_domains(rows), model_languages, by_language)
    head = f"# token, form, label, values by place ({' '.join(PLACES)}): written by tools/weights/fit_url_codes.py, {len(rows)} URLs"
    options.out.write_text("\n".join([head, *body]) + "\n", "utf-8")
    print(f"{len(body)} rows in {options.out}")


if __name__ == "__main__":
    main()
