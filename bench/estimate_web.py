"""Generated webs with known answers for bench/estimate.py; docs/estimate.md describes their design."""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.files import read_rows
from webtongue.lab.train.url.synthetic_urls import CYRILLIC, GERMAN, GREEK, NORDIC
from webtongue.reference.countries import COUNTRY_LANGUAGE

KINDS = ("addresses", "index languages", "small hosts", "silent", "misleading")
MIN_SHARE = 1e-5
MAX_HOST_PAGES, MAX_SMALL_HOST = 5_000, 20
FOREIGN_SHARE = 0.05
GENERIC = {"com": 65, "org": 14, "net": 12, "info": 6, "eu": 3}
ENGLISH = {"com": 50, "org": 14, "net": 7, "uk": 8, "edu": 4, "au": 4, "ca": 4, "gov": 3, "io": 3, "us": 2, "ie": 1}
WORD_NAMES, WORD_PATHS, NUMBER_PATHS = 0.4, 0.4, 0.3
MIN_MIXED_PAGES, MIXED_OWN, CODED_HOSTS = 10, 0.6, 0.7
OWN, IN_ENGLISH, UNKNOWN = 0.92, 0.05, 0.02  # Shares of the pages of other hosts; the other pages have no language.
RIGHT_LANGUAGE, NO_LANGUAGE = (
    0.93,
    0.03,
)  # Shares of content_languages that are right or missing; the others are random.
SPELLINGS = CYRILLIC | GREEK | GERMAN | NORDIC
SYLLABLES = [first + vowel for first in "b d f g k l m n p r s t v z ch st tr br".split() for vowel in "aeiou"]
ENGLISH_WORDS = (
    "about news product item article blog category page post view search tag archive index list user shop event gallery help "
    "download info service company contact review offer catalog detail topic media"
).split()
TOP_WORDS = 4_000  # The words of a list that addresses are made of.


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters in which fresh webs differ from those on which the interval rule was chosen."""

    host_exponent: float = 1.1  # of the Pareto distribution of the pages of hosts
    national: float = 0.5  # share of hosts below the domain of a country
    mixed: float = 0.15  # share of hosts with several languages


SHAPES = {"first": Shape(), "fresh": Shape(host_exponent=1.4, national=0.25, mixed=0.35)}


@dataclass(frozen=True, slots=True)
class Web:
    """The pages of a web: their addresses, languages in the index ("" for none), and the number of their true label."""

    urls: list[str]
    index_languages: list[str]
    truth: NDArray[np.int64]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Host:
    name: str
    language: str
    shown: str  # the language of its words: another one in a misleading web
    pages: int
    paths: str  # words, numbers or english
    others: tuple[str, ...]  # further languages
    code: str  # The place of the language code: path, host or none.


class _Words:
    """Words of languages, as they are written in addresses."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "words_subtitles"
        self._lists: dict[str, list[str]] = {}

    def get(self, language: str) -> list[str]:
        """Return the words of a language, the most frequent first; empty for a language without a list."""
        if language not in self._lists:
            words: list[str] = []
            for path in sorted(self._folder.glob(f"{language}_*.tsv.xz"))[:1]:
                with lzma.open(path, "rt", encoding="utf-8") as lines:
                    rows = (line.partition("\t")[0] for line in lines)
                    words = [word for word in rows if len(word) > 2 and word.isalpha()][:TOP_WORDS]
            self._lists[language] = ["".join(SPELLINGS.get(letter, letter) for letter in word) for word in words]
        return self._lists[language]


def generate(kind: str, pages: int, data: Path, seed: int = 1, shape: Shape = SHAPES["first"]) -> Web:
    """Return a web of about this number of pages."""
    rng = random.Random(f"{seed} {kind if kind != 'index languages' else 'addresses'}")
    shares = {name: 10.0 ** float(power) for name, power in read_rows("priors.tsv")}
    languages = [name for name, share in shares.items() if share > MIN_SHARE]
    weights = [shares[name] for name in languages]
    words = _Words(data)
    urls: list[str] = []
    answers: list[str] = []
    while len(urls) < pages:
        (language,) = rng.choices(languages, weights)
        shown = rng.choice(languages) if kind == "misleading" else language
        largest = MAX_SMALL_HOST if kind == "small hosts" else MAX_HOST_PAGES
        host = _make_host(language, shown, kind == "silent", largest, words, rng, shape)
        for url, answer in _make_pages(host, languages, weights, words, rng):
            urls.append(url)
            answers.append(answer)
    names = tuple(sorted({_label(answer) for answer in {*answers, *languages}}))
    numbers = {name: number for number, name in enumerate(names)}
    truth = np.array([numbers[_label(answer)] for answer in answers])
    index = (
        [_index_language(answer, languages, weights, rng) for answer in answers]
        if kind == "index languages"
        else [""] * len(urls)
    )
    return Web(urls, index, truth, names)


