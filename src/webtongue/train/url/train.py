"""The URL model: URL lists in, a model file out, by ``train(data, out)`` or ``python -m webtongue.train.url.train DATA OUT``.

read -> features -> vocabulary -> fit (multinomial logistic regression, AdaGrad) -> weigh parts on domains held out -> fit on
all, prune, quantise, write. Deterministic: the same lists and settings give the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.hints.country import tld
from webtongue.hints.domain import SUFFIXES
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import (
    FIRST_TEXT,
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
from webtongue.train.url.fit import Fit, Priors, Progress, fit, priors_of, worthiest, worths
from webtongue.train.url.invented import MAJOR, coining_words, drawn_labels, invented_urls
from webtongue.train.url.mix import GENERIC_HOME, Mix, fit_mix, voices_of
from webtongue.train.url.rows import UrlRow, few_of_a_domain, fold_of, languages_of, read_rows
from webtongue.train.url.said import said_keys, start_weights
from webtongue.train.url.text import SOURCES, made_urls
from webtongue.url.baselines import GENERIC

__all__ = ["Corpus", "Fitted", "fit_corpus", "mix_on", "packed", "read_corpus", "train"]

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
    words: list[str]  # of which names are coined


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
    rows = few_of_a_domain([row for row in rows if row.language in number], config.domain_most)
    progress(f"{len(rows)} URLs in {len(languages)} languages")
    urls: list[str] = []
    words: list[str] = []
    made_truth: list[int] = []
    for i, language in enumerate(languages):
        found = made_urls(data / "train", language, config.made)
        urls += found
        words += coining_words(found) if language == MAJOR else []
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
        words,
    )


def fit_corpus(corpus: Corpus, train: NDArray[np.int64], config: UrlConfig, progress: Progress) -> Fitted:
    """A fit on some of the URLs, all made ones and invented ones.

    First over every feature, then again over those that were worth most: as many as the table has room for.
    """
    seen = selected(corpus.real, train)
    said = np.array(sorted(said_keys(corpus.languages)), np.uint64)
    known = np.union1d(vocabulary(seen, corpus.domains[train], corpus.made, config), said)
    groups = 2 * corpus.truth[train].astype(np.int64) + corpus.generic[train]
    gold = np.array([corpus.rows[i].gold for i in train])
    own = worths(groups, corpus.domains[train], gold, config)
    priors = priors_of(corpus.truth[train], own, len(corpus.languages), config.prior_share)
    invented, invented_truth = _invented(corpus, train, config.invented, priors.offsets, config.seed)
    truth = np.concatenate([corpus.truth[train], corpus.made_truth, invented_truth])
    ones = np.ones(len(invented_truth))
    worth = np.concatenate([own, config.made_worth * np.ones(len(corpus.made_truth)), ones]).astype(np.float32)
    progress(f"{len(known)} features")

    def fitted(passes: int) -> Fitted:
        real, made, odd = (numbered(found, known, config.scale) for found in (corpus.real, corpus.made, invented))
        start = start_weights(corpus.languages, seen, corpus.truth[train], corpus.domains[train], known, config)
        rows = joined(joined(chosen(real, train), made), odd)
        return Fitted(fit(known, start, rows, truth, worth, replace(config, passes=passes), progress), real, priors)

    first = fitted(config.first_passes)
    best = worthiest(first.fit, chosen(first.rows, train), int(config.buckets * BUCKET * FILLED) - len(said))
    known = np.union1d(known[best], said)
    return fitted(config.passes)


def _invented(
    corpus: Corpus, train: NDArray[np.int64], count: int, offsets: NDArray[np.float64], seed: int
) -> tuple[Features, NDArray[np.uint16]]:
    """Home pages of invented names with labels as common as they are among generic domains, before offsets are added."""
    names = [corpus.rows[i].domain.partition(".")[0] for i in train]
    urls = invented_urls(names, [corpus.rows[i].language for i in train], corpus.words, count, seed)
    generic = train[corpus.generic[train]]
    pairs = np.unique(np.stack([corpus.domains[generic], corpus.truth[generic].astype(np.int64)]), axis=1)
    common = (np.bincount(pairs[1], minlength=len(corpus.languages)) + 1.0) * np.exp(-offsets)
    return features_of(urls), drawn_labels(common / common.sum(), len(urls), seed)


def mix_on(fitted: Fitted, corpus: Corpus, train: NDArray[np.int64], held: NDArray[np.int64], config: UrlConfig) -> Mix:
    """Weights of parts on domains held out, with a share of invented names among the home pages of generic domains."""
    settings = corpus.real.settings[held]
    homes = int(config.invented_share * np.sum(settings == GENERIC_HOME))
    none = np.zeros(len(corpus.languages))
    invented, labels_of = _invented(corpus, train, homes, none, config.seed + 1)
    odd = numbered(invented, fitted.fit.vocabulary, config.scale)
    crowds = np.bincount(corpus.domains[held])[corpus.domains[held]]
    worth = np.concatenate([crowds**-config.crowd, np.ones(len(labels_of))])
    said = voices_of(fitted.fit, joined(chosen(fitted.rows, held), odd))
    settings = np.concatenate([settings, invented.settings])
    truth = np.concatenate([corpus.truth[held], labels_of])
    return fit_mix(fitted.fit.bias, fitted.priors, said, settings, truth, worth)


def packed(fitted: Fitted, corpus: Corpus, mix: Mix, config: UrlConfig) -> UrlWeights:
    """Weights in int8: each feature's mean taken off (it moves no probability), the worthiest features first.

    Before them come those that say a language: they are few, and some of them no URL of the list has.
    """
    known = fitted.fit.vocabulary
    order = worthiest(fitted.fit, fitted.rows, len(known))
    said = np.isin(known[order], np.array(sorted(said_keys(corpus.languages)), np.uint64))
    order = np.concatenate([order[said], order[~said]])
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
        mix.bias(fitted.fit.bias, fitted.priors),
        mix.weights,
        known[order],
        np.bincount(fitted.rows.ids, minlength=len(known))[order],
        units,
        unit[0],
        unit[1] * config.scale,
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
    train_on = np.flatnonzero(folds != 0)
    fitted = fit_corpus(corpus, train_on, config, progress)
    mix = mix_on(fitted, corpus, train_on, held, config)
    said = voices_of(fitted.fit, chosen(fitted.rows, held))
    bias = mix.bias(fitted.fit.bias, fitted.priors)
    right = np.mean(mix.logits(said, corpus.real.settings[held], bias).argmax(1) == corpus.truth[held])
    progress(f"{100 * right:.2f}% of the URLs on domains held out are right")
    fitted = fit_corpus(corpus, np.arange(len(corpus.rows)), config, progress)
    write_url_model(out, packed(fitted, corpus, mix, config), config.buckets, manifest(corpus, mix, config))


def manifest(corpus: Corpus, mix: Mix, config: UrlConfig) -> dict[str, object]:
    """Where a model comes from."""
    return {
        "urls": len(corpus.rows),
        "languages": dict(Counter(row.language for row in corpus.rows)),
        "sources": dict(Counter(row.source for row in corpus.rows)),
        "text_sources": list(SOURCES),
        "mix": [[round(weight, 3) for weight in row] for row in mix.weights.tolist()],
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
