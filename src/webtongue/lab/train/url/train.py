"""Train the URL model: URL lists in, a model file out, by ``train`` or ``python -m webtongue.lab.train.url.train DATA OUT``.

read -> features -> vocabulary -> fit (multinomial logistic regression, AdaGrad) -> weight channels on held-out domains -> fit on
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
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.features import (
    FIRST_TEXT_KIND,
    Features,
    Rows,
    build_vocabulary,
    domain_keys,
    extract_features,
    join_rows,
    keep_text_features,
    number_features,
    select_rows,
    select_urls,
)
from webtongue.lab.train.url.file import BUCKET_SLOTS, UrlWeights, write_url_model
from webtongue.lab.train.url.fit import Fit, Priors, Progress, compute_priors, fit, rank_features, weigh_urls
from webtongue.lab.train.url.initial_weights import compute_initial_weights
from webtongue.lab.train.url.invented import COINING_LANGUAGE, draw_labels, find_coining_words, generate_invented_urls
from webtongue.lab.train.url.mix import GENERIC_HOME, Mix, fit_mix, score_channels
from webtongue.lab.train.url.rows import UrlRow, assign_folds, limit_per_domain, list_languages, read_rows
from webtongue.lab.train.url.synthetic_urls import TEXT_SOURCES, generate_urls
from webtongue.reference.countries import tld
from webtongue.reference.domains import SUFFIXES
from webtongue.url.tld import GENERIC

__all__ = ["Corpus", "Fitted", "fit_corpus", "fit_mix_on_held_out", "quantise", "read_corpus", "train"]

# Share of the table's slots for which features are fitted; the last 3% find both their buckets full and are left out.
MAX_FILL = 0.985
# Quantiles of weights that int8 represents. The largest structural weights, top level domains of small languages, are not clipped.
STRUCTURE_QUANTILE, TEXT_QUANTILE = 1.0, 0.9999


@dataclass(frozen=True, slots=True)
class Corpus:
    """The input of fitting, which several fits share."""

    languages: list[str]
    rows: list[UrlRow]
    truth: NDArray[np.uint16]
    generic: NDArray[np.bool_]  # True for URLs on .com, .org or .net
    domains: NDArray[np.int64]  # number of the domain of each URL
    real: Features
    synthetic: Features
    synthetic_truth: NDArray[np.uint16]
    coining_words: list[str]  # words of invented names


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fit on some of the URLs, and all real URLs numbered by its vocabulary."""

    fit: Fit
    rows: Rows
    priors: Priors


def read_corpus(data: Path, config: UrlConfig, progress: Progress) -> Corpus:
    """Return the training list and the synthetic URLs as features."""
    rows = read_rows(data / "url" / "train.tsv.xz")
    languages = list_languages(rows, config.least_urls, config.language_domains)
    number = {language: i for i, language in enumerate(languages)}
    rows = limit_per_domain([row for row in rows if row.language in number], config.domain_most)
    progress(f"{len(rows)} URLs in {len(languages)} languages")
    urls: list[str] = []
    coining_words: list[str] = []
    synthetic_truth: list[int] = []
    for i, language in enumerate(languages):
        generated = generate_urls(data / "train", language, config.made)
        urls += generated
        coining_words += find_coining_words(generated) if language == COINING_LANGUAGE else []
        synthetic_truth += [i] * len(generated)
    progress(f"{len(urls)} synthetic URLs")
    domains: dict[str, int] = {}
    return Corpus(
        languages,
        rows,
        np.array([number[row.language] for row in rows], np.uint16),
        np.array([tld(row.url) in GENERIC for row in rows]),
        np.array([domains.setdefault(row.domain, len(domains)) for row in rows], np.int64),
        extract_features([row.url for row in rows]),
        keep_text_features(extract_features(urls)),
        np.array(synthetic_truth, np.uint16),
        coining_words,
    )