def _label(language: str) -> str:
    label = labels.parse(language)
    return language if language in labels.SPECIAL or label is None else str(labels.fold(label))


def _make_host(
    language: str, shown: str, is_silent: bool, largest: int, words: _Words, rng: random.Random, shape: Shape
) -> _Host:
    size = min(int(rng.paretovariate(shape.host_exponent) * 3), largest)
    own = [code for code, name in COUNTRY_LANGUAGE.items() if name == shown]
    draw = rng.random()
    if is_silent:
        tld = "com"
    elif draw < FOREIGN_SHARE:
        tld = rng.choice(list(COUNTRY_LANGUAGE))
    elif shown == "eng":
        (tld,) = rng.choices(list(ENGLISH), list(ENGLISH.values()))
    elif own and draw < FOREIGN_SHARE + shape.national:
        tld = own[0] if rng.random() < 0.7 else rng.choice(own)
    else:
        (tld,) = rng.choices(list(GENERIC), list(GENERIC.values()))
    name = "".join(rng.choices(SYLLABLES, k=rng.randint(2, 4)))
    own_words = [word for word in words.get(shown) if word.isascii()]
    if not is_silent and own_words and rng.random() < WORD_NAMES:
        name = "".join(_pick(own_words, rng, 2))
    draw = rng.random()
    paths = "words" if draw < WORD_PATHS else "numbers" if draw < WORD_PATHS + NUMBER_PATHS else "english"
    is_mixed = size >= MIN_MIXED_PAGES and rng.random() < shape.mixed
    others = tuple(rng.sample(list(dict.fromkeys([*COUNTRY_LANGUAGE.values()])), rng.randint(1, 5))) if is_mixed else ()
    code = (
        ("host" if rng.random() < 0.3 else "path")
        if is_mixed and rng.random() < CODED_HOSTS and not is_silent
        else "none"
    )
    return _Host(
        f"{name}{rng.randrange(100, 1000)}.{tld}",
        language,
        shown,
        size,
        "numbers" if is_silent else paths,
        others,
        code,
    )


def _make_pages(
    host: _Host, languages: list[str], weights: list[float], words: _Words, rng: random.Random
) -> Iterator[tuple[str, str]]:
    for number in range(host.pages):
        draw = rng.random()
        if host.others:
            answer = host.language if draw < MIXED_OWN else rng.choice(host.others)
        else:
            answer = (
                host.language if draw < OWN else "eng" if draw < OWN + IN_ENGLISH else "und" if draw < OWN + IN_ENGLISH + UNKNOWN
                else "zxx"
            )  # fmt: skip
        shown = answer if host.shown == host.language else host.shown
        yield _make_url(host, shown, number, words, rng), answer


def _make_url(host: _Host, shown: str, number: int, words: _Words, rng: random.Random) -> str:
    tag = labels.bcp47(_label(shown)).partition("-")[0] if shown not in labels.SPECIAL else "en"
    name = f"{tag}.{host.name}" if host.code == "host" else host.name
    prefix = f"/{tag}" if host.code == "path" else ""
    own_words = words.get(shown)
    if host.paths == "words" and own_words:
        return f"https://{name}{prefix}/{quote('-'.join(_pick(own_words, rng, rng.randint(2, 6))))}-{number}"
    if host.paths == "english":
        return f"https://{name}{prefix}/{'/'.join(_pick(ENGLISH_WORDS, rng, 2))}/{number}.html"
    return f"https://{name}{prefix}/{rng.randrange(10**6)}?id={number}"


def _pick(words: list[str], rng: random.Random, count: int) -> list[str]:
    """Return words; frequent ones are more likely."""
    return [words[int(len(words) * rng.random() ** 2)] for _ in range(count)]


def _index_language(answer: str, languages: list[str], weights: list[float], rng: random.Random) -> str:
    draw = rng.random()
    if answer in labels.SPECIAL or draw < NO_LANGUAGE:
        return ""
    return answer if draw < NO_LANGUAGE + RIGHT_LANGUAGE else rng.choices(languages, weights)[0]
