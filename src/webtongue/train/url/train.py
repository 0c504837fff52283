"""The URL model: URL lists in, a model file out, by ``train(data, out)`` or ``python -m webtongue.train.url.train DATA OUT``.

read -> features -> vocabulary -> fit (multinomial logistic regression, AdaGrad) -> calibrate on domains held out -> prune,
quantise, write. Deterministic: the same lists and settings give the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.hints.country import COUNTRY_LANGUAGE, tld
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import (
    FIRST_TEXT,
    TOP,
    Features,
    Rows,
    chosen,
    features_of,
    joined,
    numbered,
    selected,
    text_only,
    vocabulary,
)
from webtongue.train.url.file import BUCKET, UrlWeights, write_url_model
from webtongue.train.url.fit import Fit, Priors, Progress, fit, priors_of, temperature, worthiest, worths
from webtongue.train.url.rows import UrlRow, fold_of, languages_of, read_rows
from webtongue.train.url.text import SOURCES, made_urls
from webtongue.url.baselines import GENERIC
from webtongue.url.model import SUFFIXES

__all__ = ["Corpus", "Fitted", "fit_corpus", "packed", "read_corpus", "train"]

# Features fitted, of the table's places: the last 3 of 100 find both their buckets full and are left out.
FILLED = 0.985
# Weights within what int8 holds. The largest structural ones are top level domains of small languages: none may be cut.
PLAIN_KEPT, TEXT_KEPT = 1.0, 0.9999


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that fitting needs, made once for many fits."""

    languages: list[str]
    rows: list[UrlRow]
    truth: NDArray[np.uint16]
    generic: NDArray[np.bool_]  # whether a URL is on .com, .org or .net
    domains: NDArray[np.int64]  # a number for the domain of each URL
    real: Features
    made: Features
    made_truth: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fit on some of the URLs; all of them by the numbers of its vocabulary."""

    fit: Fit
    rows: Rows
    priors: Priors


def read_corpus(data: Path, config: UrlConfig, progress: Progress) -> Corpus:
    """The training list and the URLs made of text, as features."""
    rows = read_rows(data / "url" / "train.tsv.xz")
    languages = languages_of(rows, config.least_urls)
    number = {language: i for i, language in enumerate(languages)}
    rows = [row for row in rows if row.language in number]
    progress(f"{len(rows)} URLs in {len(languages)} languages")
    urls: list[str] = []
    made_truth: list[int] = []
    for i, language in enumerate(languages):
        found = made_urls(data / "train", language, config.made)
        urls += found
        made_truth += [i] * len(found)
    progress(f"{len(urls)} URLs made of text")
    domains: dict[str, int] = {}
    return Corpus(
        languages,
        rows,
        np.array([number[row.language] for row in rows], np.uint16),
        np.array([tld(row.url) in GENERIC for row in rows]),
        np.array([domains.setdefault(row.domain, len(domains)) for row in rows], np.int64),
        features_of([row.url for row in rows]),
        text_only(features_of(urls)),
        np.array(made_truth, np.uint16),
    )


def fit_corpus(corpus: Corpus, train: NDArray[np.int64], config: UrlConfig, progress: Progress) -> Fitted:
    """A fit on some of the URLs and all made ones.

    First over every feature, then again over those that were worth most: as many as the table has room for.
    """
    known = vocabulary(selected(corpus.real, train), corpus.domains[train], corpus.made, config)
    truth = np.concatenate([corpus.truth[train], corpus.made_truth])
    groups = 2 * corpus.truth[train].astype(np.int64) + corpus.generic[train]
    gold = np.array([corpus.rows[i].gold for i in train])
    own = worths(groups, corpus.domains[train], gold, config)
    worth = np.concatenate([own, np.full(len(corpus.made_truth), config.made_worth)]).astype(np.float32)
    priors = priors_of(corpus.truth[train], own, len(corpus.languages), config.prior_share)
    progress(f"{len(known)} features")

    def fitted(passes: int) -> Fitted:
        real, made = numbered(corpus.real, known, config.scale), numbered(corpus.made, known, config.scale)
        start = top_level_weights(corpus, train, known, config)
        rows = joined(chosen(real, train), made)
        return Fitted(fit(known, start, rows, truth, worth, replace(config, passes=passes), progress), real, priors)

    first = fitted(config.first_passes)
    known = known[np.sort(worthiest(first.fit, chosen(first.rows, train), int(config.buckets * BUCKET * FILLED)))]
    return fitted(config.passes)


def top_level_weights(
    corpus: Corpus, train: NDArray[np.int64], known: NDArray[np.uint64], config: UrlConfig
) -> NDArray[np.float32]:
    """Weights to begin with: zero, but for top level domains the log-odds of the languages of their domains.

    A country's domain has few URLs for most languages, too few for gradients that n-grams share: without this, small
    languages did worse than by their domain alone.
    """
    count = len(corpus.languages)
    sizes = np.maximum(np.bincount(corpus.truth[train], minlength=count), 1).astype(np.float64)
    worth = sizes**-config.rarity / np.mean(sizes**-config.rarity)
    prior = sizes * worth / np.sum(sizes * worth)
    counts: dict[int, NDArray[np.float64]] = {}
    at = np.minimum(corpus.real.starts[:-1].astype(np.int64), len(corpus.real.keys) - 1)
    tops, named = corpus.real.keys[at], corpus.real.kinds[at] == TOP  # a host's first feature is its top level domain
    for top, language, _ in {(int(tops[i]), int(corpus.truth[i]), int(corpus.domains[i])) for i in train if named[i]}:
        counts.setdefault(top, np.zeros(count))[language] += worth[language]
    codes = [code for code, language in COUNTRY_LANGUAGE.items() if language in corpus.languages]
    found = features_of([f"http://example.{code}/" for code in codes])
    for code, top in zip(codes, found.keys[found.starts[:-1].astype(np.int64)].tolist(), strict=True):
        language = corpus.languages.index(COUNTRY_LANGUAGE[code])
        counts.setdefault(top, np.zeros(count))[language] += config.country * worth[language]
    out = np.zeros((len(known), count), np.float32)
    for top, seen in counts.items():
        place = int(np.searchsorted(known, np.uint64(top)))
        if place < len(known) and known[place] == top:
            odds = np.log((seen + config.country * prior) / (seen.sum() + config.country)) - np.log(prior)
            out[place] = config.trust * odds
    return out


def packed(fitted: Fitted, corpus: Corpus, scale: float, config: UrlConfig) -> UrlWeights:
    """Weights in int8: each feature's mean taken off (it moves no probability), the worthiest features first."""
    known = fitted.fit.vocabulary
    order = worthiest(fitted.fit, fitted.rows, len(known))
    weights = (fitted.fit.weights - fitted.fit.weights.mean(axis=1, keepdims=True))[order]
    text = np.ones(len(known), bool)
    text[_plain_ids(corpus.real, known)] = False
    text = text[order]
    unit = [
        float(np.quantile(np.abs(weights[which]), share)) / 127
        for which, share in ((~text, PLAIN_KEPT), (text, TEXT_KEPT))
    ]
    units = np.clip(np.rint(weights / np.where(text, unit[1], unit[0])[:, None]), -127, 127).astype(np.int8)
    return UrlWeights(
        [str(labels.fold(_label(language))) for language in corpus.languages],
        fitted.priors.held,
        fitted.fit.bias.astype(np.float64) * scale + fitted.priors.offsets,
        known[order],
        np.bincount(fitted.rows.ids, minlength=len(known))[order],
        units,
        unit[0] * scale,
        unit[1] * scale * config.scale,
    )