def fit_corpus(corpus: Corpus, numbers: NDArray[np.int64], config: UrlConfig, progress: Progress) -> Fitted:
    """Return a fit on the real URLs with the given numbers, all synthetic URLs and invented names.

    The first fit has all features, the second only the best of them, as many as the table holds. Names of registered domains come
    on top: they take what is particular to a site, so that words do not learn it, and are left out of the file.
    """
    features = select_urls(corpus.real, numbers)
    keys = build_vocabulary(features, corpus.domains[numbers], corpus.synthetic, config)
    groups = 2 * corpus.truth[numbers].astype(np.int64) + corpus.generic[numbers]
    gold = np.array([corpus.rows[i].gold for i in numbers])
    real_weights = weigh_urls(groups, corpus.domains[numbers], gold, config)
    priors = compute_priors(
        corpus.truth[numbers], real_weights, corpus.languages, config.prior_share, config.least_urls
    )
    invented_features, invented_truth = _make_invented(corpus, numbers, config.invented, priors.offsets, config.seed)
    truth = np.concatenate([corpus.truth[numbers], corpus.synthetic_truth, invented_truth])
    other_weights = (np.full(len(corpus.synthetic_truth), config.made_worth), np.ones(len(invented_truth)))
    url_weights = np.concatenate([real_weights, *other_weights]).astype(np.float32)
    progress(f"{len(keys)} features")

    def fitted(passes: int) -> Fitted:
        real, synthetic, invented_rows = (
            number_features(source, keys, config.scale) for source in (corpus.real, corpus.synthetic, invented_features)
        )
        start = compute_initial_weights(
            corpus.languages, features, corpus.truth[numbers], corpus.domains[numbers], keys, config
        )
        rows = join_rows(join_rows(select_rows(real, numbers), synthetic), invented_rows)
        return Fitted(
            fit(keys, start, rows, truth, url_weights, replace(config, passes=passes), progress), real, priors
        )

    first = fitted(config.first_passes)
    max_features = int(config.buckets * BUCKET_SLOTS * MAX_FILL)
    real_rows = select_rows(first.rows, numbers)
    synthetic_rows = number_features(corpus.synthetic, keys, config.scale)
    best = keys[rank_features(first.fit, [(real_rows, 1.0), (synthetic_rows, config.made_worth)])]
    is_domain = np.isin(best, domain_keys(corpus.real))
    keys = np.union1d(best[~is_domain][:max_features], best[is_domain])
    return fitted(config.passes)


def _make_invented(
    corpus: Corpus, numbers: NDArray[np.int64], count: int, offsets: NDArray[np.float64], seed: int
) -> tuple[Features, NDArray[np.uint16]]:
    """Return features of invented home pages, and labels with the frequencies of generic domains before offsets are added."""
    names = [corpus.rows[i].domain.partition(".")[0] for i in numbers]
    urls = generate_invented_urls(names, [corpus.rows[i].language for i in numbers], corpus.coining_words, count, seed)
    generic = numbers[corpus.generic[numbers]]
    pairs = np.unique(np.stack([corpus.domains[generic], corpus.truth[generic].astype(np.int64)]), axis=1)
    common = (np.bincount(pairs[1], minlength=len(corpus.languages)) + 1.0) * np.exp(-offsets)
    return extract_features(urls), draw_labels(common / common.sum(), len(urls), seed)


def fit_mix_on_held_out(
    fitted: Fitted, corpus: Corpus, train_numbers: NDArray[np.int64], held_out: NDArray[np.int64], config: UrlConfig
) -> Mix:
    """Return weights of channels fitted on held-out domains and a share of invented names among generic home pages."""
    url_types = corpus.real.url_types[held_out]
    homes = int(config.invented_share * np.sum(url_types == GENERIC_HOME))
    no_offsets = np.zeros(len(corpus.languages))
    invented, invented_truth = _make_invented(corpus, train_numbers, homes, no_offsets, config.seed + 1)
    invented_rows = number_features(invented, fitted.fit.vocabulary, config.scale)
    domain_sizes = np.bincount(corpus.domains[held_out])[corpus.domains[held_out]]
    url_weights = np.concatenate([domain_sizes**-config.crowd, np.ones(len(invented_truth))])
    channel_scores = score_channels(fitted.fit, join_rows(select_rows(fitted.rows, held_out), invented_rows))
    url_types = np.concatenate([url_types, invented.url_types])
    truth = np.concatenate([corpus.truth[held_out], invented_truth])
    return fit_mix(fitted.fit.bias, fitted.priors, channel_scores, url_types, truth, url_weights)


