"""URL lists in, URL model out: `python -m webtongue.train.url DATA OUT`.

read -> features -> vocabulary -> fit (multinomial logistic regression, AdaGrad) -> calibrate on domains held out -> prune,
quantise, write. Deterministic: the same lists and settings give the same bytes.
"""

from __future__ import annotations

import argparse
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel, labels
from webtongue.train.urlfile import BUCKET, UrlWeights, write_url_model
from webtongue.train.urltext import SOURCES, made_urls
from webtongue.url.baselines import COUNTRY_LANGUAGE
from webtongue.url.model import SUFFIXES

Progress = Callable[[str], None]
FIRST_TEXT = 10  # the first kind of text feature, see native/url.hpp
HOST_FLAG = 0x80
HOST_KINDS = 4  # kinds below this one come from the host
FILLED = (
    0.985  # features fitted, of the table's places: the last 3 of 100 find both their buckets full and are left out
)
MADE_MOVED = 0.02  # what a feature that only made URLs have counts for


@dataclass(frozen=True, slots=True)
class UrlConfig:
    """Settings of a run, compared on domains held out of the training list (docs/url.md)."""

    least_urls: int = 150  # of a language
    least_domains: int = (
        2  # that a feature must be seen in: names of domains with 2 URLs lost 4.6 points over all languages
    )
    least_made: int = 8  # times a feature of made URLs must be seen where no URL has it
    made: int = 10_000  # URLs made of text, a language
    made_worth: float = 0.3  # of a made URL against a real one
    scale: float = 1.0  # of text features: 4 lost 1.1 points, 2 lost 0.3
    passes: int = 3
    rate: float = 0.15  # 0.3 lost 0.3 points
    drop_host: float = 0.3  # of the steps hide the host: 0.1 lost 0.6 points
    decay: float = 0.0
    smooth: float = 0.02  # weak labels are wrong in up to 8 of 100 URLs
    country: float = 5.0  # domains that speak for a country's main language before any is seen
    trust: float = 0.8  # in what top level domains say at the outset
    lift: float = (
        0.25  # power of how common a language is that is put back into its prior: 0 lost 3.5 points over all languages
    )
    power: float = 0.5  # of a language's rarity in the worth of its URLs
    buckets: int = 19_900  # of 8 features: 7.96 MB
    first_passes: int = 1  # over all features, to choose those that are kept
    folds: int = 10
    seed: int = 7


@dataclass(frozen=True, slots=True)
class UrlRow:
    """A line of the list: language as our code, registered domain as the list has it."""

    url: str
    language: str
    gold: bool
    source: str
    domain: str


@dataclass(frozen=True, slots=True)
class Features:
    """Features of many URLs in a row."""

    starts: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    texts: NDArray[np.uint32]  # how many text features each URL has

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which URL each feature belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts).astype(np.int64))


@dataclass(frozen=True, slots=True)
class Rows:
    """Features by their numbers in a vocabulary, as the kernel fits and predicts them."""

    starts: NDArray[np.uint64]
    ids: NDArray[np.uint32]
    hosts: NDArray[np.uint8]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model before it is packed."""

    vocabulary: NDArray[np.uint64]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def scores(self, rows: Rows) -> NDArray[np.float32]:
        """Nats of each label for each row."""
        out = np.zeros((len(rows), len(self.bias)), np.float32)
        _kernel.predict_urls(rows.starts, rows.ids, rows.hosts, rows.values, self.weights, self.bias, out)
        return out


def read_rows(path: Path) -> list[UrlRow]:
    """The lines of a list, languages folded into our codes."""
    out = []
    codes: dict[str, str] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            url, code, quality, source, domain = line.rstrip("\n").split("\t")
            if code not in codes:
                parsed = labels.parse(code)
                codes[code] = labels.fold(parsed).language if parsed else code
            out.append(UrlRow(url, codes[code], quality == "gold", source, domain))
    return out


def languages_of(rows: Sequence[UrlRow], least: int) -> list[str]:
    """Languages with enough URLs, the most common first."""
    return [language for language, count in Counter(row.language for row in rows).most_common() if count >= least]


def fold_of(domains: Sequence[str], folds: int) -> NDArray[np.int64]:
    """A number below `folds` for each URL, the same for all URLs of a domain."""
    return np.array([zlib.crc32(domain.encode("utf-8", "replace")) % folds for domain in domains], np.int64)


def features_of(urls: Sequence[str]) -> Features:
    """The kernel's features of URLs."""
    raw = [url.encode("utf-8", "replace") for url in urls]
    offsets = np.zeros(len(raw) + 1, np.uint64)
    offsets[1:] = np.cumsum([len(url) for url in raw])
    rules = _kernel.Suffixes(SUFFIXES.read_bytes())
    starts, keys, kinds, facts = _kernel.url_features(rules, b"".join(raw), offsets)
    return Features(starts, keys, kinds, facts.reshape(-1, 3)[:, 1])


