"""Generate home pages with invented names, so that a name that only resembles a language is not evidence for it.

Short n-grams of any host name fit some language by chance. Names drawn from a letter model of hosts in all languages, labelled
with the frequencies of generic domains, teach the model that such a fit is worth no more than the prior. Names made of English
words are generated too: sites of all countries have such names, and most of these sites are in English.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

CONTEXT_LETTERS = 2  # the letter model has two: with three, parts of real words appear
MIN_NAME_LETTERS, MAX_NAME_LETTERS = 4, 14
# As among the home pages of the training list.
TOP_LEVEL_DOMAINS, TOP_LEVEL_SHARES = ("com", "net", "org"), (0.7, 0.15, 0.15)
END = "$"
COINING_LANGUAGE = "eng"
COINED_SHARE = 0.4  # names made of words
WORD = re.compile(r"(?<![a-z])[a-z]{3,8}(?![a-z])")
MAX_COINING_WORDS = 3000


def find_coining_words(urls: Sequence[str]) -> list[str]:
    """Return the most common words of URLs, from which names are made."""
    counts = Counter(word for url in urls for word in WORD.findall(url.partition("//")[2]))
    return sorted(word for word, _ in counts.most_common(MAX_COINING_WORDS))


def generate_invented_urls(
    names: Sequence[str], languages: Sequence[str], words: Sequence[str], count: int, seed: int
) -> list[str]:
    """Return ``count`` home pages on generic domains; every language has the same weight in the letter model."""
    rng = random.Random(seed)
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for name, language in zip(names, languages, strict=True):
        if name.isascii() and name.isalpha() and len(name) >= MIN_NAME_LETTERS:
            by_language[language].append(name)
    if not by_language:
        return []
    language_list = sorted(by_language)
    next_letters: defaultdict[str, list[str]] = defaultdict(list)
    for _ in range(count):
        name = " " * CONTEXT_LETTERS + rng.choice(by_language[rng.choice(language_list)]) + END
        for i in range(CONTEXT_LETTERS, len(name)):
            next_letters[name[i - CONTEXT_LETTERS : i]].append(name[i])
    urls = []
    for _ in range(count):
        prefix = rng.choice(("", "www."))
        name = _coin_name(words, rng) or _draw_name(next_letters, rng)
        urls.append(f"http://{prefix}{name}.{rng.choices(TOP_LEVEL_DOMAINS, TOP_LEVEL_SHARES)[0]}/")
    return urls


def _coin_name(words: Sequence[str], rng: random.Random) -> str:
    """Return a name of one or two words, or an empty string for the share of names that are not coined."""
    if not words or rng.random() >= COINED_SHARE:
        return ""
    return "".join(rng.choice(words) for _ in range(rng.choice((1, 2, 2))))


def _draw_name(next_letters: dict[str, list[str]], rng: random.Random) -> str:
    while True:
        name = " " * CONTEXT_LETTERS
        while name[-1] != END and len(name) < MAX_NAME_LETTERS + CONTEXT_LETTERS:
            name += rng.choice(next_letters[name[-CONTEXT_LETTERS:]])
        stripped = name.strip(" " + END)
        if len(stripped) >= MIN_NAME_LETTERS:
            return stripped


def draw_labels(priors: NDArray[np.float64], count: int, seed: int) -> NDArray[np.uint16]:
    """Return labels drawn by their priors."""
    return np.random.default_rng(seed).choice(len(priors), count, p=priors).astype(np.uint16)