def quantise(fitted: Fitted, corpus: Corpus, mix: Mix, config: UrlConfig) -> UrlWeights:
    """Return the weights in int8, without the mean of each feature (which changes no probability), best features first."""
    keys = fitted.fit.vocabulary
    synthetic_rows = number_features(corpus.synthetic, keys, config.scale)
    order = rank_features(fitted.fit, [(fitted.rows, 1.0), (synthetic_rows, config.made_worth)])
    order = order[~np.isin(keys[order], domain_keys(corpus.real))]
    weights = (fitted.fit.weights - fitted.fit.weights.mean(axis=1, keepdims=True))[order]
    is_text = np.ones(len(keys), bool)
    is_text[_find_structural(corpus.real, keys)] = False
    is_text = is_text[order]
    unit = [
        float(np.quantile(np.abs(weights[which]), share)) / 127
        for which, share in ((~is_text, STRUCTURE_QUANTILE), (is_text, TEXT_QUANTILE))
    ]
    units = np.clip(np.rint(weights / np.where(is_text, unit[1], unit[0])[:, None]), -127, 127).astype(np.int8)
    return UrlWeights(
        [str(labels.fold(_parse_label(language))) for language in corpus.languages],
        fitted.priors.final,
        mix.bias(fitted.fit.bias, fitted.priors),
        mix.weights,
        keys[order],
        np.bincount(fitted.rows.ids, minlength=len(keys))[order],
        units,
        unit[0],
        unit[1] * config.scale,
    )


def _find_structural(features: Features, vocabulary: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the numbers of structural features."""
    keys = np.unique(features.keys[features.plain_kinds < FIRST_TEXT_KIND])
    positions = np.minimum(np.searchsorted(vocabulary, keys), len(vocabulary) - 1)
    numbers: NDArray[np.int64] = positions[vocabulary[positions] == keys]
    return numbers


def _parse_label(language: str) -> labels.Label:
    label = labels.parse(language)
    if label is None:
        raise ValueError(f"unknown language code: {language}")
    return label


def train(data: Path, path: Path, config: UrlConfig | None = None, progress: Progress = print) -> None:
    """Train on ``url/train.tsv.xz`` and the text of ``train/`` below ``data``, and write the model to ``path``.

    The model is fitted twice: without one fold of domains, on which it is calibrated, then on everything.
    """
    config = config or UrlConfig()
    corpus = read_corpus(data, config, progress)
    folds = assign_folds([row.domain for row in corpus.rows], config.folds)
    held_out = np.flatnonzero(folds == 0)
    training = np.flatnonzero(folds != 0)
    fitted = fit_corpus(corpus, training, config, progress)
    mix = fit_mix_on_held_out(fitted, corpus, training, held_out, config)
    channel_scores = score_channels(fitted.fit, select_rows(fitted.rows, held_out))
    bias = mix.bias(fitted.fit.bias, fitted.priors)
    accuracy = np.mean(
        mix.logits(channel_scores, corpus.real.url_types[held_out], bias).argmax(1) == corpus.truth[held_out]
    )
    progress(f"{100 * accuracy:.2f}% of the URLs on held-out domains are right")
    fitted = fit_corpus(corpus, np.arange(len(corpus.rows)), config, progress)
    write_url_model(path, quantise(fitted, corpus, mix, config), config.buckets, make_manifest(corpus, mix, config))


def make_manifest(corpus: Corpus, mix: Mix, config: UrlConfig) -> dict[str, object]:
    """Return the manifest of a model: its data, settings and weights of channels."""
    return {
        "urls": len(corpus.rows),
        "languages": dict(Counter(row.language for row in corpus.rows)),
        "sources": dict(Counter(row.source for row in corpus.rows)),
        "text_sources": list(TEXT_SOURCES),
        "mix": [[round(weight, 3) for weight in row] for row in mix.weights.tolist()],
        "config": asdict(config),
        "suffixes": SUFFIXES.read_text("utf-8").split("\n", 1)[0].lstrip("# "),
    }


def main() -> None:
    """``python -m webtongue.lab.train.url.train DATA OUT``."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder with url/ and train/")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    train(options.data, options.out)


if __name__ == "__main__":
    main()