def text_only(found: Features) -> Features:
    """Without structural features: a made URL has no host or path that means anything."""
    kept = (found.kinds & 0x7F) >= FIRST_TEXT
    counts = np.bincount(found.rows[kept], minlength=len(found.starts) - 1)
    starts = np.zeros(len(found.starts), np.uint64)
    starts[1:] = np.cumsum(counts)
    return Features(starts, found.keys[kept], found.kinds[kept], found.texts)


def vocabulary(real: Features, domains: NDArray[np.int64], made: Features, config: UrlConfig) -> NDArray[np.uint64]:
    """Features of enough domains, or of enough made URLs; in the order of their keys."""
    where = domains[real.rows]
    order = np.lexsort((where, real.keys))
    keys, where = real.keys[order], where[order]
    new_key = np.concatenate([[True], keys[1:] != keys[:-1]])
    new_domain = new_key | np.concatenate([[True], where[1:] != where[:-1]])
    firsts = np.flatnonzero(new_key)
    spread = np.add.reduceat(new_domain.astype(np.int32), firsts)
    known = keys[firsts]
    made_keys, made_counts = np.unique(made.keys, return_counts=True)
    both = np.intersect1d(made_keys[made_counts >= 2], known)
    seen: NDArray[np.uint64] = np.union1d(
        known[spread >= config.least_domains], made_keys[made_counts >= config.least_made]
    )
    return np.union1d(seen, both)


def numbered(found: Features, known: NDArray[np.uint64], scale: float) -> Rows:
    """Features by number, those out of the vocabulary left out."""
    places = np.minimum(np.searchsorted(known, found.keys), len(known) - 1)
    kept = known[places] == found.keys
    rows, plain = found.rows, found.kinds & 0x7F
    share = scale / np.sqrt(np.maximum(found.texts, 1))
    values = np.where(plain >= FIRST_TEXT, share[rows], 1.0)
    starts = np.zeros(len(found.starts), np.uint64)
    starts[1:] = np.cumsum(np.bincount(rows[kept], minlength=len(found.starts) - 1))
    hosts = ((found.kinds & HOST_FLAG) > 0) | (plain < HOST_KINDS)
    return Rows(starts, places[kept].astype(np.uint32), hosts[kept].astype(np.uint8), values[kept].astype(np.float32))


def chosen(rows: Rows, which: NDArray[np.int64]) -> Rows:
    """Some of the rows."""
    lengths = (rows.starts[which + 1] - rows.starts[which]).astype(np.int64)
    starts = np.zeros(len(which) + 1, np.uint64)
    starts[1:] = np.cumsum(lengths)
    first = np.repeat(rows.starts[which].astype(np.int64) - starts[:-1].astype(np.int64), lengths)
    at = np.arange(int(starts[-1])) + first
    return Rows(starts, rows.ids[at], rows.hosts[at], rows.values[at])


def joined(first: Rows, second: Rows) -> Rows:
    """Rows of both."""
    return Rows(
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
        np.concatenate([first.ids, second.ids]),
        np.concatenate([first.hosts, second.hosts]),
        np.concatenate([first.values, second.values]),
    )


def fit(
    known: NDArray[np.uint64],
    start: NDArray[np.float32],
    rows: Rows,
    truth: NDArray[np.uint16],
    worth: NDArray[np.float32],
    config: UrlConfig,
    progress: Progress,
) -> Fit:
    """Passes of AdaGrad from the given weights, in a fresh order each, the rate falling."""
    count = start.shape[1]
    weights = start.copy()
    sums = np.zeros_like(weights)
    bias, bias_sums = np.zeros(count, np.float32), np.zeros(count, np.float32)
    chance = np.random.default_rng(config.seed)
    for step in range(config.passes):
        order = chance.permutation(len(rows)).astype(np.uint32)
        rate = config.rate * (1 - 0.8 * step / config.passes)
        loss = _kernel.fit_urls(
            rows.starts, rows.ids, rows.hosts, rows.values, order, truth, worth,
            rate, config.drop_host, config.decay, config.smooth, step + 1, weights, sums, bias, bias_sums,
        )  # fmt: skip
        progress(f"pass {step + 1}: loss {loss:.3f}")
    return Fit(known, weights, bias)