def _plain_ids(found: Features, known: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Numbers of structural features."""
    keys = np.unique(found.keys[found.plain < FIRST_TEXT])
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found_at: NDArray[np.int64] = places[known[places] == keys]
    return found_at


def _label(language: str) -> labels.Label:
    found = labels.parse(language)
    if found is None:
        raise ValueError(f"{language}: not a language we know")
    return found


def train(data: Path, out: Path, config: UrlConfig | None = None, progress: Progress = print) -> None:
    """Reads ``url/train.tsv.xz`` and the text in ``train/`` below ``data``, fits, and writes the model to ``out``.

    It is fitted twice: without one fold of domains, on which it is calibrated, then on everything.
    """
    config = config or UrlConfig()
    corpus = read_corpus(data, config, progress)
    folds = fold_of([row.domain for row in corpus.rows], config.folds)
    held = np.flatnonzero(folds == 0)
    fitted = fit_corpus(corpus, np.flatnonzero(folds != 0), config, progress)
    scores = fitted.fit.scores(chosen(fitted.rows, held))
    scale = temperature(scores, corpus.truth[held], fitted.priors.offsets)
    right = np.mean((scores + fitted.priors.offsets).argmax(1) == corpus.truth[held])
    progress(f"temperature {scale:.2f}; {100 * right:.2f}% of the URLs on domains held out are right")
    fitted = fit_corpus(corpus, np.arange(len(corpus.rows)), config, progress)
    write_url_model(out, packed(fitted, corpus, scale, config), config.buckets, manifest(corpus, scale, config))


def manifest(corpus: Corpus, scale: float, config: UrlConfig) -> dict[str, object]:
    """Where a model comes from."""
    return {
        "urls": len(corpus.rows),
        "languages": dict(Counter(row.language for row in corpus.rows)),
        "sources": dict(Counter(row.source for row in corpus.rows)),
        "text_sources": list(SOURCES),
        "temperature": round(scale, 4),
        "config": asdict(config),
        "suffixes": SUFFIXES.read_text("utf-8").split("\n", 1)[0].lstrip("# "),
    }


def main() -> None:
    """``python -m webtongue.train.url.train DATA OUT``."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder with url/ and train/")
    parser.add_argument("out", type=Path)
    chosen_options = parser.parse_args()
    train(chosen_options.data, chosen_options.out)


if __name__ == "__main__":
    main()
