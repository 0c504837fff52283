"""Home pages of invented names: so that a name which only sounds like a language does not speak for it.

Short n-grams of a host name fit some language by chance, whatever the name is. Names drawn from the letters that follow each other
in hosts of all languages alike, labelled as generic domains are on the whole, teach the model what such a fit is worth: no
more than the prior. Names of English words are coined too: sites of all countries have such names, and most are in English.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ORDER = 2  # letters that the next one depends on: with three, pieces of real words come back
SHORTEST, LONGEST = 4, 14  # letters of a name
TOPS, SHARES = ("com", "net", "org"), (0.7, 0.15, 0.15)  # as they are among home pages of the list
END = "$"
MAJOR = "eng"  # the language that names are coined in
COINED = 0.4  # share of names made of words
WORD = re.compile(r"(?<![a-z])[a-z]{3,8}(?![a-z])")
MOST_WORDS = 3000  # the commonest ones


def coining_words(urls: Sequence[str]) -> list[str]:
    """The commonest words of URLs, those that names are coined of."""
    counts = Counter(word for url in urls for word in WORD.findall(url.partition("//")[2]))
    return sorted(word for word, _ in counts.most_common(MOST_WORDS))


def invented_urls(
    names: Sequence[str], languages: Sequence[str], words: Sequence[str], count: int, seed: int
) -> list[str]:
    """So many home pages on generic domains; every language has an equal say in their letters."""
    chance = random.Random(seed)
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for name, language in zip(names, languages, strict=True):
        if name.isascii() and name.isalpha() and len(name) >= SHORTEST:
            by_language[language].append(name)
    if not by_language:
        return []
    spoken = sorted(by_language)
    follows: defaultdict[str, list[str]] = defaultdict(list)
    for _ in range(count):
        name = " " * ORDER + chance.choice(by_language[chance.choice(spoken)]) + END
        for i in range(ORDER, len(name)):
            follows[name[i - ORDER : i]].append(name[i])
    return [
        f"http://{chance.choice(('', 'www.'))}{_coined(words, chance) or _name(follows, chance)}.{chance.choices(TOPS, SHARES)[0]}/"
        for _ in range(count)
    ]


def _coined(words: Sequence[str], chance: random.Random) -> str:
    """One word or two, or nothing."""
    if not words or chance.random() >= COINED:
        return ""
    return "".join(chance.choice(words) for _ in range(chance.choice((1, 2, 2))))


def _name(follows: dict[str, list[str]], chance: random.Random) -> str:
    while True:
        name = " " * ORDER
        while name[-1] != END and len(name) < LONGEST + ORDER:
            name += chance.choice(follows[name[-ORDER:]])
        found = name.strip(" " + END)
        if len(found) >= SHORTEST:
            return found


def drawn_labels(priors: NDArray[np.float64], count: int, seed: int) -> NDArray[np.uint16]:
    """Labels by their priors."""
    return np.random.default_rng(seed).choice(len(priors), count, p=priors).astype(np.uint16)