def worths(truth: NDArray[np.uint16], count: int, power: float) -> NDArray[np.float32]:
    """What each URL weighs: rare languages more, 1 on average."""
    sizes = np.maximum(np.bincount(truth, minlength=count), 1)
    out = (sizes.astype(np.float64) ** -power)[truth]
    found: NDArray[np.float32] = (out / out.mean()).astype(np.float32)
    return found


def temperature(scores: NDArray[np.float32], truth: NDArray[np.uint16], lifts: NDArray[np.float64]) -> float:
    """The factor of scores that makes probabilities on held-out domains truest, lifts added."""
    grid = np.arange(0.5, 1.55, 0.05)
    losses = []
    for factor in grid:
        lifted = factor * scores + lifts
        lifted -= lifted.max(1, keepdims=True)
        losses.append(np.mean(np.log(np.exp(lifted).sum(1)) - lifted[np.arange(len(truth)), truth]))
    return float(grid[int(np.argmin(losses))])


def lifts_of(corpus: Corpus, train: NDArray[np.int64], config: UrlConfig) -> NDArray[np.float64]:
    """What is added for each language after scaling, in nats."""
    sizes = np.maximum(np.bincount(corpus.truth[train], minlength=len(corpus.languages)), 1)
    lifts: NDArray[np.float64] = config.lift * np.log(sizes / sizes.sum())
    return lifts


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that fitting needs, made once for many fits."""

    languages: list[str]
    rows: list[UrlRow]
    truth: NDArray[np.uint16]
    real: Features
    made: Features
    made_truth: NDArray[np.uint16]


def read_corpus(data: Path, config: UrlConfig, progress: Progress) -> Corpus:
    """The training list and the URLs made of text, as features."""
    rows = read_rows(data / "url" / "train.tsv.xz")
    languages = languages_of(rows, config.least_urls)
    number = {language: i for i, language in enumerate(languages)}
    rows = [row for row in rows if row.language in number]
    truth = np.array([number[row.language] for row in rows], np.uint16)
    progress(f"{len(rows)} URLs in {len(languages)} languages")
    urls: list[str] = []
    made_truth: list[int] = []
    for i, language in enumerate(languages):
        found = made_urls(data / "train", language, config.made)
        urls += found
        made_truth += [i] * len(found)
    progress(f"{len(urls)} URLs made of text")
    made = text_only(features_of(urls))
    return Corpus(languages, rows, truth, features_of([row.url for row in rows]), made, np.array(made_truth, np.uint16))


def fit_corpus(corpus: Corpus, train: NDArray[np.int64], config: UrlConfig, progress: Progress) -> tuple[Fit, Rows]:
    """A fit on some of the URLs and all made ones; and all real URLs by the numbers of its vocabulary.

    First over every feature, then again over those that were worth most: as many as the table has room for.
    """
    domains = numbered_domains(corpus)
    known = vocabulary(_rows_of(corpus.real, train), domains[train], corpus.made, config)
    truth = np.concatenate([corpus.truth[train], corpus.made_truth])
    made_worth = np.full(len(corpus.made_truth), config.made_worth, np.float32)
    worth = np.concatenate([worths(corpus.truth[train], len(corpus.languages), config.power), made_worth])
    progress(f"{len(known)} features")

    def fitted(passes: int) -> tuple[Fit, Rows]:
        real, made = numbered(corpus.real, known, config.scale), numbered(corpus.made, known, config.scale)
        start = top_level_weights(corpus, train, domains, known, config)
        rows = joined(chosen(real, train), made)
        return fit(known, start, rows, truth, worth, replace(config, passes=passes), progress), real

    first, real = fitted(config.first_passes)
    known = known[np.sort(worthiest(first, chosen(real, train), int(config.buckets * BUCKET * FILLED)))]
    return fitted(config.passes)


def top_level_weights(
    corpus: Corpus, train: NDArray[np.int64], domains: NDArray[np.int64], known: NDArray[np.uint64], config: UrlConfig
) -> NDArray[np.float32]:
    """Weights to begin with: zero, but for top level domains the log-odds of the languages of their domains.

    A country's domain has few URLs for most languages, too few for gradients that n-grams share: without this, small
    languages did worse than by their domain alone.
    """
    count = len(corpus.languages)
    sizes = np.maximum(np.bincount(corpus.truth[train], minlength=count), 1).astype(np.float64)
    worth = sizes**-config.power / np.mean(sizes**-config.power)
    prior = sizes * worth / np.sum(sizes * worth)
    counts: dict[int, NDArray[np.float64]] = {}
    at = np.minimum(corpus.real.starts[:-1].astype(np.int64), len(corpus.real.keys) - 1)
    tops, named = corpus.real.keys[at], corpus.real.kinds[at] == 0  # a host's first feature is its top level domain
    for top, language, _ in {(int(tops[i]), int(corpus.truth[i]), int(domains[i])) for i in train if named[i]}:
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


def worthiest(fitted: Fit, rows: Rows, most: int) -> NDArray[np.int64]:
    """Numbers of the features that move scores most on these rows, the first first."""
    moved = np.bincount(rows.ids, weights=rows.values.astype(np.float64) ** 2, minlength=len(fitted.vocabulary))
    spread = fitted.weights.var(axis=1)
    return np.argsort(-spread * (moved + MADE_MOVED), kind="stable")[:most]


def numbered_domains(corpus: Corpus) -> NDArray[np.int64]:
    """A number for the domain of each URL."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(row.domain, len(numbers)) for row in corpus.rows], np.int64)


def _rows_of(found: Features, which: NDArray[np.int64]) -> Features:
    lengths = (found.starts[which + 1] - found.starts[which]).astype(np.int64)
    starts = np.zeros(len(which) + 1, np.uint64)
    starts[1:] = np.cumsum(lengths)
    at = np.arange(int(starts[-1])) + np.repeat((found.starts[which] - starts[:-1]).astype(np.int64), lengths)
    return Features(starts, found.keys[at], found.kinds[at], found.texts[which])


def packed(
    fitted: Fit, rows: Rows, corpus: Corpus, train: NDArray[np.int64], heat: float, config: UrlConfig
) -> UrlWeights:
    """Weights in int8: each feature's mean taken off (it moves no probability), the worthiest features first."""
    order = worthiest(fitted, rows, len(fitted.vocabulary))
    weights = (fitted.weights - fitted.weights.mean(axis=1, keepdims=True))[order]
    text = np.ones(len(fitted.vocabulary), bool)
    text[_plain_ids(corpus.real, fitted.vocabulary)] = False
    text = text[order]
    unit = [float(np.quantile(np.abs(weights[which]), 0.9999)) / 127 for which in (~text, text)]
    units = np.clip(np.rint(weights / np.where(text, unit[1], unit[0])[:, None]), -127, 127).astype(np.int8)
    power = 1 - config.power + config.lift
    sizes = np.bincount(corpus.truth[train], minlength=len(corpus.languages)).astype(np.float64) ** power
    return UrlWeights(
        [str(labels.fold(_label(language))) for language in corpus.languages],
        np.log(sizes / sizes.sum()),
        fitted.bias.astype(np.float64) * heat + lifts_of(corpus, train, config),
        fitted.vocabulary[order],
        units,
        unit[0] * heat,
        unit[1] * heat * config.scale,
    )


def _plain_ids(found: Features, known: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Numbers of structural features."""
    keys = np.unique(found.keys[(found.kinds & 0x7F) < FIRST_TEXT])
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found_at: NDArray[np.int64] = places[known[places] == keys]
    return found_at


def _label(language: str) -> labels.Label:
    found = labels.parse(language)
    if found is None:
        raise ValueError(f"{language}: not a language we know")
    return found


def train(data: Path, out: Path, config: UrlConfig | None = None, progress: Progress = print) -> None:
    """Fit without one fold of domains to calibrate, then on everything, and write the model."""
    config = config or UrlConfig()
    corpus = read_corpus(data, config, progress)
    folds = fold_of([row.domain for row in corpus.rows], config.folds)
    held, rest = np.flatnonzero(folds == 0), np.flatnonzero(folds != 0)
    fitted, rows = fit_corpus(corpus, rest, config, progress)
    heat = temperature(fitted.scores(chosen(rows, held)), corpus.truth[held], lifts_of(corpus, rest, config))
    progress(f"temperature {heat:.2f}")
    everything = np.arange(len(corpus.rows))
    fitted, rows = fit_corpus(corpus, everything, config, progress)
    weights = packed(fitted, rows, corpus, everything, heat, config)
    write_url_model(out, weights, config.buckets, manifest(corpus, heat, config))


def manifest(corpus: Corpus, heat: float, config: UrlConfig) -> dict[str, object]:
    """Where a model comes from."""
    return {
        "urls": len(corpus.rows),
        "languages": dict(Counter(row.language for row in corpus.rows)),
        "sources": dict(Counter(row.source for row in corpus.rows)),
        "text_sources": list(SOURCES),
        "temperature": round(heat, 4),
        "config": asdict(config),
        "suffixes": SUFFIXES.read_text("utf-8").split("\n", 1)[0].lstrip("# "),
    }


def main() -> None:
    """``python -m webtongue.train.url DATA OUT``."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder with url/ and train/")
    parser.add_argument("out", type=Path)
    chosen_options = parser.parse_args()
    train(chosen_options.data, chosen_options.out)


if __name__ == "__main__":
    main()
